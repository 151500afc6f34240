"""A forecast as text: estimates have a tilde, recorded turns have none."""

from __future__ import annotations

from deltabench.model.forecast import forecast
from deltabench.model.series import FixedBytes
from deltabench.model.stored import Recording
from deltabench.report.forecast import forecast_lines, forecast_marks
from tests.model.synthetic import series_of

RECORDING = Recording(
    workload="B",
    workload_digest="0",
    title="a fake session",
    packages={"langgraph": "1.2.24", "deepagents": "0.7.32"},
    series=series_of([[4000, 3000 + 10 * (turn % 7)] for turn in range(20)]),
    full=(FixedBytes(turn=20, size_bytes=3_000_000),),
)
LONG = """\
Forecast of 5,000 turns on memory: workload B, a fake session
  from 20 recorded turns, repeating every 7 turns
  langgraph 1.2.24, deepagents 0.7.32

        turn 20      200    2,000    5,000     +-     vs full     1 GB at
 full   3.00 MB  ~279 MB ~27.7 GB  ~173 GB 0.398%               turn ~380
 K=10    510 kB ~30.4 MB ~2.83 GB ~17.6 GB 0.398% ~9.81x less turn ~1,185
 K=1000  158 kB ~1.58 MB ~51.0 MB  ~233 MB 0.398%  ~743x less after 5,000

~ estimated: the recorded growth, continued. +-: what a forecast from an early
part of the recording misses at its end, for each doubling of the length."""


def _text(turns: int, frequencies: list[int], recording: Recording = RECORDING) -> str:
    marks = forecast_marks(recording.series.turns, turns)
    return "\n".join(forecast_lines(forecast(recording, turns, frequencies, marks)))


def test_a_forecast_on_a_terminal() -> None:
    """The whole text."""
    assert _text(5000, [10, 1000]) == LONG


def test_nothing_within_the_recording_is_called_estimated() -> None:
    """Recorded turns of K are exact, and no tilde stands anywhere."""
    text = _text(12, [10])
    assert "~" not in text
    assert text.count("exact") == 2
    assert "after 12" in text


def test_full_snapshots_that_were_not_run_are_estimated() -> None:
    """Also at recorded turns, with an error of their own."""
    text = _text(12, [10], RECORDING.model_copy(update={"full": ()}))
    full = next(line for line in text.splitlines() if line.startswith(" full"))
    assert "~1.15 MB" in full
    assert "2.00%" in full
    assert "Full snapshots were not run" in text


def test_it_fits_eighty_columns() -> None:
    """Whatever is foretold, and however long its name."""
    long_name = RECORDING.model_copy(update={"title": "a session with a title " * 5})
    for turns in (3, 25, 999, 1_000_000 // 50):
        assert max(len(line) for line in _text(turns, [1, 10_000], long_name).splitlines()) <= 80


def test_the_turns_shown_are_the_recorded_end_some_between_and_the_last() -> None:
    """Four at most, rising."""
    assert forecast_marks(50, 10_000) == [50, 500, 5_000, 10_000]
    assert forecast_marks(50, 60) == [50, 60]
    assert forecast_marks(50, 50) == [50]
    assert forecast_marks(50, 7) == [7]
