"""A recommendation as people read it: the K, its alternatives, and the other levers."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from deltabench.report.units import (
    format_bytes,
    format_seconds,
    plain,
    ratio_words,
    three_digits,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.model.advice import Advice
    from deltabench.model.recommend import Candidate

WIDTH = 80
_THREADS = 1_000
_ESTIMATES = (
    "Bytes continue a recording or follow from a database's sizes; times between two measured "
    "K lie on a line between them."
)
_GB = 1e9
_MARKS = {"measured": "", "derived": " d", "estimated": " ~"}


def advice_lines(advice: Advice) -> Iterator[str]:
    """Lines of at most 80 columns."""
    yield from _wrapped(f"{_verdict(advice)}: {plain(advice.session)}, {_place(advice)}")
    yield ""
    yield from _table(advice)
    yield ""
    yield from _wrapped(_judged(advice))
    for note in _notes(advice):
        yield from _wrapped(note)
    if advice.levers:
        yield ""
        yield "Other levers on the same thread, at its end (all estimated):"
        for lever in advice.levers:
            size = f"~{format_bytes(lever.stored_bytes)}"
            yield from _wrapped(f"  {lever.name}: {size}; {lever.gives_up}", indent=4)


def _verdict(advice: Advice) -> str:
    best = f"K={advice.choice.best.frequency}"
    return f"Take {best}" if advice.choice.within else f"No K keeps the budget; nearest is {best}"


def _place(advice: Advice) -> str:
    turns = "1 turn" if advice.length == 1 else f"{advice.length:,} turns"
    return f"{turns} on {plain(advice.checkpointer)}"


def _table(advice: Advice) -> Iterator[str]:
    choice = advice.choice
    rows = [
        _header(advice),
        _row(advice, choice.best, "take" if choice.within else "nearest"),
        *(_row(advice, candidate, "or") for candidate in choice.alternatives),
    ]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    kept = [place for place in range(len(widths)) if widths[place]]
    for row in rows:
        cells = (
            f"{row[place]:<{widths[place]}}" if place < 2 else f"{row[place]:>{widths[place]}}"  # noqa: PLR2004 - two of text
            for place in kept
        )
        yield f" {' '.join(cells)}".rstrip()


def _header(advice: Advice) -> list[str]:
    timed = any(c.resume_seconds is not None for c in advice.shown)
    historic = any(c.history_seconds is not None for c in advice.shown)
    return [
        "",
        "",
        "stored",
        "vs full" if advice.full_bytes else "",
        "replay",
        "resume" if timed else "",
        "hist. 50" if historic else "",
        f"{_THREADS:,} threads a month" if advice.price_per_gb_month is not None else "",
    ]


def _row(advice: Advice, candidate: Candidate, word: str) -> list[str]:
    mark = "~" if candidate.times_estimated else ""
    price = advice.price_per_gb_month
    ratio = advice.full_bytes / candidate.stored_bytes if advice.full_bytes else None
    month = None if price is None else price * _THREADS * candidate.stored_bytes / _GB
    return [
        word,
        f"K={candidate.frequency}",
        format_bytes(candidate.stored_bytes) + _MARKS[candidate.origin],
        ratio_words(ratio),
        f"{candidate.replay_updates:,}",
        _seconds(candidate.resume_seconds, mark),
        _seconds(candidate.history_seconds, mark),
        "" if month is None else three_digits(month),
    ]


def _seconds(seconds: float | None, mark: str) -> str:
    return "" if seconds is None else f"{mark}{format_seconds(seconds)}"


def _judged(advice: Advice) -> str:
    replay = "replay: most updates that a read may have to go through."
    if advice.lengths == 1:
        return f"stored: at the end, the only length there is. {replay}"
    return (
        f"stored: the mean over {advice.lengths} lengths of the thread, from {advice.first:,} to "
        f"{advice.length:,} turns, since bytes at one length depend on how it falls on multiples "
        f"of K. {replay}"
    )


def _notes(advice: Advice) -> Iterator[str]:
    origins = {candidate.origin for candidate in advice.shown}
    if "derived" in origins:
        yield "d: derived from a recorded run, exact; nothing ran under this K."
    if "estimated" in origins or any(c.times_estimated for c in advice.shown):
        yield f"~: estimated. {_ESTIMATES}"
    if advice.price_per_gb_month is not None:
        price = three_digits(advice.price_per_gb_month)
        yield f"{_THREADS:,} threads a month: at {price} per GB and month, in that currency."
    if advice.choice.by == "depth":
        yield (
            "No times were measured here, so the budget could not be judged: this is the K with "
            "the shortest replay that stores at most 1.25x the least. sweep --exact --timed "
            "measures times."
        )
    elif advice.choice.by == "knee":
        yield (
            "No budget was named: this is the K with the shortest replay that stores at most "
            "1.25x the least. --max-resume-ms and --max-history-ms choose by time."
        )
    yield from advice.notes


def _wrapped(text: str, *, indent: int = 2) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent)
