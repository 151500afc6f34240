"""Tests of the frontier: what beats what, and the advice that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from deltabench.cells import Policy
from deltabench.results.frontier import _advised, _Candidate, _point
from deltabench.results.summary import summarize
from tests.fakes import fake_results, replace_measured

if TYPE_CHECKING:
    from deltabench.results.values import Frontier


def _frontier(ks: tuple[int, ...], *, full: bool = True, repeats: int = 1) -> Frontier:
    frontier = summarize(fake_results(ks=ks, full=full, repeats=repeats)).groups[0].frontier
    assert frontier
    return frontier


def _candidate(k: int, total_bytes: int, cost: float, spread: float = 0.0) -> _Candidate:
    return _Candidate(
        policy=Policy(snapshot_frequency=k),
        total_bytes=total_bytes,
        cost=cost,
        low=cost - spread,
        high=cost + spread,
        never_snapshots=False,
    )


def test_one_k_has_no_frontier() -> None:
    """There is nothing to choose between."""
    assert summarize(fake_results()).groups[0].frontier is None


def test_advice_names_the_saving_the_price_and_the_way_out() -> None:
    """One sentence: what to take, on which condition, and what otherwise."""
    frontier = _frontier((10, 50, 1000))
    assert frontier.advised == Policy(snapshot_frequency=50)
    assert frontier.advice == (
        "Take K=50 to store 45.9x less, if the slowest resume may take 1.32x as long as with "
        "full snapshots; if not, K=10."
    )


def test_where_every_k_is_dear_one_that_is_hardly_slower_may_store_less() -> None:
    """A budget that no K keeps does not make the smallest K the best one."""
    costs = {10: 2.47, 50: 2.61, 1000: 3.2}
    sizes = {10: 56_000_000, 50: 16_000_000, 1000: 6_000_000}
    candidates = [_candidate(k, sizes[k], cost) for k, cost in costs.items()]
    best = _advised([_point(candidate, candidates) for candidate in candidates], 1.0)
    assert best
    assert best.policy == Policy(snapshot_frequency=50)


def test_where_every_smaller_k_is_beaten_the_way_out_is_full() -> None:
    """Nobody is sent to a K that was measured and found worse on both counts."""
    results = fake_results(ks=(5, 50))
    row = results.rows[1]
    assert row.measurement
    reads = tuple(
        read.model_copy(update={"seconds": (1.0,)}) if read.what == "resume_warm" else read
        for read in row.measurement.reads
    )
    frontier = summarize(replace_measured(results, 1, reads=reads)).groups[0].frontier
    assert frontier
    assert frontier.advised == Policy(snapshot_frequency=50)
    assert frontier.advice.endswith("if not, stay with full snapshots.")


def test_a_k_that_never_snapshots_is_not_advised() -> None:
    """Its figures say nothing about a longer session."""
    frontier = _frontier((4000, 5000))
    assert frontier.advised is None
    assert "measure more turns" in frontier.advice


def test_without_full_the_cost_is_in_seconds() -> None:
    """There is nothing to take a ratio to."""
    frontier = _frontier((10, 50), full=False)
    assert frontier.cost_unit == "seconds"
    assert "ms; if not" in frontier.advice
    assert "less" not in frontier.advice


points = st.lists(
    st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=1, max_size=12, unique=True
)


@given(points)
def test_what_is_beaten_is_beaten_by_something_on_the_frontier(
    places: list[tuple[int, int]],
) -> None:
    """The frontier is never empty, nothing on it is beaten, all else is beaten from it."""
    candidates = [_candidate(k, size, cost) for k, (size, cost) in enumerate(places, start=1)]
    found = [_point(candidate, candidates) for candidate in candidates]
    best = {point.policy for point in found if point.on_frontier}
    assert best
    for point in found:
        assert point.on_frontier == (not point.beaten_by)
        assert point.on_frontier or best & set(point.beaten_by)


def test_a_difference_within_the_noise_is_told() -> None:
    """Fewer bytes and a hair faster beats, but with a doubt that is shown."""
    close = [_candidate(10, 100, 1.02, 0.05), _candidate(50, 50, 1.01, 0.05)]
    assert _point(close[0], close).within_noise
    clear = [_candidate(10, 100, 1.50, 0.05), _candidate(50, 50, 1.01, 0.05)]
    assert not _point(clear[0], clear).within_noise
