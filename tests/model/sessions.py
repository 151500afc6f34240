"""Short sessions in this process: run under one K, or recorded."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from deltabench.cells import Cell, Policy
from deltabench.checkpointers.registry import backend_named
from deltabench.measure.metering import Meter, meter_saver
from deltabench.measure.session import drive
from deltabench.measure.tracking import Tracker
from deltabench.model.attach import attach, recorded_series
from deltabench.plan import RECORDING_FREQUENCY
from deltabench.session.workload import Call, Round, Workload
from deltabench.subject.agent import build_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from deltabench.cells import Durability, StoredBytes
    from deltabench.checkpointers.interface import OpenCheckpointer
    from deltabench.model.series import Series
    from deltabench.subject.interface import Subject

SMALL = Workload(
    name="small",
    title="a file each turn, a search that is moved to a file every third",
    turns=6,
    user_chars=40,
    answer_chars=90,
    rounds=(
        Round(
            calls=(
                Call(tool="write_file", chars=300),
                Call(tool="search", chars=120, large_chars=80_400, large_every=3),
            )
        ),
    ),
)


def cell_of(  # noqa: PLR0913 - one argument per axis
    workload: Workload,
    turns: int,
    checkpointer: str,
    k: int | None,
    *,
    records: bool,
    durability: Durability = "async",
) -> Cell:
    """A cell that counts after every turn and reads nothing."""
    return Cell(
        workload=workload.name,
        workload_digest=workload.digest,
        turns=turns,
        policy=Policy(snapshot_frequency=k),
        checkpointer=checkpointer,
        durability=durability,
        seed=0,
        repeat=0,
        marks=tuple(range(1, turns + 1)),
        positions=(),
        read_samples=1,
        cold_samples=0,
        records=records,
    )


@contextmanager
def opened(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenCheckpointer]:
    """Prepare and open a backend in this process."""
    backend = backend_named(name)
    with backend.prepare() as place:
        for variable, value in place.items():
            monkeypatch.setenv(variable, value)
        with backend.open() as checkpointer:
            yield checkpointer


def run(  # noqa: PLR0913 - one argument per axis
    workload: Workload,
    turns: int,
    checkpointer: str,
    k: int | None,
    monkeypatch: pytest.MonkeyPatch,
    *,
    durability: Durability = "async",
) -> tuple[StoredBytes, ...]:
    """What a real session under K (None: full snapshots) holds after each turn."""
    cell = cell_of(workload, turns, checkpointer, k, records=False, durability=durability)
    with opened(checkpointer, monkeypatch) as store:
        storage, _ = _session(workload, cell, store)
        return storage


def record(
    workload: Workload, turns: int, checkpointer: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[tuple[StoredBytes, ...], Series]:
    """The same session recorded: what it held after each turn, and its series."""
    cell = cell_of(workload, turns, checkpointer, RECORDING_FREQUENCY, records=True)
    with opened(checkpointer, monkeypatch) as store:
        storage, series = _session(workload, cell, store)
        assert series is not None
        return storage, series


def _session(
    workload: Workload, cell: Cell, store: OpenCheckpointer
) -> tuple[tuple[StoredBytes, ...], Any]:
    meter = Meter()
    dumps = store.saver.serde.dumps_typed
    meter_saver(store.saver, meter)
    subject: Subject = build_subject(workload, cell.seed, cell.policy, store.saver)
    tracker = Tracker(
        channels=frozenset(channel.name for channel in subject.channels),
        wanted=(),
        durability=cell.durability,
        updates_through=workload.updates_through,
        keep=store.keep,
    )
    meter.after_put = tracker.after_put
    recorder = None
    if cell.records:
        subject, recorder = attach(subject, cell, meter, tracker, dumps)
    random.seed(cell.seed)
    session = drive(subject, cell, store, tracker, lambda _: None)
    series = recorded_series(cell, recorder, session.storage) if recorder else None
    return session.storage, series
