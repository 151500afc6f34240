"""Tests of `compare` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deltabench.cli import app
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.results.file import save_results
from tests.gate.plants import grown, results_of, with_packages


@pytest.fixture(autouse=True)
def _saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_results(results_of(), Path("a.json"))
    save_results(with_packages(grown(results_of(), 10), langgraph="1.3.0"), Path("b.json"))


def test_results_of_other_versions_stand_side_by_side() -> None:
    """Growth is told as worse and the version beside the file; looking is no failure."""
    result = CliRunner().invoke(app, ["compare", "a.json", "b.json"])
    assert result.exit_code == ExitCode.PASSED
    assert "B = b.json (langgraph 1.3.0" in result.stdout
    assert "worse" in result.stdout


def test_all_shows_what_is_equal_too() -> None:
    """Without --all only main figures and differences are shown."""
    short, whole = (
        json.loads(CliRunner().invoke(app, ["compare", "a.json", "b.json", *more]).stdout)
        for more in (["--format", "json"], ["--format", "json", "--all"])
    )
    metrics = [{line["metric"] for line in d["blocks"][1]["lines"]} for d in (short, whole)]
    assert "write_bytes" not in metrics[0]
    assert metrics[0] | {"write_bytes", "memory_peak"} <= metrics[1]


def test_one_file_is_a_usage_error() -> None:
    """There must be something to compare with."""
    result = CliRunner().invoke(app, ["compare", "a.json"])
    assert isinstance(result.exception, DeltabenchError)
    assert result.exception.exit_code is ExitCode.USAGE
