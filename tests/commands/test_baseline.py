"""Tests of `baseline update`: nothing is accepted unseen, and nothing faulty at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from deltabench.cli import app
from deltabench.commands import baseline
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.baseline import reduce
from deltabench.results.file import load_results, save_results
from tests.fakes import failed_row, replace_row
from tests.gate.plants import grown, results_of

if TYPE_CHECKING:
    from typer.testing import Result

TO = Path("reports/baseline.json")


@pytest.fixture(autouse=True)
def _saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_results(results_of(), Path("old.json"))
    save_results(grown(results_of(), 10), Path("new.json"))


def _update(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(app, ["baseline", "update", *arguments], input=answer)


def test_a_first_baseline_is_accepted_with_yes() -> None:
    """It lands where `check` examples expect it, reduced, and what it holds is shown."""
    result = _update("old.json", "--yes")
    assert result.exit_code == ExitCode.PASSED
    assert load_results(TO) == reduce(results_of())
    assert result.stdout.splitlines()[:2] == [
        "reports/baseline.json is new:",
        "B, 20 turns, memory, async, full",
    ]


def test_old_and_new_are_shown_before_anything_is_written() -> None:
    """Every figure that changes, with its change in per cent."""
    _update("old.json", "--yes")
    result = _update("new.json", "--yes")
    lines = [line.split() for line in result.stdout.splitlines()]
    (total,) = [line for line in lines if line and line[0] == "total_bytes"]
    assert total[-2:] == ["+10.0", "%"]
    assert load_results(TO) == reduce(grown(results_of(), 10))


def test_nobody_to_ask_changes_nothing() -> None:
    """Without a terminal and without --yes the old baseline stays."""
    _update("old.json", "--yes")
    result = _update("new.json")
    assert isinstance(result.exception, DeltabenchError)
    assert result.exception.exit_code is ExitCode.USAGE
    assert "--yes" in str(result.exception)
    assert load_results(TO) == reduce(results_of())


@pytest.mark.parametrize(("answer", "accepted"), [("y\n", True), ("n\n", False)])
def test_the_answer_decides(
    answer: str, *, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal it asks, and a no leaves the old baseline and a code that is not 0."""

    class Terminal:
        stdin = type("Stdin", (), {"isatty": staticmethod(lambda: True)})

    _update("old.json", "--yes")
    monkeypatch.setattr(baseline, "sys", Terminal)
    result = _update("new.json", answer=answer)
    assert (result.exit_code == ExitCode.PASSED) == accepted
    assert (load_results(TO) == reduce(results_of())) != accepted


def test_the_same_results_need_no_update() -> None:
    """There is nothing to accept, and nothing is asked."""
    _update("old.json", "--yes")
    result = _update("old.json")
    assert result.exit_code == ExitCode.PASSED
    assert "exactly these results already" in result.stdout


def test_faulty_results_are_refused_even_with_yes() -> None:
    """A failed cell can never become what later runs are held against."""
    results = results_of()
    save_results(replace_row(results, 1, failed_row(results.rows[1].cell)), Path("bad.json"))
    result = _update("bad.json", "--yes", "--to", "other.json")
    assert isinstance(result.exception, DeltabenchError)
    assert result.exception.exit_code is ExitCode.CELL_FAILED
    assert not Path("other.json").exists()
