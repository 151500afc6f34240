"""Lets a cell record: hangs a recorder on its session, and takes the series off it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.model.cadence import superstep_bound
from deltabench.model.derive import effects
from deltabench.model.recording import Recorder, watched
from deltabench.model.series import FixedBytes, Series
from deltabench.plan import RECORDING_FREQUENCY

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from deltabench.cells import Cell, StoredBytes
    from deltabench.measure.metering import Meter
    from deltabench.measure.tracking import Tracker
    from deltabench.subject.interface import Subject


def attach(
    subject: Subject,
    cell: Cell,
    meter: Meter,
    tracker: Tracker,
    dumps: Callable[[Any], tuple[str, bytes]],
) -> tuple[Subject, Recorder]:
    """Record a session from here on; gives the subject to drive it with.

    `dumps` is the serializer as it was before it was metered.
    """
    recorder = Recorder(
        checkpointer=cell.checkpointer,
        dumps=dumps,
        channels=frozenset(channel.name for channel in subject.channels),
        turn=lambda: tracker.turn,
    )

    def after_put(*arguments: Any) -> None:
        tracker.after_put(*arguments)
        recorder.after_put(*arguments)

    meter.after_put = after_put
    meter.after_put_writes = recorder.after_put_writes
    return replace(subject, graph=watched(subject.graph, recorder)), recorder


def recorded_series(cell: Cell, recorder: Recorder, storage: tuple[StoredBytes, ...]) -> Series:
    """The series of a session that has ended, with what it stored at each mark.

    Raises DeltabenchError, CELL_FAILED, if the snapshots that the checkpointer holds do not
    have the size that the live values had.
    """
    draft = Series(
        source=f"workload {cell.workload}",
        checkpointer=cell.checkpointer,
        durability=cell.durability,
        superstep_bound=superstep_bound(),
        lanes=recorder.lanes(),
        fixed=(FixedBytes(turn=cell.turns, size_bytes=0),),
    )
    own = effects(draft, RECORDING_FREQUENCY, tuple(stored.turn for stored in storage))
    for stored, effect in zip(storage, own, strict=True):
        held = {(c.namespace, c.channel): c.value_bytes for c in stored.channels}
        for key, size_bytes in effect.value_bytes.items():
            if held.get(key) != size_bytes:
                raise DeltabenchError(
                    f"no other K can be derived: after turn {stored.turn} the snapshots of "
                    f"{key[1]} take {held.get(key, 0):,} bytes, not the {size_bytes:,} expected",
                    hint="sweep without --exact measures each K",
                    exit_code=ExitCode.CELL_FAILED,
                )
    fixed = tuple(
        FixedBytes(turn=stored.turn, size_bytes=stored.total_bytes - effect.total_bytes)
        for stored, effect in zip(storage, own, strict=True)
    )
    return draft.model_copy(update={"fixed": fixed})
