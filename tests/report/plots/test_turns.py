"""The plot of turns: readable with many turns and many K."""

from __future__ import annotations

from typing import Any

from deltabench.report.plots import turns
from tests.fakes import fake_results
from tests.report.plots.drawn import MANY, draw, names


def test_turns_show_at_most_three_k_and_say_how_many_are_left_out() -> None:
    """Two hundred turns and ten K stay readable: twenty windows, four lines, two bands."""
    figure = draw(turns, fake_results(ks=MANY))
    (axes,) = figure.axes
    lines: list[Any] = list(axes.lines)
    assert [name.split(":")[0] for name in names(figure)] == ["K=5000", "K=100", "K=1", "full"]
    assert all(len(line.get_xdata()) == 20 for line in lines)
    assert len(axes.collections) == 2
    assert axes.get_xlabel() == (
        "turn; medians of 10 turns; shaded: 90 % of the turns (full and K=100); 7 other K not drawn"
    )


def test_turns_of_a_short_session_have_no_band() -> None:
    """Percentiles of two turns would be invented; with repeats there are enough."""
    assert draw(turns, fake_results(turns=10)).axes[0].get_xlabel() == "turn; medians of 2 turns"
    assert len(draw(turns, fake_results(turns=10, repeats=5)).axes[0].collections) == 2
