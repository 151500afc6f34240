"""Plot of how fast storage grows: bytes against turns, both logarithmic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.plots.style import (
    Name,
    Skipped,
    bytes_axis,
    counts_axis,
    lay_out,
    line_style,
    new_figure,
    titles,
)
from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from deltabench.results.values import Group, Summary

TITLE = "How fast does storage grow?"
FILE_NAME = "storage"


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw one line per policy, with the exponent fitted from turn 10 on at its name."""
    shown = [(column.policy, column.figures) for column in group.columns if column.figures]
    if not any(len(figures.marks) > 1 for _, figures in shown):
        return Skipped(reason="storage was counted at one turn only")
    policies = [policy for policy, _ in shown]
    figure, (axes,) = new_figure()
    names = []
    for policy, figures in shown:
        style = line_style(policy, policies)
        turns = [mark.turn for mark in figures.marks]
        sizes = [mark.total_bytes for mark in figures.marks]
        axes.plot(turns, sizes, markersize=4.5, **style)
        exponent = figures.growth_exponent
        grows = "" if exponent is None else f", N^{exponent:.2f}"
        text = f"{policy.label}: {format_bytes(sizes[-1])}{grows}"
        names.append(Name(text=text, colour=style["color"], y=sizes[-1]))
    counts_axis(axes, [mark.turn for _, figures in shown for mark in figures.marks], "turns N")
    if any(figures.growth_exponent is not None for _, figures in shown):
        axes.set_xlabel(f"{axes.get_xlabel()}; the exponents are fitted from turn 10 on")
    bytes_axis(axes, "stored bytes")
    titles(figure, TITLE, group, summary)
    lay_out(figure, [names])
    return figure
