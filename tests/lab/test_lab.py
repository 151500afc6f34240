"""Plans: saved cell by cell, resumed, run elsewhere, and exact over processes."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.cells import Cell, Policy
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.lab.lab import Lab
from deltabench.lab.progress import Progress
from deltabench.plan import Matrix, plan_cells
from deltabench.results.file import FILE_NAME, Results, load_results, save_results
from deltabench.results.summary import summarize
from deltabench.session.workload import load_workload

if TYPE_CHECKING:
    from deltabench.cells import Row

A = load_workload("A")
WORKLOADS = {"A": A}
SAVERS = Path(__file__).with_name("broken_savers.py")
TIMED = {
    "turn_seconds",
    "session_seconds",
    "session_cpu_seconds",
    "memory",
    "seconds",
    "open_seconds",
}


def _plan(
    checkpointer: str = "memory", *, repeats: int = 1, reads: bool = False
) -> tuple[Cell, ...]:
    matrix = Matrix(
        workloads=(A,),
        turns=(3,),
        frequencies=(5,),
        checkpointers=(checkpointer,),
        repeats=repeats,
        cold_samples=0,
    )
    cells = plan_cells(matrix)
    return cells if reads else tuple(c.model_copy(update={"positions": ()}) for c in cells)


def _counted(value: Any) -> Any:
    """Drop what is timed, and what the runtime draws at random: ids of tool messages."""
    if isinstance(value, dict):
        return {k: _counted(v) for k, v in value.items() if k not in TIMED | {"ids"}}
    return [_counted(item) for item in value] if isinstance(value, list) else value


def _counted_rows(results: Results) -> Any:
    return _counted(json.loads(results.model_dump_json())["rows"])


class _StopAfter(Progress):
    """Presses Ctrl-C when so many cells are done."""

    def __init__(self, cells: int) -> None:
        self.left = cells

    def cell_finished(self, row: Row) -> None:  # noqa: ARG002  # every row counts
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize("checkpointer", ["memory", "sqlite", "postgres"])
def test_five_runs_store_the_same_bytes(checkpointer: str) -> None:
    """Counted quantities repeat to the byte, in other processes with other hash seeds."""
    results = Lab(Progress()).run(_plan(checkpointer, repeats=5), WORKLOADS, command="test")
    for policy in (Policy(), Policy(snapshot_frequency=5)):
        rows = [row for row in results.rows if row.cell.policy == policy]
        assert len(rows) == 5
        counted = set()
        for row in rows:
            assert row.measurement is not None, row.failure
            storage = [stored.model_dump_json() for stored in row.measurement.storage]
            trips = row.measurement.session_round_trips.model_dump_json()
            counted.add((*storage, trips, row.measurement.state.content))
        assert len(counted) == 1


def test_an_interrupted_plan_resumes_to_the_same_file(tmp_path: Path) -> None:
    """What an interruption and --resume leave equals an undisturbed run, timings aside."""
    plan = _plan(repeats=2, reads=True)
    undisturbed = Lab(Progress()).run(plan, WORKLOADS, command="test", path=tmp_path / "a.json")
    path = tmp_path / FILE_NAME
    with pytest.raises(KeyboardInterrupt):
        Lab(_StopAfter(2)).run(plan, WORKLOADS, command="test", path=path)
    saved = load_results(path)
    assert [row.measurement is not None for row in saved.rows] == [True, True, False, False]
    Lab(Progress()).run(plan, WORKLOADS, command="test", path=path, resume=True)
    resumed = load_results(path)
    assert resumed.rows[:2] == saved.rows[:2]
    assert _counted_rows(resumed) == _counted_rows(undisturbed)


def test_another_plan_is_not_resumed(tmp_path: Path) -> None:
    """A file of another plan is left as it is, with a hint."""
    path = tmp_path / FILE_NAME
    with pytest.raises(KeyboardInterrupt):
        Lab(_StopAfter(1)).run(_plan(), WORKLOADS, command="test", path=path)
    before = path.read_bytes()
    with pytest.raises(DeltabenchError, match="holds another plan"):
        Lab(Progress()).run(_plan(repeats=2), WORKLOADS, command="test", path=path, resume=True)
    assert path.read_bytes() == before


def test_results_of_other_versions_are_not_continued(tmp_path: Path) -> None:
    """Half a file of one langgraph and half of another would be no result."""
    path = tmp_path / FILE_NAME
    with pytest.raises(KeyboardInterrupt):
        Lab(_StopAfter(1)).run(_plan(), WORKLOADS, command="test", path=path)
    results = load_results(path)
    packages = {**results.environment.packages, "langgraph": "1.0.0"}
    environment = results.environment.model_copy(update={"packages": packages})
    save_results(results.model_copy(update={"environment": environment}), path)
    with pytest.raises(DeltabenchError, match="other package versions") as caught:
        Lab(Progress()).run(_plan(), WORKLOADS, command="test", path=path, resume=True)
    assert caught.value.exit_code is ExitCode.NOT_COMPARABLE


def test_cells_run_on_any_executor() -> None:
    """The same plan runs on a pool of processes and counts the same."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        elsewhere = Lab(Progress(), executor=executor).run(_plan(), WORKLOADS, command="test")
    here = Lab(Progress()).run(_plan(), WORKLOADS, command="test")
    assert _counted_rows(elsewhere) == _counted_rows(here)


def test_a_saver_that_drops_writes_gives_no_result() -> None:
    """Delta is rebuilt from writes: a lost one makes its state differ from full, a failure."""
    plan = _plan(f"{SAVERS}:dropping")
    results = Lab(Progress()).run(plan, WORKLOADS, command="test")
    (problem,) = summarize(results).problems
    assert (problem.policy.label, problem.kind) == ("K=5", "differs")


def test_a_checkpointer_that_cannot_be_had_is_told_before_any_cell(tmp_path: Path) -> None:
    """Nothing runs and nothing is written when a database of the plan is unreachable."""
    lab = Lab(Progress(), postgres_url="postgresql://somebody:hidden@127.0.0.1:1/nothing")
    path = tmp_path / FILE_NAME
    with pytest.raises(DeltabenchError, match=r"127\.0\.0\.1") as caught:
        lab.run((*_plan(), *_plan("postgres")), WORKLOADS, command="test", path=path)
    assert "hidden" not in str(caught.value)
    assert not path.exists()
