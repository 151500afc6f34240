"""Plot of the saw-tooth: how long a resume takes, by the updates since the last snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.report.plots.style import (
    FULL_COLOUR,
    Name,
    Skipped,
    axis_number,
    fitting,
    lay_out,
    new_figure,
    titles,
)
from deltabench.report.words import headline_column
from deltabench.results.statistics import median

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from deltabench.results.values import Column, Group, ResumeAt, Summary

TITLE = "How much slower is a resume between two snapshots?"
FILE_NAME = "resume"
_DELTA_COLOUR = "#0072b2"
_FEWEST_PLACES = 2


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw every place where a resume was timed, delta above the full row of the same place."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    column = _column(group)
    if column is None or column.figures is None:
        return Skipped(reason="no K that takes snapshots gave a result")
    places = column.figures.reads.resume_by_depth
    depths = {place.updates_since_snapshot for place in places}
    if len(depths) < _FEWEST_PLACES:
        return Skipped(reason="resuming was timed at one distance from the snapshot only")
    figure, (axes,) = new_figure()
    names = _draw_places(axes, places, column.policy.label)
    axes.margins(x=0.03, y=0.08)
    axes.set_ylim(0, 1.08 * axes.get_ylim()[1])
    axes.xaxis.set_major_locator(MaxNLocator(fitting(9), integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_number(value)))
    samples = min(place.samples for place in places)
    axes.set_xlabel(
        f"updates of messages since the snapshot ({len(places)} places, {samples} samples each)"
    )
    axes.set_ylabel("warm resume (ms)")
    titles(figure, TITLE, group, summary)
    lay_out(figure, [names])
    return figure


def _column(group: Group) -> Column | None:
    """The K that the report is about, or the greatest one whose snapshots were reached."""
    headline = headline_column(group)
    snapshots = [c for c in group.deltas if c.figures and not c.figures.never_snapshots]
    if headline in snapshots:
        return headline
    return snapshots[-1] if snapshots else None


def _draw_places(axes: Axes, places: Sequence[ResumeAt], label: str) -> list[Name]:
    hollow: dict[str, Any] = {"markerfacecolor": "white", "linestyle": "none"}
    delta, full = [], []
    for place in places:
        depth = place.updates_since_snapshot
        here = median(place.seconds) * 1000
        delta.append((depth, here))
        if place.full_seconds:
            there = median(place.full_seconds) * 1000
            full.append((depth, there))
            axes.vlines(depth, there, here, color=_DELTA_COLOUR, linewidth=1.2, alpha=0.5)
    names = []
    for text, colour, marker, style, points in (
        ("full, same place", FULL_COLOUR, "o", hollow, full),
        (label, _DELTA_COLOUR, "s", {"linestyle": "none"}, delta),
    ):
        if points:
            axes.plot(*zip(*points, strict=True), color=colour, marker=marker, markersize=5.5,
                      zorder=3, **style)  # fmt: skip
            # The name stands at the point that is furthest to the right.
            end = max(points)[1]
            names.append(Name(text=f"{text}: {axis_number(end)} ms", colour=colour, y=end))
    return names
