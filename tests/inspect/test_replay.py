"""The arithmetic of snapshots against a walk from checkpoint to checkpoint."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.inspect import replay as subject
from deltabench.inspect.tracks import Track, Tracks


def tracks(parents: list[int], at: list[int]) -> tuple[Tracks, Track]:
    """A namespace with one channel that is updated in the checkpoints `at`."""
    found = Tracks("t", "", parents=array("q", parents))
    found.is_linear = parents == list(range(-1, len(parents) - 1))
    return found, Track("messages", at=array("q", at))


@given(st.sets(st.integers(0, 39)), st.integers(1, 12))
def test_a_line_is_a_tree_without_forks(at: set[int], k: int) -> None:
    """Both ways give the same snapshots and counters."""
    given_tracks = tracks(list(range(-1, 39)), sorted(at - {39}))
    line = subject._on_a_line(*given_tracks, k)
    tree = subject._in_a_tree(*given_tracks, k, bound=5000)
    assert line.snapshots == tree.snapshots
    assert line.updates.tolist() == tree.updates.tolist()
    assert line.supersteps.tolist() == tree.supersteps.tolist()


def test_langgraphs_bound_snapshots_an_idle_channel() -> None:
    """After 10 supersteps without one, the last value is stored again."""
    found = subject.replay(*tracks(list(range(-1, 25)), [0]), k=50, bound=10)
    assert found.snapshots == [0, 0]
    assert found.supersteps.tolist()[8:12] == [9, 0, 1, 2]


def test_a_fork_counts_on_from_its_own_past() -> None:
    """Two children of checkpoint 2 both have 3 updates before them."""
    found = subject.replay(*tracks([-1, 0, 1, 2, 2], [0, 1, 2, 3, 4]), k=4, bound=5000)
    assert found.snapshots == [3, 4]
    assert found.updates.tolist() == [1, 2, 3, 0, 0]


@pytest.mark.parametrize("parents", [[], [-1]])
def test_no_updates_are_no_snapshots(parents: list[int]) -> None:
    """An empty namespace, and a channel that was never written."""
    assert subject.replay(*tracks(parents, []), k=1, bound=5000).snapshots == []
