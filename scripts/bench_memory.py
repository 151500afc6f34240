"""Resident memory of the full-snapshot cell of workload B over 200 turns.

A plain `InMemorySaver` needs some 6 GB for it. Exit code 1 when the peak, reads included,
is 1 GB or more.
"""

from __future__ import annotations

import sys

from deltabench.lab.job import Job
from deltabench.lab.process import run_cell
from deltabench.plan import Matrix, plan_cells
from deltabench.report.units import format_bytes
from deltabench.session.workload import load_workload

LIMIT_BYTES = 1_000_000_000


def main() -> None:
    """Measure the cell that `deltabench run --workload B --turns 200` begins with."""
    workload = load_workload("B")
    cell = plan_cells(Matrix(workloads=(workload,), turns=(200,), frequencies=(50,)))[0]
    row = run_cell(Job(cell=cell, workload=workload))
    if row.measurement is None:
        sys.exit(f"{cell.label}: {row.failure}")
    memory = row.measurement.memory
    stored = row.measurement.stored.total_bytes
    print(
        f"{cell.label}: {format_bytes(stored)} counted, peak {format_bytes(memory.peak_bytes)} "
        f"resident ({format_bytes(memory.baseline_bytes)} of it before the session), "
        f"limit {format_bytes(LIMIT_BYTES)}"
    )
    sys.exit(memory.peak_bytes >= LIMIT_BYTES)


if __name__ == "__main__":
    main()
