"""Measures one cell in this process: the session first, then the reads of its thread."""

from __future__ import annotations

import gc
import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.memory import InMemorySaver

from deltabench.cells import Cell, Failure, Measurement, Read, ReadPosition, StateDigest
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.lab.job import NO_MEMORY_YET, ColdPlace, Event, Job
from deltabench.measure.metering import Meter, meter_saver, round_trips
from deltabench.measure.reads import HISTORY_PAGES, Reader
from deltabench.measure.session import Session, drive
from deltabench.measure.state import digest_state, same_content
from deltabench.measure.tracking import Place, Tracker
from deltabench.model.attach import attach, recorded_series
from deltabench.session.graph_session import GraphSession
from deltabench.subject.build import build

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.checkpointers.interface import OpenCheckpointer
    from deltabench.subject.interface import Subject

WARM_UP_TURNS = 2
PROGRESS_SECONDS = 0.25
# Newest checkpoints that stay readable in a full cell: the longest history page.
NEWEST_KEPT = max(limit for _, limit in HISTORY_PAGES) + 1


class CellFailedError(Exception):
    """The cell has no result; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class _TurnProgress:
    """Sends a sign of life after a turn, but not so often that it would cost anything."""

    def __init__(self, meter: Meter, send: Callable[[Event], None]) -> None:
        self._meter = meter
        self._send = send
        self._next_seconds = 0.0

    def __call__(self, turn: int) -> None:
        now_seconds = time.monotonic()
        if now_seconds >= self._next_seconds:
            self._next_seconds = now_seconds + PROGRESS_SECONDS
            self._send(Event(kind="turn", turn=turn, written_bytes=self._meter.dumped_bytes()))


def measure_cell(job: Job, opened: OpenCheckpointer, send: Callable[[Event], None]) -> None:
    """Measure a cell on an open checkpointer and send what was found."""
    cell = job.cell
    warm_up(job)
    saver_class = _own_class(opened.saver)
    meter = Meter()
    plain_dumps = opened.saver.serde.dumps_typed
    meter_saver(opened.saver, meter)
    subject = _build(job, opened)
    if cell.policy.is_full:
        opened.keep_newest(NEWEST_KEPT)
    tracker = Tracker(
        channels=frozenset(channel.name for channel in subject.channels),
        wanted=frozenset(position.update for position in cell.positions),
        durability=cell.durability,
        updates_through=job.workload.updates_through,
        keep=opened.keep,
        driving=job.workload.driving_channel,
    )
    meter.after_put = tracker.after_put
    driven, recorder = subject, None
    if cell.records:
        driven, recorder = attach(subject, cell, meter, tracker, plain_dumps)
    statements = opened.statements()
    gc.collect()
    gc.freeze()
    send(Event(kind="baseline"))
    # Channel versions contain a random fraction of varying length, so stored bytes repeat
    # only from a seeded start.
    random.seed(cell.seed)
    session = drive(driven, cell, opened, tracker, _TurnProgress(meter, send))
    serializer = meter.serializer()
    trips = round_trips(Counter(), meter.calls(), (statements, opened.statements()))
    meter.after_put = meter.after_put_writes = None
    _check_evidence(cell, subject, tracker)

    def progress() -> None:
        send(Event(kind="reading", turn=cell.turns, written_bytes=meter.dumped_bytes()))

    places = _places(cell, tracker)
    reader = Reader(lambda: _build(job, opened), opened, meter, cell.read_samples, progress)
    reads = _warm_reads(reader, places, tracker) if places else []
    measurement = Measurement(
        channels=subject.channels,
        storage=session.storage,
        physical_bytes=opened.physical_bytes(),
        updates=dict(sorted(tracker.updates.items())),
        snapshots=dict(sorted(tracker.snapshots.items())),
        supersteps=tracker.checkpoints,
        serializer=serializer,
        session_seconds=session.session_seconds,
        session_cpu_seconds=session.session_cpu_seconds,
        turn_seconds=session.turn_seconds,
        session_round_trips=trips,
        reads=tuple(reads),
        memory=NO_MEMORY_YET,
        state=_state(job, opened, session),
        saver_class=saver_class,
        notes=_notes(cell, places, tracker.driving),
        series=recorded_series(cell, recorder, session.storage) if recorder else None,
    )
    send(Event(kind="measured", measurement=measurement, cold_places=_cold_places(cell, places)))


def _own_class(saver: object) -> str:
    """The class that somebody else wrote, below what deltabench adds to it."""
    return next(
        c.__name__ for c in type(saver).__mro__ if not c.__module__.startswith("deltabench")
    )


def _build(job: Job, opened: OpenCheckpointer) -> Subject:
    return build(job.workload, job.cell.seed, job.cell.policy, opened.saver)


def warm_up(job: Job) -> None:
    """Run a thread that is thrown away, so that first-use costs fall outside the session."""
    subject = build(job.workload, job.cell.seed, job.cell.policy, InMemorySaver())
    for turn in range(1, job.workload.at_most(WARM_UP_TURNS) + 1):
        subject.turn(turn, job.cell.durability, thread_id="warm-up")
    subject.graph.get_state(subject.config("warm-up"))


def _check_evidence(cell: Cell, subject: Subject, tracker: Tracker) -> None:
    """Hold what was stored against the policy that was asked for."""
    if cell.policy.is_full and tracker.snapshots:
        raise DeltabenchError(
            f"a full-snapshot cell stored deltas of {', '.join(tracker.snapshots)}",
            hint="a graph inside the agent kept its delta channels",
            exit_code=ExitCode.CELL_FAILED,
        )
    unwritten = [c.name for c in subject.channels if not tracker.updates[c.name]]
    if tracker.driving in unwritten:
        raise DeltabenchError(
            f"channel {tracker.driving} was never written", exit_code=ExitCode.CELL_FAILED
        )


def _places(cell: Cell, tracker: Tracker) -> list[tuple[ReadPosition, Place]]:
    places = []
    for position in cell.positions:
        if position.snapshot_frequency not in {None, cell.policy.snapshot_frequency} and (
            not cell.policy.is_full
        ):
            continue  # chosen for the period of another K
        place = tracker.newest if position.phase == "end" else tracker.places.get(position.update)
        if place is not None:
            places.append((position, place))
    return places


def _warm_reads(
    reader: Reader, places: list[tuple[ReadPosition, Place]], tracker: Tracker
) -> list[Read]:
    reads = [reader.resume(position, place) for position, place in places]
    if tracker.newest is not None:
        reads += [reader.history(what, limit, tracker.newest) for what, limit in HISTORY_PAGES]
    if tracker.middle is not None:
        reads.append(reader.time_travel(tracker.middle))
    return reads


def _state(job: Job, opened: OpenCheckpointer, session: Session) -> StateDigest:
    reads = []
    for _ in range(2):
        subject = _build(job, opened)
        reads.append(subject.graph.get_state(subject.config()).values)
    if isinstance(job.workload, GraphSession):
        return _graph_state(session.live, reads)
    if not same_content(session.live, reads[0]):
        reason = "the state read back differs from the one that invoke returned"
        raise CellFailedError(Failure(kind="differs", reason=reason))
    return digest_state(session.live, reads)


def _graph_state(live: dict[str, Any], reads: list[Any]) -> StateDigest:
    from deltabench.measure.values import digest_values, unlike
    from deltabench.subject.graph_subject import as_values

    values = [as_values(read) for read in reads]
    channel = unlike(live, values[0])
    if channel is not None:
        reason = f"channel {channel} read back differs from what invoke returned"
        raise CellFailedError(Failure(kind="differs", reason=reason))
    return digest_values(live, values)


def _notes(cell: Cell, places: list[tuple[ReadPosition, Place]], driving: str) -> tuple[str, ...]:
    notes = []
    reached = {position.update for position, _ in places}
    for position in cell.positions:
        own = position.snapshot_frequency in {None, cell.policy.snapshot_frequency}
        if (own or cell.policy.is_full) and position.update not in reached:
            notes.append(f"update {position.update} of {driving} was never reached")
    for position, place in places:
        if cell.policy.snapshot_frequency != position.snapshot_frequency:
            continue
        if position.phase == "after_snapshot" and place.updates_since_snapshot:
            depth = place.updates_since_snapshot
            notes.append(f"{depth} updates lie between snapshot and update {position.update}")
    return tuple(dict.fromkeys(notes))


def _cold_places(cell: Cell, places: list[tuple[ReadPosition, Place]]) -> tuple[ColdPlace, ...]:
    if not cell.cold_samples:
        return ()
    return tuple(
        ColdPlace(
            position=position,
            checkpoint_id=place.checkpoint_id,
            updates_since_snapshot=place.updates_since_snapshot,
            supersteps_since_snapshot=place.supersteps_since_snapshot,
        )
        for position, place in places
    )
