"""Every K worth judging, with what it stores over the second half of a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.model.curves import delta_curve, full_curve, most_updates
from deltabench.model.recommend import Candidate, Origin, Timed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.model.series import Series
    from deltabench.results.values import Group

# Up to here every K, then steps of some per cent: neighbours further up hardly differ.
_EVERY_K = 60
_STEP = 1.04


def series_candidates(series: Series, measured: Sequence[int] = ()) -> tuple[Candidate, ...]:
    """Judge a series under every K up to one that never snapshots, and under those measured."""
    first = series.turns // 2
    origin: Origin = "estimated" if series.estimated else "derived"
    found = []
    for k in sorted({*frequencies(most_updates(series)), *measured}):
        curve = delta_curve(series, k)
        found.append(
            Candidate(
                frequency=k,
                stored_bytes=round(float(curve[first:].mean())),
                end_bytes=int(curve[-1]),
                origin=origin,
                replay_updates=min(k - 1, most_updates(series)),
            )
        )
    return tuple(found)


def frequencies(updates: int) -> list[int]:
    """The K to judge for a channel with so many updates, up to the first that never snapshots."""
    found = list(range(1, min(updates, _EVERY_K) + 1))
    while found and found[-1] < updates:
        found.append(min(updates, max(found[-1] + 1, round(found[-1] * _STEP))))
    return [*found, updates + 1]


def full_bytes(series: Series) -> int:
    """What full snapshots store, as the mean over the same lengths."""
    return round(float(full_curve(series)[series.turns // 2 :].mean()))


def measured_candidates(group: Group) -> tuple[Candidate, ...]:
    """The K that were run, where no session was recorded: few lengths, and few K."""
    found = []
    for column in group.deltas:
        figures, k = column.figures, column.policy.snapshot_frequency
        if figures is None or k is None:
            continue
        late = [mark.total_bytes for mark in figures.marks if 2 * mark.turn >= group.turns]
        updates = max(figures.updates.values(), default=0)
        found.append(
            Candidate(
                frequency=k,
                stored_bytes=round(sum(late) / len(late)),
                end_bytes=figures.total_bytes.this,
                origin="measured",
                replay_updates=min(k - 1, updates),
            )
        )
    return tuple(found)


def measured_full_bytes(group: Group) -> int | None:
    """Full snapshots over the same lengths as `measured_candidates`; None if not run."""
    figures = group.full.figures if group.full else None
    if figures is None:
        return None
    late = [mark.total_bytes for mark in figures.marks if 2 * mark.turn >= group.turns]
    return round(sum(late) / len(late))


def times(group: Group) -> tuple[Timed, ...]:
    """What was measured of reading, for each K that was run."""
    found = []
    for column in group.deltas:
        figures, k = column.figures, column.policy.snapshot_frequency
        if figures is None or k is None or figures.reads.worst_warm is None:
            continue
        history = figures.reads.history_50
        found.append(
            Timed(
                frequency=k,
                resume_seconds=figures.reads.worst_warm.seconds.this.median,
                history_seconds=history.seconds.this.median if history else None,
            )
        )
    return tuple(found)
