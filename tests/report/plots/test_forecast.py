"""The plot of a forecast: what is estimated is dotted, and has a tilde at its name."""

from __future__ import annotations

from typing import Any

from deltabench.model.forecast import forecast
from deltabench.model.stored import Recording
from deltabench.plan import turn_marks
from deltabench.report.plots import forecast as plot
from tests.model.synthetic import series_of
from tests.report.plots.drawn import names

RECORDING = Recording(
    workload="B",
    workload_digest="0",
    title="a fake session",
    packages={},
    series=series_of([[4000, 3000]] * 20),
    full=(),
)


def test_lines_are_dotted_where_they_are_estimated() -> None:
    """Up to turn 20 a K is drawn through; from there on dots go to the last turn."""
    figure = plot.draw(forecast(RECORDING, 500, [10], turn_marks(500)))
    lines: list[Any] = list(figure.axes[0].lines)
    known, told = lines[2:4]
    assert max(known.get_xdata()) == min(told.get_xdata()) == 20
    assert max(told.get_xdata()) == 500
    assert known.get_linestyle() == "-" != told.get_linestyle()
    assert [name.split(": ")[0] for name in names(figure)] == ["K=10", "full"]
    assert all(": ~" in name for name in names(figure))


def test_within_the_recording_nothing_is_dotted() -> None:
    """A K at recorded turns has no tilde."""
    figure = plot.draw(forecast(RECORDING, 20, [10], turn_marks(20)))
    (name,) = [name for name in names(figure) if name.startswith("K=10")]
    assert "~" not in name
