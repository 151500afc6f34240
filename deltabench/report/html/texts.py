"""The explanations of the page, in words that need no knowledge of the tool."""

from __future__ import annotations

FULL = (
    "Whenever messages or files change, LangGraph saves the whole of them again, so what is stored "
    "grows with the square of the session's length."
)
DELTA = (
    "Each step saves only what it added, and every K-th update of a channel a whole value (a "
    "snapshot). Reading starts at the nearest snapshot and adds what came after it."
)
FREQUENCY = (
    "The snapshot frequency, in updates of a channel, not in turns: one turn makes several. A "
    "larger K stores less and gives a resume more to add up."
)
FLOOR = (
    "The added parts themselves, the checkpoint rows and their keys. They are stored under every "
    "policy, so no K goes below them."
)
STORED = (
    "Every logical byte that the checkpointer holds at the end of the session. What a database "
    "needs on disk is told apart."
)
RESUME = (
    "Opening an old conversation is timed right after a snapshot, between two, just before the "
    "next and at the end of the thread. The slowest counts, against full snapshots at the same "
    "place."
)
TERMS = (
    ("Full snapshots", FULL),
    ("Delta channels", DELTA),
    ("K", FREQUENCY),
    ("The floor", FLOOR),
    ("Stored", STORED),
    ("Slowest resume", RESUME),
)
HOW = (
    "Each policy runs the same session in a fresh process of its own: the installed Deep Agents "
    "and LangGraph, driven by a scripted model that gives the same answers every time. Bytes, "
    "rows, updates and round trips are counted. They are exact, and repeats must agree to the "
    "byte. Times are noisy. They are medians, and they are compared only with the full snapshots "
    "of the same run. A policy whose session ends in another state than full snapshots has no "
    "figures: it counts as failed. Every raw sample is in results.json, one row per session in "
    "results.csv."
)
ONE_K = (
    "One K was measured, so this report cannot compare it with others. In general a larger K "
    "stores less, down to the floor, and makes the slowest resume slower, as more updates lie "
    "between two snapshots. deltabench sweep measures several and says which are worth choosing."
)
