"""The plot of the saw-tooth: every place where resuming was timed, once."""

from __future__ import annotations

from typing import Any

from deltabench.report.plots import resume
from tests.fakes import fake_results
from tests.report.plots.drawn import draw, names


def test_the_saw_tooth_has_every_place_once_and_counts_samples() -> None:
    """The places of all K are read under each K; full stands at the same place below."""
    figure = draw(resume, fake_results(ks=(10, 50)))
    (axes,) = figure.axes
    lines: list[Any] = list(axes.lines)
    full, delta = lines
    assert list(full.get_xdata()) == list(delta.get_xdata()) == [0, 0, 25, 40, 45, 49]
    assert all(a >= b * 0.97 for a, b in zip(delta.get_ydata(), full.get_ydata(), strict=True))
    assert axes.get_xlabel() == "updates of messages since the snapshot (6 places, 3 samples each)"
    assert [name.split(":")[0] for name in names(figure)] == ["full, same place", "K=50"]
