"""`sweep --exact`, `forecast` and `recommend` on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deltabench import cli
from deltabench.errors import ExitCode
from deltabench.results.file import load_results, save_results
from tests.fakes import fake_results

REFERENCE = Path(__file__).parents[2] / "reports" / "reference"


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short exact sweep, through the command line and processes of its own."""
    out = tmp_path_factory.mktemp("exact") / "sweep"
    with pytest.MonkeyPatch.context() as patch:
        arguments = ["sweep", "-w", "A", "--turns", "9", "--k", "1..30", "--exact"]
        assert _main(patch, *arguments, "--out", str(out)) == ExitCode.PASSED
    return out


def _main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["deltabench", *arguments])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_an_exact_sweep_runs_two_sessions_and_derives_every_k(exact: Path) -> None:
    """Thirty K from two rows, all in the file, and in the table marked as derived."""
    results = load_results(exact)
    assert [row.cell.label for row in results.rows] == [
        "A 9 turns, memory, full",
        "A 9 turns, memory, recorded",
    ]
    assert [row.policy.snapshot_frequency for row in results.derived] == list(range(1, 31))
    assert all(row.stored for row in results.derived)
    full, recorded = (row.measurement for row in results.rows)
    assert full is not None
    assert recorded is not None
    assert full.state.content == recorded.state.content
    assert (exact / "results.csv").read_text().count(",derived,") == 30
    assert "derived = not run" in (exact / "report.md").read_text()


def test_forecast_of_a_result(
    exact: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As JSON: every point says whether it is estimated."""
    code = _main(monkeypatch, "forecast", str(exact), "--turns", "90", "--k", "5", "--json")
    assert code == ExitCode.PASSED
    found = json.loads(capsys.readouterr().out)
    full = load_results(exact).rows[0].measurement
    assert full is not None
    points = {point["turn"]: point for point in found["lines"][0]["points"]}
    assert points[90]["estimated"]
    assert points[90]["error_bytes"] > 0
    assert not points[5]["estimated"]
    assert points[5]["size_bytes"] == pytest.approx(
        next(stored.total_bytes for stored in full.storage if stored.turn == 5), rel=0.005
    )


def test_other_versions_than_the_recorded_ones_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, since the result is still that of the recording."""
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99.1")
    assert _main(monkeypatch, "forecast", "--turns", "60") == ExitCode.PASSED
    captured = capsys.readouterr()
    assert "note: recorded with langgraph " in captured.err
    assert "installed is 99.1" in captured.err
    assert "99.1" not in captured.out


def test_forecast_writes_its_curves_and_a_plot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shipped workload, as text on standard output and as files."""
    arguments = ("forecast", "-w", "A", "--turns", "300", "--out", str(tmp_path / "new"))
    assert _main(monkeypatch, *arguments) == ExitCode.PASSED
    captured = capsys.readouterr()
    assert captured.out.startswith("Forecast of 300 turns on memory: workload A")
    assert captured.err == f"Saved: {tmp_path / 'new'} (forecast.json, 1 plot)\n"
    curves = json.loads((tmp_path / "new" / "forecast.json").read_text())
    assert {1, 50, 300} <= {point["turn"] for point in curves["lines"][1]["points"]}
    assert (tmp_path / "new" / "forecast.png").stat().st_size > 1000


def test_recommend_on_a_result(
    exact: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without timed K the budget cannot be judged, which is told; levers are listed."""
    assert _main(monkeypatch, "recommend", str(exact), "--max-resume-ms", "50") == ExitCode.PASSED
    out = capsys.readouterr().out
    assert out.startswith("Take K=")
    assert "the budget could not be judged" in out
    assert "durability exit: ~" in out


def test_recommend_on_the_reference_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With times: the K that keeps the budget and stores least, as JSON."""
    arguments = ("recommend", str(REFERENCE), "-w", "A", "--max-resume-ms", "1e6", "--json")
    assert _main(monkeypatch, *arguments) == ExitCode.PASSED
    choice = json.loads(capsys.readouterr().out)["choice"]
    assert choice["within"]
    assert choice["best"]["frequency"] == 1000
    assert choice["best"]["origin"] == "measured"


def test_recommend_on_a_shipped_workload_in_place_of_a_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run; beyond the recording figures are marked as estimated."""
    arguments = ("recommend", "-w", "B", "-c", "postgres", "--turns", "120")
    assert _main(monkeypatch, *arguments) == ExitCode.PASSED
    captured = capsys.readouterr()
    assert "120 turns on postgres" in captured.out
    assert "~: estimated." in captured.out
    assert captured.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["forecast", "--turns", "0"], "--turns: 0 is not a number from 1 to 1,000,000"),
        (["forecast", "--k", "0"], "K must be a positive whole number, not 0"),
        (["forecast", "missing"], "no results file at missing"),
        (["forecast", "-c", "redis"], "checkpointer redis is not known to the byte"),
        (["forecast", "plain"], "plain holds no recorded session"),
        (["recommend", "plain", "--turns", "9"], "so no other length can be judged"),
        (["recommend", "plain", "-w", "C"], "plain holds no such session"),
        (["recommend", "several"], "several holds several sessions: A on memory, B on memory"),
        (["recommend", "plain", "--database", "x.sqlite"], "--database excludes RESULT"),
        (["recommend", "--database", "x", "-w", "A"], "--database excludes RESULT"),
        (["recommend", "--graph", "x:y", "-w", "A"], "--graph and --workload exclude each other"),
        (["recommend", "--inputs", "x"], "--inputs belongs to --graph"),
        (["recommend", "--thread", "t"], "--thread needs --database"),
        (["recommend", "--turns", "0"], "turns must be a positive whole number, not 0"),
        (["sweep", "--exact", "--durability", "exit"], "so none can be derived"),
        (["sweep", "--exact", "-c", "m:f"], "checkpointer m:f is not known to the byte"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With what is wrong, and no traceback."""
    monkeypatch.chdir(tmp_path)
    save_results(fake_results(turns=20), Path("plain/results.json"))
    save_results(fake_results(workloads=("A", "B"), turns=20), Path("several/results.json"))
    assert _main(monkeypatch, *arguments) == ExitCode.USAGE
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
