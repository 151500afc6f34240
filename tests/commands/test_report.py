"""`deltabench report` with one result and with several."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from deltabench.cli import app
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.results.file import FILE_NAME, save_results
from tests.fakes import failed_row, fake_results, replace_row

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

    from deltabench.results.file import Results


def _save(path: Path, results: Results) -> str:
    save_results(results, path)
    return str(path)


def _report(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["report", *arguments])


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two results of which one has a second workload, and an empty working directory."""
    monkeypatch.chdir(tmp_path)
    return [
        _save(tmp_path / "old" / FILE_NAME, fake_results(turns=20)),
        _save(tmp_path / "new.json", fake_results(turns=20, workloads=("B", "A"))),
    ]


def test_one_result_is_rendered_beside_it(two: list[str], tmp_path: Path) -> None:
    """As before several could be given: the files lie where the results are."""
    done = _report(str(tmp_path / "old"))
    assert done.exit_code == 0
    assert "report.html" in done.stderr
    assert (tmp_path / "old" / "report.html").exists()
    assert two[0].endswith(FILE_NAME)


def test_several_results_make_one_report_of_their_own(two: list[str], tmp_path: Path) -> None:
    """The table of what they share comes first, and no result's own report is touched."""
    done = _report(*two)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("B, 20 turns, memory, async\n")
    assert done.stdout.index("== old") < done.stdout.index("== new")
    folder = tmp_path / "reports" / "report-old+new"
    assert f"Saved: {folder.relative_to(tmp_path)} (results.csv, report.md," in done.stderr
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "storage-old.png", "storage-new-a-20-memory-async.svg"} <= names
    assert not (tmp_path / "old" / "report.md").exists()


def test_json_of_several_is_an_object_by_name(two: list[str], tmp_path: Path) -> None:
    """Each summary is the one that its own report would give."""
    several = json.loads(_report("--json", "--out", str(tmp_path / "both"), *two).stdout)
    assert list(several) == ["old", "new"]
    one = json.loads(_report("--json", "--out", str(tmp_path / "one"), two[0]).stdout)
    assert several["old"] == one


def test_a_failed_cell_in_any_result_is_the_exit_code(two: list[str], tmp_path: Path) -> None:
    """The report is written, and the code tells of the failure."""
    failed = fake_results(turns=20)
    failed = replace_row(failed, 0, failed_row(failed.rows[0].cell))
    path = _save(tmp_path / "failed.json", failed)
    done = _report(two[0], path, "--out", str(tmp_path / "out"))
    assert done.exit_code == ExitCode.CELL_FAILED
    assert (tmp_path / "out" / "report.html").exists()


def test_a_directory_with_results_of_its_own_is_refused(two: list[str], tmp_path: Path) -> None:
    """Its report would be lost under one of several results."""
    done = _report(*two, "--out", str(tmp_path / "old"))
    assert isinstance(done.exception, DeltabenchError)
    assert done.exception.exit_code == ExitCode.USAGE
    assert "old holds results of its own" in str(done.exception)


def test_one_damaged_result_of_several_is_named(two: list[str], tmp_path: Path) -> None:
    """Nothing is rendered from the others."""
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    done = _report(*two, str(broken))
    assert isinstance(done.exception, DeltabenchError)
    assert "broken.json" in str(done.exception)
    assert not (tmp_path / "reports").exists()


def test_names_that_differ_in_punctuation_keep_their_own_plots(tmp_path: Path) -> None:
    """Two results called alike but for a dot and a hyphen do not overwrite each other."""
    paths = [
        _save(tmp_path / name / FILE_NAME, fake_results(turns=20)) for name in ("a.b", "a-b", "a b")
    ]
    out = tmp_path / "out"
    assert _report(*paths, "--out", str(out)).exit_code == 0
    assert sorted(path.name for path in out.glob("ratio-*.png")) == [
        "ratio-a-b-2.png",
        "ratio-a-b-3.png",
        "ratio-a-b.png",
    ]
