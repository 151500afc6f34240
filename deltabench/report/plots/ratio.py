"""Plot of how much less delta channels store: full / delta against turns, and the ceiling K."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.plots.style import (
    Name,
    Skipped,
    axis_number,
    counts_axis,
    lay_out,
    line_style,
    new_figure,
    titles,
)
from deltabench.report.units import ratio_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from deltabench.results.values import Group, Summary

TITLE = "How many times less do delta channels store?"
FILE_NAME = "ratio"


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw one line per K, and its ceiling where the lines come near it."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    policies = [column.policy for column in group.columns]
    lines = [
        (column.policy, [(mark.turn, mark.ratio) for mark in column.figures.marks if mark.ratio])
        for column in group.deltas
        if column.figures
    ]
    lines = [(policy, points) for policy, points in lines if points]
    if not lines:
        return Skipped(reason="no ratio without both a full row and a delta row")
    if all(len(points) == 1 for _, points in lines):
        return Skipped(reason="storage was counted at one turn only")
    figure, (axes,) = new_figure()
    names = []
    highest = max(ratio for _, points in lines for _, ratio in points)
    for policy, points in lines:
        style = line_style(policy, policies)
        axes.plot(*zip(*points, strict=True), markersize=4.5, **style)
        text = f"{policy.label}: {ratio_words(points[-1][1])}"
        names.append(Name(text=text, colour=style["color"], y=points[-1][1]))
        k = policy.snapshot_frequency or 1
        if k <= 2 * highest:
            axes.axhline(k, color=style["color"], linewidth=1, linestyle=(0, (1, 2)), zorder=1)
    axes.set_yscale("log")
    counts_axis(axes, [turn for _, points in lines for turn, _ in points], "turns")
    axes.set_xlabel(f"{axes.get_xlabel()}; dotted: K, the ceiling if full stores each update once")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=9))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{axis_number(ratio)}x"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("stored bytes, full / delta (log scale)")
    titles(figure, TITLE, group, summary)
    lay_out(figure, [names])
    return figure
