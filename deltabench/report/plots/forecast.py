"""Plot of a forecast: lines where it was recorded, dots where it is estimated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.model.forecast import GIGABYTE
from deltabench.report.plots.style import (
    Name,
    bytes_axis,
    counts_axis,
    lay_out,
    line_style,
    new_figure,
    write_titles,
)
from deltabench.report.units import format_bytes, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from deltabench.model.forecast import Forecast

TITLE = "How much will be stored?"
FILE_NAME = "forecast"
_GREY = "#767676"


def draw(forecast: Forecast) -> Figure:
    """Draw every line of a forecast over its turns, with its error as a band."""
    figure, (axes,) = new_figure()
    policies = [line.policy for line in forecast.lines]
    names = []
    for line in forecast.lines:
        style = line_style(line.policy, policies)
        known = [point for point in line.points if not point.estimated]
        told = [point for point in line.points if point.estimated]
        for points, dashes in ((known, "-"), (known[-1:] + told, (0, (1, 1.6)))):
            axes.plot(
                [point.turn for point in points],
                [point.size_bytes for point in points],
                color=style["color"],
                linestyle=dashes,
                linewidth=1.8,
            )
        axes.fill_between(
            [point.turn for point in told],
            [point.size_bytes - point.error_bytes for point in told],
            [point.size_bytes + point.error_bytes for point in told],
            color=style["color"],
            alpha=0.25,
            linewidth=0,
        )
        last = line.points[-1]
        mark = "~" if last.estimated else ""
        text = f"{line.policy.label}: {mark}{format_bytes(last.size_bytes)}"
        names.append(Name(text=text, colour=style["color"], y=last.size_bytes))
    axes.axhline(GIGABYTE, color=_GREY, linewidth=0.8)
    turns = [point.turn for point in forecast.lines[0].points]
    counts_axis(axes, turns, "turns")
    axes.set_xlabel(f"{axes.get_xlabel()}; dotted: estimated; thin line: 1 GB")
    bytes_axis(axes, "stored bytes")
    about = (
        f"{plain(forecast.session)}, {plain(forecast.checkpointer)}, "
        f"from {forecast.recorded_turns:,} recorded turns"
    )
    write_titles(figure, TITLE, about)
    lay_out(figure, [names])
    return figure
