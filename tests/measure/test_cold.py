"""Cold reads: the database is opened and the agent built again before the one read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from deltabench.cells import Policy, ReadPosition
from deltabench.checkpointers.registry import backend_named
from deltabench.lab.job import ColdJob
from deltabench.measure.cold import read_cold
from tests.fakes import fake_cell
from tests.subject.short_session import FULL, delta, drive, small_workload

if TYPE_CHECKING:
    from collections.abc import Iterator

POSITION = ReadPosition(update=7, snapshot_frequency=4, phase="before_snapshot")


def _job(name: str, policy: Policy, checkpoint_id: str) -> ColdJob:
    cell = fake_cell(policy.snapshot_frequency, checkpointer=name)
    return ColdJob(
        cell=cell,
        workload=small_workload(),
        position=POSITION,
        checkpoint_id=checkpoint_id,
        updates_since_snapshot=3,
        supersteps_since_snapshot=5,
    )


@contextmanager
def _written(monkeypatch: pytest.MonkeyPatch, name: str, policy: Policy) -> Iterator[ColdJob]:
    """Drive a session and close its saver again, as a process that has ended."""
    backend = backend_named(name)
    with backend.prepare() as environment:
        for variable, value in environment.items():
            monkeypatch.setenv(variable, value)
        with backend.open() as opened:
            driven = drive(opened.saver, policy, turns=2, wanted=(POSITION.update,))
        yield _job(name, policy, driven.tracker.places[POSITION.update].checkpoint_id)


@pytest.mark.parametrize("policy", [FULL, delta(4)], ids=lambda policy: policy.label)
def test_one_read_of_a_thread_that_was_written_before(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is one sample, with what came before it apart, and the round trips of that read."""
    with _written(monkeypatch, "sqlite", policy) as job:
        read = read_cold(job)
    assert read is not None
    assert (read.what, read.position) == ("resume_cold", POSITION)
    assert (read.updates_since_snapshot, read.supersteps_since_snapshot) == (3, 5)
    assert len(read.seconds) == len(read.open_seconds) == 1
    assert read.seconds[0] > 0
    assert read.open_seconds[0] > 0
    assert read.round_trips.calls["get_tuple"] == 1
    assert ("get_delta_channel_history" in read.round_trips.calls) is not policy.is_full
    assert read.round_trips.statements is not None
    assert read.round_trips.statements >= 2


def test_round_trips_repeat_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second cold read of the same place makes the same calls and statements."""
    with _written(monkeypatch, "sqlite", delta(4)) as job:
        first, second = read_cold(job), read_cold(job)
    assert first is not None
    assert second is not None
    assert first.round_trips == second.round_trips


def test_a_checkpoint_that_is_not_there_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that the database does not hold is no read of an empty state."""
    with _written(monkeypatch, "sqlite", FULL) as job:
        missing = job.model_copy(update={"checkpoint_id": "1f000000-0000-6000-8000-000000000000"})
        assert read_cold(missing) is None


def test_memory_does_not_outlive_its_saver(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lay in a memory that is gone gives nothing, rather than a quick read."""
    with _written(monkeypatch, "memory", delta(4)) as job:
        assert read_cold(job) is None
