"""From a matrix of workloads, turns, checkpointers and K to an ordered list of cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from deltabench.cells import Cell, Durability, Policy, ReadPosition
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.session.workload import Workload

# Deep Agents' own choice is read from the installed library by the lab's readback; this
# is what the published figures used, and what is measured when no K is named.
DEFAULT_K = 50
DEFAULT_SWEEP = (1, 2, 5, 10, 25, 50, 100, 250, 1000)
WARM_SAMPLES = 9


@dataclass(frozen=True, slots=True)
class Matrix:
    """What a command asks for; every combination becomes cells."""

    workloads: tuple[Workload, ...]
    turns: tuple[int, ...]  # empty: each workload's own number
    frequencies: tuple[int, ...]
    checkpointers: tuple[str, ...] = ("memory",)
    durability: Durability = "async"
    repeats: int = 1
    seed: int = 0
    cold_samples: int = 1


def plan_cells(matrix: Matrix) -> tuple[Cell, ...]:
    """Order the cells of a matrix: one full cell serves every K of its group.

    Repeats of a group lie one after the other, forwards and backwards in turn, so that a
    machine that drifts does not favour one policy. Raises DeltabenchError for a K or a
    number of turns or repeats that is not positive, or that is named twice.
    """
    _check("K", matrix.frequencies)
    _check("turns", matrix.turns)
    if not matrix.frequencies:
        raise DeltabenchError("no K was named", hint="for example --k 10,50,1000")
    if matrix.repeats < 1:
        raise DeltabenchError(f"repeat must be a positive number, not {matrix.repeats}")
    cells: list[Cell] = []
    policies = [Policy(), *(Policy(snapshot_frequency=k) for k in matrix.frequencies)]
    for workload, checkpointer in product(matrix.workloads, matrix.checkpointers):
        for turns in matrix.turns or (workload.turns,):
            positions = read_positions(workload, turns, matrix.frequencies, matrix.durability)
            for repeat in range(matrix.repeats):
                order = policies if repeat % 2 == 0 else policies[::-1]
                cells.extend(
                    Cell(
                        workload=workload.name,
                        workload_digest=workload.digest,
                        turns=turns,
                        policy=policy,
                        checkpointer=checkpointer,
                        durability=matrix.durability,
                        seed=matrix.seed,
                        repeat=repeat,
                        marks=turn_marks(turns),
                        positions=positions,
                        read_samples=WARM_SAMPLES,
                        cold_samples=matrix.cold_samples,
                    )
                    for policy in order
                )
    return tuple(cells)


def turn_marks(turns: int) -> tuple[int, ...]:
    """Turns after which storage is counted: 1, 2, 5, 10, 20, 50, ... and the last."""
    marks = []
    decade = 1
    while decade <= turns:
        marks += [decade * step for step in (1, 2, 5) if decade * step < turns]
        decade *= 10
    return (*marks, turns)


def read_positions(
    workload: Workload, turns: int, frequencies: Sequence[int], durability: Durability
) -> tuple[ReadPosition, ...]:
    """The places in the thread where resuming is timed, the same for every policy.

    For each K: right at the last snapshot of `messages`, half a period earlier, and the
    update just before that snapshot. Then the deepest place: just before the last
    snapshot of `files`, which is updated less and so has the longest chain. A K that is
    never reached has the end of the thread, which stands for every policy.

    With durability `exit` there is one checkpoint a turn, so places are ends of turns.
    """
    file_updates = list(workload.file_updates(turns))
    step = workload.updates_per_turn if durability == "exit" else 1
    end = turns * workload.updates_per_turn
    positions = []
    for frequency in frequencies:
        period = -(-frequency // step) * step  # the first end of a step at or after K
        snapshot = end // period * period
        if not snapshot:
            continue
        phases = {
            # Of a period too short to have a middle, the update before the snapshot counts.
            snapshot - max(step, period // 2 // step * step): "middle",
            snapshot - step: "before_snapshot",
            snapshot: "after_snapshot",
        }
        if len(file_updates) >= frequency:
            turn, place = file_updates[len(file_updates) // frequency * frequency - 1]
            before = (turn - 1) * workload.updates_per_turn + (place - 1 if step == 1 else 0)
            phases.setdefault(before, "deepest")
        positions += [
            ReadPosition.model_validate(
                {"update": update, "snapshot_frequency": frequency, "phase": phase}
            )
            for update, phase in phases.items()
            if update >= 1
        ]
    return (*positions, ReadPosition(update=end, snapshot_frequency=None, phase="end"))


def _check(what: str, numbers: Sequence[int]) -> None:
    for number in numbers:
        if number < 1:
            message = f"{what} must be a positive whole number, not {number}"
            raise DeltabenchError(message)
        if numbers.count(number) > 1:
            message = f"{what} {number} is named twice"
            raise DeltabenchError(message)
