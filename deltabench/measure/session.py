"""Drives one session and measures it: storage at turn marks, turn latency, round trips."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.cells import Cell, StoredBytes
    from deltabench.checkpointers.interface import OpenCheckpointer
    from deltabench.measure.tracking import Tracker
    from deltabench.subject.interface import Subject


@dataclass(frozen=True, slots=True)
class Session:
    """What driving the turns of a cell gave, apart from what is read afterwards."""

    storage: tuple[StoredBytes, ...]
    turn_seconds: tuple[float, ...]
    session_seconds: float
    session_cpu_seconds: float
    live: dict[str, Any]


def drive(
    subject: Subject,
    cell: Cell,
    opened: OpenCheckpointer,
    tracker: Tracker,
    progress: Callable[[int], None],
) -> Session:
    """Run every turn of the cell; `progress` is told each turn.

    The clock of a turn holds `invoke` alone, which returns when its writes are done.
    """
    marks = frozenset(cell.marks) | {cell.turns}
    storage: list[StoredBytes] = []
    turn_seconds: list[float] = []
    live: dict[str, Any] = {}
    session_start_ns, cpu_start_ns = time.perf_counter_ns(), time.process_time_ns()
    for turn in range(1, cell.turns + 1):
        tracker.turn = turn
        live = {}  # the state of the turn before must not burden this one
        start_ns = time.perf_counter_ns()
        live = subject.turn(turn, cell.durability)
        turn_seconds.append((time.perf_counter_ns() - start_ns) / 1e9)
        if turn in marks:
            storage.append(_count(opened, turn))
        progress(turn)
        if turn == middle_turn(cell.turns):
            tracker.mark_middle()
    return Session(
        storage=tuple(storage),
        turn_seconds=tuple(turn_seconds),
        session_seconds=(time.perf_counter_ns() - session_start_ns) / 1e9,
        session_cpu_seconds=(time.process_time_ns() - cpu_start_ns) / 1e9,
        live=live,
    )


def _count(opened: OpenCheckpointer, turn: int) -> StoredBytes:
    # Counting makes thousands of short-lived objects, which would set off a collection of
    # the session's heap that the session itself would not have had.
    gc.disable()
    try:
        return opened.count(turn)
    finally:
        gc.enable()


def middle_turn(turns: int) -> int:
    """The turn after which time travel goes back to, in a session of `turns`."""
    return max(1, turns // 2)
