"""Forecasts hold: against runs of three times the length, and against the reference report."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from deltabench.cells import Policy
from deltabench.errors import DeltabenchError
from deltabench.model.forecast import GIGABYTE, forecast
from deltabench.model.series import FixedBytes
from deltabench.model.stored import SHIPPED, Recording, shipped_recording
from deltabench.results.file import load_results
from deltabench.session.workload import load_workload
from tests.model.sessions import SMALL, record, run
from tests.model.synthetic import series_of

REFERENCE = Path(__file__).parents[2] / "reports" / "reference"
RECORDED, TURNS = 10, 36


def _recording(growth: list[list[int]], full: tuple[FixedBytes, ...] = ()) -> Recording:
    return Recording(
        workload="pattern",
        workload_digest="0",
        title="",
        packages={},
        series=series_of(growth),
        full=full,
    )


def test_a_forecast_is_what_a_longer_run_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten recorded turns foretell thirty-six within 2 %, with large results every third turn."""
    full = run(SMALL, RECORDED, "memory", None, monkeypatch)
    _, series = record(SMALL, RECORDED, "memory", monkeypatch)
    recording = Recording(
        workload=SMALL.name,
        workload_digest=SMALL.digest,
        title=SMALL.title,
        packages={},
        series=series,
        full=tuple(FixedBytes(turn=s.turn, size_bytes=s.total_bytes) for s in full),
    )
    found = forecast(recording, TURNS, [7], [TURNS])
    assert found.period_turns == 3
    for line in found.lines:
        k = line.policy.snapshot_frequency
        real = run(SMALL, TURNS, "memory", k, monkeypatch)[-1].total_bytes
        assert line.points[-1].size_bytes == pytest.approx(real, rel=0.02)


@pytest.mark.parametrize("name", ["A", "B"])
def test_shipped_recordings_foretell_the_reference_report(name: str) -> None:
    """From 50 turns to its 200: within 2 % of what was measured, and within the error bar."""
    recording = shipped_recording(load_workload(name), "memory")
    assert recording is not None
    rows = [row for row in load_results(REFERENCE).rows if row.cell.workload == name]
    ks = [k for row in rows if (k := row.cell.policy.snapshot_frequency)]
    found = {line.policy: line.points[0] for line in forecast(recording, 200, ks, [200]).lines}
    assert len(found) == len(rows) > 2
    for row in rows:
        assert row.measurement is not None
        point, real = found[row.cell.policy], row.measurement.stored.total_bytes
        assert point.estimated
        assert abs(point.size_bytes - real) <= point.error_bytes < 0.02 * real, row.cell.label


def test_every_shipped_recording_is_of_the_workload_as_it_is() -> None:
    """A workload that was changed must be recorded again."""
    assert len(list(SHIPPED.glob("*.json"))) == 6
    for name in ("A", "B"):
        for checkpointer in ("memory", "sqlite", "postgres"):
            recording = shipped_recording(load_workload(name), checkpointer)
            assert recording is not None, f"{name} {checkpointer}: scripts/record_series.py"
            assert recording.series.checkpointer == checkpointer
            assert recording.full[-1].turn == recording.series.turns


def test_a_workload_of_another_shape_has_no_recording() -> None:
    """A name alone does not make it the same workload."""
    other = load_workload("A").model_copy(update={"answer_chars": 1})
    assert shipped_recording(other, "memory") is None


def test_the_gigabyte_is_the_first_turn_that_holds_one() -> None:
    """The turn named has 1 GB or more, the one before has less."""
    found = forecast(_recording([[900_000, 900_000]] * 20), 500, [1], range(1, 501))
    full = found.lines[0]
    turn = full.gigabyte_turn
    assert turn is not None
    assert full.gigabyte_estimated is (turn > 20)
    sizes = {point.turn: point.size_bytes for point in full.points}
    assert sizes[turn - 1] < GIGABYTE <= sizes[turn]
    assert forecast(_recording([[9]] * 20), 500, [1], [500]).lines[0].gigabyte_turn is None


def test_the_error_bar_grows_with_the_length_and_with_what_was_missed() -> None:
    """A regular thread has a narrow one; recorded turns have none."""
    uneven = [[100 + 37 * (turn * turn % 11)] for turn in range(24)]
    regular = forecast(_recording([[100]] * 24), 400, [5], [24, 50, 400]).lines[1].points
    wandering = forecast(_recording(uneven), 400, [5], [24, 50, 400]).lines[1].points
    for points in (regular, wandering):
        assert points[0].error_bytes == 0
        assert not points[0].estimated
        shares = [point.error_bytes / point.size_bytes for point in points]
        assert all(early < late for early, late in pairwise(shares))
    assert wandering[2].error_bytes > 2 * regular[2].error_bytes


def test_full_is_scaled_to_what_was_measured() -> None:
    """The curve goes through the full run, which lacks ids that a delta run has."""
    growth = [[500]] * 12
    plain = forecast(_recording(growth), 24, [], [12, 24]).lines[0].points
    measured = FixedBytes(turn=12, size_bytes=plain[0].size_bytes // 2)
    found = forecast(_recording(growth, (measured,)), 24, [], [12, 24])
    assert found.full_measured
    assert found.lines[0].policy == Policy()
    assert found.lines[0].points[0].size_bytes == pytest.approx(measured.size_bytes, abs=1)
    assert found.lines[0].points[1].size_bytes == pytest.approx(plain[1].size_bytes / 2, abs=1)


def test_too_short_a_recording_gives_no_forecast() -> None:
    """With seven turns nothing is left to hold a forecast against."""
    with pytest.raises(DeltabenchError, match="7 recorded turns are too few"):
        forecast(_recording([[1]] * 7), 20, [5], [20])


def test_a_shipped_workload_is_foretold_without_running_anything() -> None:
    """The command imports neither langgraph nor deepagents, so it cannot run a session."""
    program = (
        "import sys; from deltabench import cli\n"
        "sys.argv = ['deltabench', 'forecast', '--workload', 'B', '--turns', '10000']\n"
        "try: cli.main()\n"
        "except SystemExit as end: assert not end.code\n"
        "assert not {'langgraph', 'deepagents', 'matplotlib', 'pandas'} & sys.modules.keys()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Forecast of 10,000 turns on memory: workload B" in done.stdout
