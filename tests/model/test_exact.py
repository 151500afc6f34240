"""Derived bytes are those of real runs: no byte of difference, by table and by channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deltabench.model.derive import depth, derived_storage, effects
from deltabench.plan import RECORDING_FREQUENCY
from tests.model.sessions import SMALL, record, run

if TYPE_CHECKING:
    from deltabench.cells import StoredBytes

TURNS = 6
UPDATES = TURNS * SMALL.updates_per_turn
# Among them every update, one that no update is beyond, and those around the last update.
FREQUENCIES = (1, 2, 3, 4, 5, 7, 11, UPDATES - 1, UPDATES, UPDATES + 1)


def _derived(storage: tuple[StoredBytes, ...], series: object, frequency: int) -> list[StoredBytes]:
    turns = tuple(stored.turn for stored in storage)
    own = effects(series, frequency, turns)  # type: ignore[arg-type]
    its = effects(series, RECORDING_FREQUENCY, turns)  # type: ignore[arg-type]
    return [derived_storage(*each) for each in zip(storage, own, its, strict=True)]


@pytest.mark.oldest
@pytest.mark.parametrize("checkpointer", ["memory", "sqlite", "postgres"])
def test_derived_bytes_are_those_of_a_real_run(
    checkpointer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every turn: rows, values, writes, keys, the largest value, and every channel."""
    storage, series = record(SMALL, TURNS, checkpointer, monkeypatch)
    for frequency in FREQUENCIES:
        real = run(SMALL, TURNS, checkpointer, frequency, monkeypatch)
        assert list(real) == _derived(storage, series, frequency), f"K={frequency}"
    assert {channel.channel for _, channel in series.channels()} == {"files", "messages"}


def test_the_replay_depth_is_that_of_the_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of the thread: updates and supersteps since the last snapshot."""
    _, series = record(SMALL, TURNS, "memory", monkeypatch)
    checkpoints = len(series.lanes[0].turns)
    assert depth(series, RECORDING_FREQUENCY) == (UPDATES, checkpoints)
    updates, supersteps = depth(series, 5)
    assert updates == max(len(channel.checkpoints) % 5 for _, channel in series.channels())
    assert updates < supersteps < checkpoints


def test_write_bytes_are_those_that_the_checkpointer_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By channel, the writes of all updates together are the pending writes counted."""
    storage, series = record(SMALL, TURNS, "memory", monkeypatch)
    counted = {c.channel: c.write_bytes for c in storage[-1].channels}
    for _, channel in series.channels():
        assert sum(channel.write_bytes) == counted[channel.channel]
