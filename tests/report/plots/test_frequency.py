"""The plot over K: what was derived is told apart from what was run."""

from __future__ import annotations

from typing import Any

from deltabench.report.plots import frequency
from tests.derived_fakes import derived_results
from tests.fakes import fake_results
from tests.report.plots.drawn import draw, names, skipped


def test_derived_k_are_a_line_of_their_own() -> None:
    """Forty derived K beside two that were run, named as not run."""
    figure = draw(frequency, derived_results(timed=(5, 10)))
    above, below = figure.axes
    lines: list[Any] = list(above.lines)
    assert [len(line.get_xdata()) for line in lines[:2]] == [40, 2]
    assert any(name.startswith("derived, not run: ") for name in names(figure))
    assert max(len(line.get_xdata()) for line in list[Any](below.lines)) == 2


def test_derived_k_alone_have_no_resume() -> None:
    """Nothing ran under them, so nothing was timed."""
    figure = draw(frequency, derived_results())
    assert len(figure.axes) == 1
    assert not any("ms" in name for name in names(figure))


def test_one_k_is_no_curve() -> None:
    """A single K is told in the table."""
    assert skipped(frequency, fake_results()) == "fewer than two K gave a result"
    assert skipped(frequency, derived_results(ks=range(5, 6))) == "fewer than two K gave a result"
