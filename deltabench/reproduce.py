"""The published figures, measured again.

Source: the announcement of delta channels, May 2026. It gives total checkpointer storage
at K = 50 with `InMemorySaver`: workload A (light coding and search) 6x at 10 turns, and
at 500 turns 4 GB against under 110 MB, 41x; workload B (multi-file coding) at 200 turns
5.3 GB against 129 MB, 41x; B's ratio above A's at every number of turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Cell, Measurement, Policy, Value
from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.lab.progress import Progress
    from deltabench.results.file import Results

PUBLISHED_K = 50
TOLERANCE = 0.05
TOLERANCE_FEW_TURNS = 0.10  # 6x is published with one digit
A_TURNS, B_TURNS, A_FEW_TURNS = 500, 200, 10


class Finding(Value):
    """One published figure beside the measured one.

    `unit` is `bytes` or `x` (a ratio). `lowest` and `highest` bound what counts as
    reproduced; None leaves that side open. `measured` is None when a cell failed.
    """

    figure: str
    published: str
    unit: str
    published_value: float
    lowest: float | None
    highest: float | None
    measured: float | None

    @property
    def holds(self) -> bool:
        """Whether the measured figure lies within the bounds."""
        if self.measured is None:
            return False
        above = self.lowest is None or self.measured >= self.lowest
        return above and (self.highest is None or self.measured <= self.highest)

    @property
    def difference(self) -> float | None:
        """Relative difference from the published figure."""
        return None if self.measured is None else self.measured / self.published_value - 1


def measure_published(
    directory: Path, *, seed: int, resume: bool, force: bool, progress: Progress
) -> Results:
    """Run the four cells that the published figures need: storage only, no reads."""
    from deltabench.api import load_workloads
    from deltabench.estimate import refuse_beyond_means
    from deltabench.lab.lab import Lab
    from deltabench.plan import Matrix, plan_cells
    from deltabench.results.file import FILE_NAME

    loaded = load_workloads(["A", "B"])
    cells: list[Cell] = []
    for name, turns in (("A", A_TURNS), ("B", B_TURNS)):
        matrix = Matrix(
            workloads=(loaded[name],), turns=(turns,), frequencies=(PUBLISHED_K,), seed=seed
        )
        cells += (cell.model_copy(update={"positions": ()}) for cell in plan_cells(matrix))
    if not force:
        refuse_beyond_means(cells, loaded)
    return Lab(progress=progress).run(
        tuple(cells),
        loaded,
        command="deltabench reproduce",
        path=directory / FILE_NAME,
        resume=resume,
    )


def compare_with_published(results: Results) -> tuple[Finding, ...]:
    """Hold the measured figures against the published ones."""
    return (
        _size("B, 200 turns, full snapshots", "5.3 GB", 5.3e9, _bytes(results, "B", B_TURNS, None)),
        _size("B, 200 turns, delta K=50", "129 MB", 129e6, _bytes(results, "B", B_TURNS)),
        _ratio("B, 200 turns, ratio", 41, TOLERANCE, ratio_at(results, "B", B_TURNS)),
        # "4 GB" may be rounded down from anything below 4.5.
        _size(
            "A, 500 turns, full snapshots",
            "4 GB",
            4e9,
            _bytes(results, "A", A_TURNS, None),
            highest=4.5e9 * (1 + TOLERANCE),
        ),
        Finding(
            figure="A, 500 turns, delta K=50",
            published="< 110 MB",
            unit="bytes",
            published_value=110e6,
            lowest=None,
            highest=110e6,
            measured=_bytes(results, "A", A_TURNS),
        ),
        _ratio("A, 500 turns, ratio", 41, TOLERANCE, ratio_at(results, "A", A_TURNS)),
        _ratio("A, 10 turns, ratio", 6, TOLERANCE_FEW_TURNS, ratio_at(results, "A", A_FEW_TURNS)),
        Finding(
            figure="B's ratio over A's, least of all turn marks",
            published="> 1",
            unit="x",
            published_value=1.0,
            lowest=1.0,
            highest=None,
            measured=_least_advantage(results),
        ),
    )


def ratio_at(results: Results, workload: str, turn: int) -> float | None:
    """Full over delta of the total bytes at a turn mark; None when a cell has failed."""
    full, delta = _bytes(results, workload, turn, None), _bytes(results, workload, turn)
    return None if not full or not delta else full / delta


def _least_advantage(results: Results) -> float | None:
    advantages = []
    for turn in sorted(_marks(results, "A") & _marks(results, "B")):
        a, b = ratio_at(results, "A", turn), ratio_at(results, "B", turn)
        if a is None or b is None:
            return None
        advantages.append(b / a)
    return min(advantages, default=None)


def _marks(results: Results, workload: str) -> set[int]:
    measurement = _measurement(results, workload, PUBLISHED_K)
    return {stored.turn for stored in measurement.storage} if measurement else set()


def _bytes(
    results: Results, workload: str, turn: int, frequency: int | None = PUBLISHED_K
) -> int | None:
    measurement = _measurement(results, workload, frequency)
    if measurement is None:
        return None
    for stored in measurement.storage:
        if stored.turn == turn:
            return stored.total_bytes
    raise DeltabenchError(
        f"workload {workload} was not counted after turn {turn}", exit_code=ExitCode.CELL_FAILED
    )


def _measurement(results: Results, workload: str, frequency: int | None) -> Measurement | None:
    policy = Policy(snapshot_frequency=frequency)
    for row in results.rows:
        if row.cell.workload == workload and row.cell.policy == policy:
            return row.measurement
    return None


def _size(
    figure: str, published: str, value: float, measured: float | None, highest: float | None = None
) -> Finding:
    return Finding(
        figure=figure,
        published=published,
        unit="bytes",
        published_value=value,
        lowest=value * (1 - TOLERANCE),
        highest=highest or value * (1 + TOLERANCE),
        measured=measured,
    )


def _ratio(figure: str, value: float, tolerance: float, measured: float | None) -> Finding:
    return Finding(
        figure=figure,
        published=f"{value:g}x",
        unit="x",
        published_value=value,
        lowest=value * (1 - tolerance),
        highest=value * (1 + tolerance),
        measured=measured,
    )
