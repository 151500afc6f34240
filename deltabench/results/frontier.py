"""Which K is worth choosing: stored bytes against the slowest warm resume.

One K beats another if it stores no more and resumes no slower, and is better in one of
the two. What nothing beats is the frontier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from deltabench.cells import Policy, Value
from deltabench.results.values import Compared, Frontier, Point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.results.values import Column, Figures

# Two identical objects were seen to differ by 3.7 % in paired medians.
_NOISE = 0.05
# The advice trades bytes for time until the slowest resume takes twice the fastest; where
# every K takes longer than that, until it takes a quarter more than with the fastest K.
_BUDGET = 2.0
_HARDLY_SLOWER = 1.25
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
    readable = [
        (column.policy, column.figures, column.figures.reads.worst_warm.seconds)
        for column in columns
        if column.figures and column.figures.reads.worst_warm
    ]
    deltas = [worst for policy, _, worst in readable if not policy.is_full]
    if len(deltas) < _FEWEST_DELTAS:
        return None
    relative = all(worst.ratio for worst in deltas)
    candidates = [
        _candidate(policy, figures, worst, relative=relative)
        for policy, figures, worst in readable
        if relative or not policy.is_full
    ]
    points = tuple(_point(candidate, candidates) for candidate in candidates)
    unit: Literal["times full", "seconds"] = "times full" if relative else "seconds"
    choice = [p for p in points if p.on_frontier and not p.never_snapshots and not p.policy.is_full]
    best = _advised(choice, min(point.cost for point in points))
    return Frontier(
        cost_unit=unit,
        points=points,
        advised=best.policy if best else None,
        advice=_sentence(best, choice, points, unit)
        if best
        else "No K on the frontier takes a snapshot in this session: measure more turns.",
    )


def _candidate(policy: Policy, figures: Figures, worst: Compared, *, relative: bool) -> _Candidate:
    low: float | None
    high: float | None
    if not relative:
        cost, low, high = worst.this.median, worst.this.low, worst.this.high
    elif worst.ratio:
        cost = 1 / worst.ratio.value
        low = 1 / worst.ratio.high if worst.ratio.high else None
        high = 1 / worst.ratio.low if worst.ratio.low else None
    else:  # full itself
        cost, low, high = 1.0, 1.0, 1.0
    return _Candidate(
        policy=policy,
        total_bytes=figures.total_bytes.this,
        cost=cost,
        low=cost * (1 - _NOISE / 2) if low is None else low,
        high=cost * (1 + _NOISE / 2) if high is None else high,
        never_snapshots=figures.never_snapshots,
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


def _advised(choice: Sequence[Point], fastest: float) -> Point | None:
    if not choice:
        return None
    budget = max(_BUDGET * fastest, _HARDLY_SLOWER * min(point.cost for point in choice))
    affordable = [point for point in choice if point.cost <= budget]
    return min(affordable, key=lambda point: point.total_bytes)


def _sentence(best: Point, choice: Sequence[Point], points: Sequence[Point], unit: str) -> str:
    full = next((point for point in points if point.policy.is_full), None)
    gain = f" to store {full.total_bytes / best.total_bytes:.1f}x less" if full else ""
    price = (
        f"{best.cost * 1000:.3g} ms"
        if unit == "seconds"
        else f"{best.cost:.2f}x as long as with full snapshots"
    )
    k = best.policy.snapshot_frequency or 0
    faster = [point for point in choice if point.cost < best.cost]
    if faster:
        label = max(faster, key=lambda point: point.cost).policy.snapshot_frequency
        otherwise = f"K={label}"
    elif full and any((point.policy.snapshot_frequency or k) < k for point in points):
        otherwise = "stay with full snapshots"
    else:
        otherwise = "sweep a smaller K"
    return (
        f"Take {best.policy.label}{gain}, if the slowest resume may take {price}; "
        f"if not, {otherwise}."
    )
