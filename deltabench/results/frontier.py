"""Which K is worth choosing: stored bytes against the slowest warm resume.

One K beats another if it stores no more and resumes no slower, and is better in one of
the two. What nothing beats is the frontier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from deltabench.cells import Policy, Value
from deltabench.results.values import Column, Compared, Frontier, Point

if TYPE_CHECKING:
    from collections.abc import Sequence

# Two identical objects were seen to differ by 3.7 % in paired medians.
_NOISE = 0.05
_FEWEST_DELTAS = 2


class _Candidate(Value):
    policy: Policy
    total_bytes: int
    cost: float
    low: float
    high: float
    never_snapshots: bool

    def beats(self, other: _Candidate) -> bool:
        no_worse = self.total_bytes <= other.total_bytes and self.cost <= other.cost
        return no_worse and (self.total_bytes, self.cost) != (other.total_bytes, other.cost)


def frontier(columns: Sequence[Column]) -> Frontier | None:
    """Compare the policies of one group; None below two delta columns with a resume."""
    readable = [c for c in columns if c.figures and c.figures.reads.worst_warm]
    deltas = [column for column in readable if not column.policy.is_full]
    if len(deltas) < _FEWEST_DELTAS:
        return None
    relative = all(_worst(column).ratio for column in deltas)
    unit: Literal["times full", "seconds"] = "times full" if relative else "seconds"
    candidates = [
        _candidate(column, relative=relative)
        for column in readable
        if not (relative is False and column.policy.is_full)
    ]
    points = tuple(_point(candidate, candidates) for candidate in candidates)
    return Frontier(cost_unit=unit, points=points, advice=_advice(points, unit))


def _worst(column: Column) -> Compared:
    assert column.figures
    assert column.figures.reads.worst_warm
    return column.figures.reads.worst_warm.seconds


def _candidate(column: Column, *, relative: bool) -> _Candidate:
    worst = _worst(column)
    assert column.figures
    if not relative:
        cost, low, high = worst.this.median, worst.this.low, worst.this.high
    elif worst.ratio is None:  # full itself
        cost, low, high = 1.0, 1.0, 1.0
    else:
        ratio = worst.ratio
        cost = 1 / ratio.value
        low = 1 / ratio.high if ratio.high else None
        high = 1 / ratio.low if ratio.low else None
    return _Candidate(
        policy=column.policy,
        total_bytes=column.figures.total_bytes.this,
        cost=cost,
        low=cost * (1 - _NOISE / 2) if low is None else low,
        high=cost * (1 + _NOISE / 2) if high is None else high,
        never_snapshots=column.figures.never_snapshots,
    )


def _point(candidate: _Candidate, candidates: Sequence[_Candidate]) -> Point:
    better = [other for other in candidates if other.beats(candidate)]
    return Point(
        policy=candidate.policy,
        total_bytes=candidate.total_bytes,
        cost=candidate.cost,
        on_frontier=not better,
        beaten_by=tuple(other.policy for other in better),
        within_noise=bool(better) and all(other.high >= candidate.low for other in better),
        never_snapshots=candidate.never_snapshots,
    )


def _advice(points: Sequence[Point], unit: str) -> str:
    choice = [p for p in points if p.on_frontier and not p.never_snapshots and not p.policy.is_full]
    if not choice:
        return "No K on the frontier takes a snapshot in this session: measure more turns."
    # The knee on logarithmic axes: no other point trades bytes for time at a better rate.
    best = min(choice, key=lambda point: point.total_bytes * point.cost)
    full = next((point for point in points if point.policy.is_full), None)
    slower = f"{best.cost:.2f}x as long as with full snapshots"
    price = slower if unit == "times full" else f"{best.cost * 1000:.1f} ms"
    saving = f" stores {full.total_bytes / best.total_bytes:.1f}x less;" if full else ""
    faster = [point for point in choice if point.cost < best.cost]
    otherwise = (
        f"otherwise take {max(faster, key=lambda point: point.cost).policy.label}"
        if faster
        else "otherwise sweep a smaller K"
    )
    return f"Take {best.policy.label}:{saving} if the slowest resume may take {price}, {otherwise}."
