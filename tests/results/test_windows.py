"""Windows of turns: every turn once, pooled over the repeats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.results.windows import MOST_WINDOWS, turn_windows


def test_windows_pool_the_repeats() -> None:
    """Forty-two turns make nine windows of five, with the samples of both repeats."""
    windows = turn_windows([[float(turn) for turn in range(42)], [100.0] * 42])
    assert len(windows) == 9
    assert (windows[0].first_turn, windows[0].last_turn, windows[0].samples) == (1, 5, 10)
    assert windows[0].median_seconds == 52
    assert (windows[-1].first_turn, windows[-1].last_turn, windows[-1].samples) == (41, 42, 4)


@pytest.mark.parametrize(("turns", "windows"), [(1, 1), (3, 3), (10, 5), (20, 4), (500, 20)])
def test_long_and_short_sessions_have_windows(turns: int, windows: int) -> None:
    """Never more than twenty, and a few even where each has few turns."""
    assert len(turn_windows([[1.0] * turns])) == windows


def test_no_turns_give_no_windows() -> None:
    """Nothing is divided by zero."""
    assert turn_windows([]) == ()
    assert turn_windows([[]]) == ()


@given(st.integers(min_value=1, max_value=700), st.integers(min_value=1, max_value=3))
def test_every_turn_is_in_exactly_one_window(turns: int, repeats: int) -> None:
    """However long the session, windows follow one another and are at most twenty."""
    windows = turn_windows([[0.5] * turns] * repeats)
    covered = [turn for w in windows for turn in range(w.first_turn, w.last_turn + 1)]
    assert covered == list(range(1, turns + 1))
    assert len(windows) <= MOST_WINDOWS
    assert sum(window.samples for window in windows) == turns * repeats
    assert all(w.p5_seconds <= w.median_seconds <= w.p95_seconds for w in windows)
