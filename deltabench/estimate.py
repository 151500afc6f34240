"""What a plan will need, estimated before anything runs; never shown as a measurement.

The estimate follows the shape of the workload: a full-snapshot channel stores its whole
value at every update, a delta channel every K-th, and a full SQLite checkpoint holds all
values at every superstep. Constants beside the sizes of the workload are rounded up from
real runs; the lab's tests hold the estimate against them.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from deltabench.cells import Cell
    from deltabench.session.workload import Workload

_MESSAGE_OVERHEAD_BYTES = 350
_FILE_OVERHEAD_BYTES = 250
_EVICTION_PREVIEW_BYTES = 3_000
_SUPERSTEP_ROW_BYTES = 2_000
_PROCESS_BYTES = 220_000_000
_FULL_CHECKPOINTS_KEPT = 55
_STATES_IN_FLIGHT = 12
_DISK_FACTOR = {"sqlite": 1.15, "postgres": 1.3}
_SPARE_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated need of one cell in bytes: what is stored, resident memory, and disk."""

    stored_bytes: int
    memory_bytes: int
    disk_bytes: int


def estimate_cell(cell: Cell, workload: Workload) -> Estimate:
    """Estimate one cell from the shape of its workload."""
    rounds = len(workload.rounds)
    supersteps = 5 + 2 * rounds
    file_updates = sum(any(c.tool == "write_file" for c in r.calls) for r in workload.rounds)
    messages = files = value_bytes = write_bytes = 0
    for turn in range(1, cell.turns + 1):
        new_messages, new_files = _turn_bytes(workload, turn)
        messages += new_messages
        files += new_files
        write_bytes += new_messages + new_files
        if cell.checkpointer == "sqlite":
            value_bytes += supersteps * (messages + files)
        else:
            value_bytes += workload.updates_per_turn * messages + file_updates * files
    state = messages + files
    floor = write_bytes + cell.turns * supersteps * _SUPERSTEP_ROW_BYTES
    frequency = cell.policy.snapshot_frequency
    if frequency is not None:
        updates = cell.turns * workload.updates_per_turn
        value_bytes = value_bytes // frequency if frequency <= updates else 0
    stored = value_bytes + floor
    memory = _PROCESS_BYTES + _STATES_IN_FLIGHT * state
    if cell.checkpointer not in _DISK_FACTOR:
        kept = _FULL_CHECKPOINTS_KEPT + len(cell.positions)
        releases = cell.policy.is_full and cell.checkpointer == "memory"
        memory += min(stored, kept * state + floor) if releases else stored
    disk = int(stored * _DISK_FACTOR.get(cell.checkpointer, 0))
    return Estimate(stored_bytes=stored, memory_bytes=memory, disk_bytes=disk)


def refuse_beyond_means(
    cells: Iterable[Cell],
    workloads: Mapping[str, Workload],
    *,
    available_memory_bytes: int | None = None,
    free_disk_bytes: int | None = None,
) -> None:
    """Refuse a plan whose hungriest cell does not fit into memory or disk.

    Cells run one at a time and clean up after themselves, so the largest one decides.
    The available sizes are looked up unless given. Raises DeltabenchError, exit code
    REFUSED, with the figure.
    """
    import psutil

    if available_memory_bytes is None:
        available_memory_bytes = psutil.virtual_memory().available
    if free_disk_bytes is None:
        free_disk_bytes = shutil.disk_usage(tempfile.gettempdir()).free
    for cell in cells:
        need = estimate_cell(cell, workloads[cell.workload])
        for what, needed, available in (
            ("memory", need.memory_bytes, available_memory_bytes),
            ("disk", need.disk_bytes, free_disk_bytes),
        ):
            if needed > available * _SPARE_SHARE:
                raise DeltabenchError(
                    f"{cell.label} would need about {needed / 1e9:.1f} GB of {what} "
                    f"(estimated), {available / 1e9:.1f} GB are free",
                    hint="fewer turns, or --force to try all the same",
                    exit_code=ExitCode.REFUSED,
                )


def _turn_bytes(workload: Workload, turn: int) -> tuple[int, int]:
    messages = workload.user_chars + workload.answer_chars + 2 * _MESSAGE_OVERHEAD_BYTES
    files = 0
    for round_ in workload.rounds:
        messages += round_.text_chars + _MESSAGE_OVERHEAD_BYTES
        for call in round_.calls:
            messages += 2 * _MESSAGE_OVERHEAD_BYTES
            if call.tool == "write_file":
                messages += call.chars
                files += call.chars + _FILE_OVERHEAD_BYTES
            elif call.tool == "search":
                result = call.result_chars(turn)
                if call.writes_a_file(turn):
                    files += result + _FILE_OVERHEAD_BYTES
                    result = _EVICTION_PREVIEW_BYTES
                messages += result
            else:
                messages += max(c.chars for r in workload.rounds for c in r.calls)
    return messages, files
