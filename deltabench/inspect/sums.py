"""The sums of one thread, which add up to those of the database.

Everything is kept under flat keys, so that threads can be added, sampled and resampled
alike. A key is a tuple that begins with the name of its table below; counts and bytes
add, `tops` are maxima. `estimates` holds namespace, channel and policy of every "change"
that is not known to the byte, and what of it: "sizes" of values, or messages without "ids".

    ("table", table, "rows" | "bytes")
    ("kind", "whole values" | "snapshots" | "deltas" | "floor")
    ("namespace", namespace, "bytes" | "checkpoints" | "calls")
    ("channel", namespace, channel, a name of CHANNEL_SUMS)
    ("unreachable", what, "rows" | "bytes")
    ("total",)
    ("counters", policy)                      bytes of counters, less those that are stored
    ("change", standing, namespace, channel, policy, "bytes" | "snapshots" | "depth" | "at")
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Key = tuple[Any, ...]
CHANNEL_SUMS = (
    "value_rows", "value_bytes", "snapshot_rows", "snapshot_bytes", "write_rows", "write_bytes",
    "updates",
)  # fmt: skip
UNREACHABLE = {
    "values": "in no checkpoint's channel versions",
    "writes": "their checkpoint is not there",
    "branches": "checkpoints that the newest one does not descend from",
    "orphans": "checkpoints whose parent is not there",
}


@dataclass(slots=True)
class Sums:
    """Additive figures, maxima, and what was found to say about channels."""

    sums: Counter[Key] = field(default_factory=Counter)
    tops: dict[Key, int] = field(default_factory=dict)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    estimates: set[Key] = field(default_factory=set)

    def add(self, other: Sums) -> None:
        """Add another thread, or another namespace of this one."""
        self.sums.update(other.sums)
        for key, value in other.tops.items():
            self.top(key, value)
        for channel, reason in other.reasons.items():
            self.reasons.setdefault(channel, reason)
        self.problems.extend(other.problems)
        self.estimates |= other.estimates

    def top(self, key: Key, value: int) -> None:
        """Keep the larger one."""
        if value > self.tops.get(key, -1):
            self.tops[key] = value
