"""Tests of `check` on the command line: exit codes, GitHub, and a real run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from deltabench import cli
from deltabench.errors import ExitCode
from deltabench.results.file import save_results
from tests.fakes import failed_row, replace_row
from tests.gate.plants import grown, results_of, with_packages, without

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.results.file import Results


@pytest.fixture(autouse=True)
def _outside_of_workflows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests may run in a workflow themselves, and must not write to its summary."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.chdir(tmp_path)


def _save(results: Results, name: str) -> str:
    from pathlib import Path

    save_results(results, Path(name))
    return name


def _main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["deltabench", *arguments])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("none", ExitCode.PASSED),
        ("growth", ExitCode.FAILED),
        ("dropped", ExitCode.CELL_FAILED),
        ("failed", ExitCode.CELL_FAILED),
        ("versions", ExitCode.PASSED),
        ("length", ExitCode.NOT_COMPARABLE),
    ],
)
def test_every_fault_has_its_exit_code(
    fault: str, code: ExitCode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The process ends as documented, and the verdict is on stdout."""
    results = results_of()
    now = {
        "none": results,
        "growth": grown(results, 10),
        "dropped": without(results, 1),
        "failed": replace_row(results, 1, failed_row(results.rows[1].cell)),
        "versions": with_packages(results, langgraph="1.3.0"),
        "length": results_of(ks=(50, 100)),
    }[fault]
    arguments = ("check", _save(now, "now.json"), "--baseline", _save(results, "then.json"))
    assert _main(monkeypatch, *arguments) == code
    printed = capsys.readouterr()
    assert printed.out.startswith("PASSED" if code is ExitCode.PASSED else "FAILED")
    assert (f"Exit code {code.value}" in " ".join(printed.out.split())) == bool(code)
    assert not printed.err
    if fault == "versions":
        assert "a baseline of other versions" in " ".join(printed.out.split())


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("now.json",), 2, "nothing to judge by"),
        (("now.json", "--max-drop", "2%"), 2, "can only be judged against a baseline"),
        (("--min-ratio", "2"), 2, "nothing to judge (give a results.json, or --workload B)"),
        (("now.json", "--min-ratio", "2", "-w", "B"), 2, "--workload is for measuring"),
        (("now.json", "--min-ratio", "2", "--repeat", "9"), 2, "--repeat is for measuring"),
        (("-w", "B", "--k", "10,x", "--min-ratio", "2"), 2, "--k: 'x' is not a whole number"),
        (("now.json", "--min-ratio", "x"), 2, "--min-ratio: savings.min_ratio: 'x' is not a"),
        (("now.json", "--rule", "resume_warm.exact=true"), 2, "makes no sense"),
        (("now.json", "--rule", "bytes.exact=true"), 2, "no metric named 'bytes'"),
        (("now.json", "-b", "none.json"), 2, "no results file at none.json"),
        (("now.json", "-b", "torn.json"), 2, "torn.json, line 1, column 2: not valid JSON"),
        (("torn.json", "-b", "now.json"), 2, "torn.json, line 1, column 2: not valid JSON"),
        (("foreign.json", "-b", "now.json"), 2, "not a deltabench results file"),
        (("now.json", "-b", "now.json", "-p", "none.toml"), 2, "no policy file at none.toml"),
        (("now.json", "-b", "a.json"), 4, "a.json has no workload 'B' (it has A)"),
        (("-w", "nosuch", "--min-ratio", "2"), 2, "no workload named 'nosuch'"),
    ],
)
def test_bad_input_is_one_line_and_never_passes(  # noqa: PLR0913, PLR0917  # three fixtures
    arguments: tuple[str, ...],
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """One line on stderr, nothing on stdout, and a code that says what kind of trouble it is."""
    _save(results_of(), "now.json")
    _save(results_of(workloads=("A",)), "a.json")
    (tmp_path / "torn.json").write_text("{", encoding="utf-8")
    (tmp_path / "foreign.json").write_text("[1]", encoding="utf-8")
    assert _main(monkeypatch, "check", *arguments) == code
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err


def test_a_workflow_gets_annotations_and_a_summary_by_themselves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Annotations go to stderr, so that stdout stays what was asked for."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "summary.md").write_text("before\n", encoding="utf-8")
    results = _save(results_of(), "now.json")
    assert _main(monkeypatch, "check", results, "--min-ratio", "100") == ExitCode.FAILED
    printed = capsys.readouterr()
    assert printed.out.startswith("FAILED: ")
    assert printed.err.startswith("::error title=savings min_ratio 100%3A worse::B, 20 turns")
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("before\n### deltabench: failed\n")


def test_a_workflow_sees_errors_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A gate that could not judge leaves an annotation beside its one line."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert _main(monkeypatch, "check", "none.json", "--min-ratio", "2") == ExitCode.USAGE
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("::error title=deltabench check::no results file at none.json")
    assert lines[1].startswith("error: no results file")


def test_a_report_for_a_machine_leaves_the_table_on_stdout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With --output the format goes to the file, and people still read the text."""
    results = _save(results_of(), "now.json")
    arguments = ("--min-ratio", "1", "--format", "junit", "--output", "out/junit.xml")
    assert _main(monkeypatch, "check", results, *arguments) == ExitCode.PASSED
    assert capsys.readouterr().out.startswith("PASSED: 1 rule holds")
    root = ET.parse(tmp_path / "out" / "junit.xml").getroot()  # noqa: S314  # our own output
    assert root.get("tests") == "1"


def test_an_output_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A verdict that was not delivered is no pass."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    results = _save(results_of(), "now.json")
    arguments = ("--min-ratio", "1", "--output", "file/junit.xml")
    assert _main(monkeypatch, "check", results, *arguments) == ExitCode.REFUSED
    assert capsys.readouterr().err.startswith("error: cannot write file/junit.xml: ")


def test_a_real_run_is_measured_judged_and_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Two real runs of one session are equal to the byte, and a floor out of reach fails."""
    run = ("check", "--workload", "B", "--turns", "3", "--k", "2,5")
    assert _main(monkeypatch, *run, "--min-ratio", "1.5") == ExitCode.PASSED
    first = tmp_path / "reports" / "check-b-3-2+5-memory"
    assert (first / "results.json").exists()
    assert (first / "report.md").exists()
    again = (*run, "--baseline", str(first), "--min-ratio", "1000")
    assert _main(monkeypatch, *again) == ExitCode.FAILED
    printed = capsys.readouterr()
    assert "worse    savings min_ratio 1000" in printed.out
    assert "total_bytes" not in printed.out
    assert "23 equal" in printed.out
    assert "Saved: reports/check-b-3-2+5-memory-2" in printed.err
