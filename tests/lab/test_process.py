"""A cell in its own process, and what becomes of a cell that goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from deltabench.lab.job import TRACING_VARIABLES, Job
from deltabench.lab.process import NO_COLD_READS, cell_environment, run_cell
from deltabench.plan import Matrix, plan_cells
from deltabench.session.workload import load_workload

if TYPE_CHECKING:
    import pytest

    from deltabench.cells import Cell, Row

WORKLOAD = load_workload("B")
SAVERS = Path(__file__).with_name("broken_savers.py")


def _job(factory: str = "", k: int | None = 5, *, reads: bool = False) -> Job:
    checkpointer = f"{SAVERS}:{factory}" if factory else "memory"
    matrix = Matrix(
        workloads=(WORKLOAD,),
        turns=(3,),
        frequencies=(5, 1000),
        checkpointers=(checkpointer,),
    )
    (cell,) = (c for c in plan_cells(matrix) if c.policy.snapshot_frequency == k)
    return Job(cell=cell if reads else _without_reads(cell), workload=WORKLOAD)


def _without_reads(cell: Cell) -> Cell:
    return cell.model_copy(update={"positions": (), "cold_samples": 0})


def _failed(row: Row) -> tuple[str, str]:
    assert row.measurement is None
    assert row.failure is not None
    return row.failure.kind, row.failure.reason


def test_a_cell_that_hangs_is_ended_by_the_watchdog() -> None:
    """Without progress the process is ended, and the row says after which turn."""
    before = psutil.Process().children(recursive=True)
    row = run_cell(_job("hanging"), stall_seconds=6)
    kind, reason = _failed(row)
    assert kind == "timeout"
    assert reason.startswith("no progress for 6 s ")
    assert set(psutil.Process().children(recursive=True)) <= set(before)


def test_a_cell_that_is_killed_is_a_failed_row() -> None:
    """The signal is named; a process that ran out of memory ends this way."""
    assert _failed(run_cell(_job("killed"))) == (
        "killed",
        "the process was ended by signal 9: out of memory?",
    )


def test_a_cell_that_raises_is_a_failed_row_of_one_line() -> None:
    """The first line of the error is the reason, without a traceback."""
    assert _failed(run_cell(_job("raising"))) == ("error", "OSError: the store is gone")


def test_a_custom_saver_that_does_not_outlive_its_process_has_no_cold_reads() -> None:
    """That is a note beside the measurement, not a failure."""
    row = run_cell(_job("sound", reads=True))
    assert row.measurement is not None, row.failure
    assert NO_COLD_READS in row.measurement.notes
    assert not [read for read in row.measurement.reads if read.what == "resume_cold"]


def test_reads_that_were_not_planned_are_not_made() -> None:
    """A cell without places to read at measures the session alone."""
    row = run_cell(_job())
    assert row.measurement is not None, row.failure
    assert row.measurement.reads == ()
    assert row.measurement.memory.peak_bytes >= row.measurement.memory.baseline_bytes > 0


def test_nothing_is_traced_from_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment says about LangSmith, cells are told not to trace."""
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGCHAIN_TRACING_V2", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "secret-key")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    environment = cell_environment(_job())
    assert {environment[name] for name in TRACING_VARIABLES} == {"false"}
    assert "secret-key" not in environment.values()
    assert "LANGSMITH_ENDPOINT" not in environment


def test_repeats_have_different_hash_seeds() -> None:
    """One fixed hash seed would bias every sample the same way."""
    first = _job()
    second = first.model_copy(update={"cell": first.cell.model_copy(update={"repeat": 1})})
    seeds = {cell_environment(job)["PYTHONHASHSEED"] for job in (first, second)}
    assert seeds == {"0", "1"}
