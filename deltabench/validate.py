"""Runs a workload twice to show its author that it is deterministic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from deltabench.lab.job import AnySession

TURNS = 3
FREQUENCY = 2


def validate(workload: AnySession) -> str:
    """Measure a short session twice, in two processes with different hash seeds.

    Returns a sentence about it. Raises DeltabenchError when a session fails, or when
    the two did not store the same bytes and state.
    """
    from deltabench.lab.lab import Lab
    from deltabench.lab.progress import Progress
    from deltabench.plan import Matrix, plan_cells

    turns = workload.at_most(TURNS)
    matrix = Matrix(workloads=(workload,), turns=(turns,), frequencies=(FREQUENCY,), repeats=2)
    cells = tuple(cell.model_copy(update={"positions": ()}) for cell in plan_cells(matrix))
    results = Lab(Progress()).run(cells, {workload.name: workload}, command="validate")
    found: dict[str, set[object]] = {}
    for row in results.rows:
        if row.measurement is None:
            reason = row.failure.reason if row.failure else "it was not run"
            raise DeltabenchError(f"{row.cell.label}: {reason}", exit_code=ExitCode.CELL_FAILED)
        stored = row.measurement.stored.total_bytes
        found.setdefault(row.cell.policy.label, set()).add((stored, row.measurement.state.content))
    for label, outcomes in found.items():
        if len(outcomes) > 1:
            raise DeltabenchError(
                f"workload {workload.name}: two runs under {label} stored different bytes or state",
                exit_code=ExitCode.CELL_FAILED,
            )
    return f"{turns} turns run twice stored the same bytes under {' and '.join(sorted(found))}"
