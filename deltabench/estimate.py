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
    from deltabench.session.interface import Session

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


def estimate_cell(cell: Cell, workload: Session) -> Estimate:
    """Estimate one cell from the shape of its workload."""
    messages = files = value_bytes = write_bytes = supersteps = 0
    for turn in range(1, cell.turns + 1):
        size = workload.turn_size(turn)
        new_messages = (
            size.message_chars
            + size.messages * _MESSAGE_OVERHEAD_BYTES
            + size.evicted * _EVICTION_PREVIEW_BYTES
        )
        new_files = size.file_chars + size.files * _FILE_OVERHEAD_BYTES
        messages += new_messages
        files += new_files
        write_bytes += new_messages + new_files
        steps = 5 + 2 * size.rounds
        supersteps += steps
        if cell.checkpointer == "sqlite":
            value_bytes += steps * (messages + files)
        else:
            updates = workload.updates_through(turn) - workload.updates_through(turn - 1)
            value_bytes += updates * messages + size.file_updates * files
    state = messages + files
    floor = write_bytes + supersteps * _SUPERSTEP_ROW_BYTES
    frequency = cell.policy.snapshot_frequency
    if frequency is not None:
        updates = workload.updates_through(cell.turns)
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
    workloads: Mapping[str, Session],
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
