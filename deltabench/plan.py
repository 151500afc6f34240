"""From a matrix of workloads, turns, checkpointers and K to an ordered list of cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from deltabench.cells import Cell, Durability, Policy, ReadPosition
from deltabench.errors import DeltabenchError
from deltabench.model.formats import known_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.session.interface import Session

# Deep Agents' own choice is read from the installed library by the lab's readback; this
# is what the published figures used, and what is measured when no K is named.
DEFAULT_K = 50
DEFAULT_SWEEP = (1, 2, 5, 10, 25, 50, 100, 250, 1000)
WARM_SAMPLES = 9
# More updates than any session has: a recorded cell snapshots only what is forced.
RECORDING_FREQUENCY = 1_000_000
# What a turn adds is known turn by turn up to here; counting takes longer with every turn.
RECORDED_MARKS = 200


@dataclass(frozen=True, slots=True)
class Matrix:
    """What a command asks for; every combination becomes cells."""

    workloads: tuple[Session, ...]
    turns: tuple[int, ...]  # empty: each workload's own number
    frequencies: tuple[int, ...]
    checkpointers: tuple[str, ...] = ("memory",)
    durability: Durability = "async"
    repeats: int = 1
    seed: int = 0
    cold_samples: int = 1
    # With `exact` each group is run twice, under full snapshots and recorded, and every K
    # is derived from that; those in `timed` are run as well.
    exact: bool = False
    timed: tuple[int, ...] = ()

    @property
    def measured(self) -> tuple[int, ...]:
        """The K that are run."""
        return self.timed if self.exact else self.frequencies


def plan_cells(matrix: Matrix) -> tuple[Cell, ...]:
    """Order the cells of a matrix: one full cell serves every K of its group.

    Repeats of a group lie one after the other, forwards and backwards in turn, so that a
    machine that drifts does not favour one policy. Raises DeltabenchError for a K or a
    number of turns or repeats that is not positive, or that is named twice.
    """
    _check("K", matrix.frequencies)
    _check("timed K", matrix.timed)
    _check("turns", matrix.turns)
    if not matrix.frequencies:
        raise DeltabenchError("no K was named", hint="for example --k 10,50,1000")
    if matrix.repeats < 1:
        raise DeltabenchError(f"repeat must be a positive number, not {matrix.repeats}")
    _check_exact(matrix)
    cells: list[Cell] = []
    policies = [Policy(), *(Policy(snapshot_frequency=k) for k in matrix.measured)]
    for workload, checkpointer in product(matrix.workloads, matrix.checkpointers):
        for turns in matrix.turns or (workload.turns,):
            workload.check_turns(turns)
            positions = read_positions(workload, turns, matrix.measured, matrix.durability)
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
            if matrix.exact:
                cells.append(_recorded(cells[-1]))
    return tuple(cells)


def _check_exact(matrix: Matrix) -> None:
    if matrix.timed and not matrix.exact:
        raise DeltabenchError("K to be timed were named, but every K is run", hint="add --exact")
    if matrix.exact and matrix.durability == "exit":
        raise DeltabenchError(
            "durability exit stores other writes under every K, so none can be derived",
            hint="--exact needs sync or async",
        )
    if matrix.exact:
        for checkpointer in matrix.checkpointers:
            known_format(checkpointer)


def _recorded(cell: Cell) -> Cell:
    """The cell that records the session of this one: no K, no reads, more marks."""
    often = range(1, min(cell.turns, RECORDED_MARKS) + 1)
    return cell.model_copy(
        update={
            "policy": Policy(snapshot_frequency=RECORDING_FREQUENCY),
            "repeat": 0,
            "marks": tuple(sorted({*often, *cell.marks})),
            "positions": (),
            "cold_samples": 0,
            "records": True,
        }
    )


def turn_marks(turns: int) -> tuple[int, ...]:
    """Turns after which storage is counted: 1, 2, 5, 10, 20, 50, ... and the last."""
    marks = []
    decade = 1
    while decade <= turns:
        marks += [decade * step for step in (1, 2, 5) if decade * step < turns]
        decade *= 10
    return (*marks, turns)


def read_positions(
    workload: Session, turns: int, frequencies: Sequence[int], durability: Durability
) -> tuple[ReadPosition, ...]:
    """The places in the thread where resuming is timed, the same for every policy.

    For each K: right at the last snapshot of `messages`, half a period earlier, and the
    update just before that snapshot. Then the deepest place: just before the last
    snapshot of `files`, which is updated less and so has the longest chain. A K that is
    never reached has the end of the thread, which stands for every policy.

    With durability `exit` there is one checkpoint a turn, so places are ends of turns.
    """
    file_updates = list(workload.file_updates(turns))
    ends = [workload.updates_through(turn) for turn in range(turns + 1)]
    # The updates after which a checkpoint is put, from 0, the empty thread.
    places = ends if durability == "exit" else list(range(ends[-1] + 1))
    positions = []
    for frequency in frequencies:
        before, snapshot = _last_snapshot(places, frequency)
        if not snapshot:
            continue
        phases = {
            # Of a period too short to have a middle, the update before the snapshot counts.
            places[snapshot - max(1, (snapshot - before) // 2)]: "middle",
            places[snapshot - 1]: "before_snapshot",
            places[snapshot]: "after_snapshot",
        }
        if len(file_updates) >= frequency:
            turn, place = file_updates[len(file_updates) // frequency * frequency - 1]
            deepest = ends[turn - 1] + (0 if durability == "exit" else place - 1)
            phases.setdefault(deepest, "deepest")
        positions += [
            ReadPosition.model_validate(
                {"update": update, "snapshot_frequency": frequency, "phase": phase}
            )
            for update, phase in phases.items()
            if update >= 1
        ]
    return (*positions, ReadPosition(update=ends[-1], snapshot_frequency=None, phase="end"))


def _last_snapshot(places: Sequence[int], frequency: int) -> tuple[int, int]:
    """Where in `places` the last snapshot of a K falls, and the one before; 0 for none.

    A snapshot is due at the first place that lies K updates or more after the one before.
    """
    before = last = 0
    for index, update in enumerate(places):
        if update - places[last] >= frequency:
            before, last = last, index
    return before, last


def _check(what: str, numbers: Sequence[int]) -> None:
    for number in numbers:
        if number < 1:
            message = f"{what} must be a positive whole number, not {number}"
            raise DeltabenchError(message)
        if numbers.count(number) > 1:
            message = f"{what} {number} is named twice"
            raise DeltabenchError(message)
