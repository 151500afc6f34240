"""Every plot of a report, in the order in which a reader asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from deltabench.report.plots import (
    frequency,
    frontier,
    parts,
    ratio,
    resume,
    storage,
    turns,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from deltabench.report.plots.style import Skipped
    from deltabench.results.values import Group, Summary


class PlotModule(Protocol):
    """What a file of a plot offers: the question it answers, a file name, and the figure."""

    TITLE: str
    FILE_NAME: str

    def draw(self, group: Group, summary: Summary) -> Figure | Skipped:
        """Draw one group, or say why it cannot be drawn."""


PLOTS: tuple[PlotModule, ...] = (storage, ratio, parts, turns, resume, frequency, frontier)
