"""Figures of fake results, and what is written on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from deltabench.report.plots.style import Skipped
from deltabench.results.summary import summarize

if TYPE_CHECKING:
    from deltabench.results.file import Results

MANY = (1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000)


def draw(plot: Any, results: Results) -> Figure:
    """Draw the first group; the results must give this plot."""
    summary = summarize(results)
    figure = plot.draw(summary.groups[0], summary)
    assert isinstance(figure, Figure)
    return figure


def skipped(plot: Any, results: Results) -> str:
    """Give the reason why the first group cannot be drawn."""
    summary = summarize(results)
    answer = plot.draw(summary.groups[0], summary)
    assert isinstance(answer, Skipped)
    return answer.reason


def names(figure: Figure) -> list[str]:
    """Every text on the figure but the two titles."""
    return [text.get_text() for text in figure.texts[2:]]
