"""The estimate: near enough to real runs, and a refusal that names the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.estimate import estimate_cell, refuse_beyond_means
from deltabench.plan import Matrix, plan_cells
from deltabench.session.workload import load_workload

if TYPE_CHECKING:
    from deltabench.cells import Cell

WORKLOADS = {name: load_workload(name) for name in "AB"}


def _cells(name: str, turns: int, checkpointer: str = "memory") -> tuple[Cell, ...]:
    matrix = Matrix(
        workloads=(WORKLOADS[name],),
        turns=(turns,),
        frequencies=(50,),
        checkpointers=(checkpointer,),
    )
    return plan_cells(matrix)


@pytest.mark.parametrize(
    ("name", "turns", "full_bytes", "delta_bytes"),
    # Measured by `deltabench reproduce`.
    [("B", 200, 5.33e9, 127e6), ("A", 500, 4.18e9, 104e6)],
)
def test_estimates_are_near_what_was_measured(
    name: str, turns: int, full_bytes: float, delta_bytes: float
) -> None:
    """Within 20 % of real runs, which is enough to refuse a plan by."""
    full, delta = (estimate_cell(cell, WORKLOADS[name]) for cell in _cells(name, turns))
    assert full.stored_bytes == pytest.approx(full_bytes, rel=0.2)
    assert delta.stored_bytes == pytest.approx(delta_bytes, rel=0.2)


def test_a_full_memory_cell_lets_go_of_values() -> None:
    """The full cell of B at 200 turns is estimated near 1 GB, not at the 5 GB it counts."""
    full, _ = (estimate_cell(cell, WORKLOADS["B"]) for cell in _cells("B", 200))
    assert full.memory_bytes < 1.1e9 < full.stored_bytes


@pytest.mark.parametrize(
    ("checkpointer", "memory", "disk", "what"),
    [("memory", 10**8, 10**12, "memory"), ("sqlite", 10**12, 10**9, "disk")],
)
def test_a_plan_beyond_means_is_refused_with_the_figure(
    checkpointer: str, memory: int, disk: int, what: str
) -> None:
    """The refusal says what is needed and free, and how to go on."""
    with pytest.raises(DeltabenchError, match=rf"GB of {what} \(estimated\).*--force") as caught:
        refuse_beyond_means(
            _cells("B", 200, checkpointer),
            WORKLOADS,
            available_memory_bytes=memory,
            free_disk_bytes=disk,
        )
    assert caught.value.exit_code is ExitCode.REFUSED


def test_a_plan_within_means_passes() -> None:
    """Nothing is said when it fits."""
    refuse_beyond_means(
        _cells("A", 10), WORKLOADS, available_memory_bytes=10**10, free_disk_bytes=10**10
    )
