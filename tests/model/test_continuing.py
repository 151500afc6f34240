"""What repeats is continued without error; what is cut is as if it had ended there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.errors import DeltabenchError
from deltabench.model.continuing import continued
from deltabench.model.curves import delta_curve, full_curve
from tests.model.synthetic import series_of

PATTERNS = st.lists(st.lists(st.integers(50, 900), min_size=1, max_size=3), min_size=1, max_size=4)


@given(PATTERNS, st.integers(1, 30), st.integers(1, 9), st.sampled_from(["memory", "sqlite"]))
def test_a_pattern_of_turns_is_continued_exactly(
    pattern: list[list[int]], beyond: int, frequency: int, checkpointer: str
) -> None:
    """Of a known period three are enough to foretell every turn after, under full and any K."""
    recorded = 3 * len(pattern) + 1
    turns = recorded + beyond
    growth = [pattern[turn % len(pattern)] for turn in range(turns)]
    real = series_of(growth, checkpointer=checkpointer)
    short = series_of(growth[:recorded], checkpointer=checkpointer)
    found = continued(short, turns, len(pattern))
    assert found.series.estimated
    for told, true in (
        (full_curve(found.series), full_curve(real)),
        (delta_curve(found.series, frequency), delta_curve(real, frequency)),
    ):
        # Means of whole bytes are rounded, once a turn at most.
        assert told.tolist() == pytest.approx(true.tolist(), rel=0, abs=2 * turns)


@given(PATTERNS, st.integers(1, 12))
def test_a_series_is_cut_as_if_it_had_ended(pattern: list[list[int]], turns: int) -> None:
    """A shorter length than recorded is exact and no estimate."""
    growth = [pattern[turn % len(pattern)] for turn in range(12)]
    found = continued(series_of(growth), turns).series
    assert not found.estimated
    assert delta_curve(found, 2).tolist() == delta_curve(series_of(growth[:turns]), 2).tolist()


@given(PATTERNS, st.integers(1, 30))
def test_a_pattern_whose_period_is_looked_for_is_hardly_missed(
    pattern: list[list[int]], beyond: int
) -> None:
    """A shorter period is believed only where it tells nearly the same."""
    recorded = 3 * len(pattern) + 1
    growth = [pattern[turn % len(pattern)] for turn in range(recorded + beyond)]
    told = full_curve(continued(series_of(growth[:recorded]), recorded + beyond).series)
    assert told[-1] == pytest.approx(full_curve(series_of(growth))[-1], rel=0.02)


def test_the_period_of_large_results_is_found() -> None:
    """Every third turn brings more: the period is three turns, although sizes wander."""
    growth = [[200 + turn % 2, 5_000 if turn % 3 == 2 else 300] for turn in range(14)]
    assert continued(series_of(growth), 100).period_turns == 3


def test_too_few_turns_are_not_continued() -> None:
    """Three turns show no growth."""
    with pytest.raises(DeltabenchError, match="3 turns of a pattern are too few to continue"):
        continued(series_of([[1], [1], [1]]), 10)
