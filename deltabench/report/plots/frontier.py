"""Plot of the choice: stored bytes against the slowest resume, and the K that is advised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.plots.labels import Label, place_labels
from deltabench.report.plots.style import (
    FULL_COLOUR,
    Skipped,
    axis_number,
    bytes_axis,
    fitting,
    lay_out,
    new_figure,
    titles,
)
from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from deltabench.results.values import Frontier, Group, Point, Summary

TITLE = "Which K are worth choosing between?"
FILE_NAME = "frontier"
_COLOUR, _BEATEN_COLOUR, _ADVISED_COLOUR = "#0072b2", "#767676", "#b34700"

_MOST_NAMED = 12
_LEAST_SPAN = 0.3
_FEW_DECADES = 100


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw every policy as a point; those that nothing beats are joined."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    frontier = group.frontier
    if frontier is None:
        return Skipped(reason="fewer than two K gave a result with a resume")
    scale = 1000 if frontier.cost_unit == "seconds" else 1
    figure, (axes,) = new_figure()
    best = sorted((p.total_bytes, p.cost * scale) for p in frontier.points if p.on_frontier)
    axes.plot(*zip(*best, strict=True), color=_COLOUR, linewidth=1.4, zorder=1)
    for point in frontier.points:
        axes.plot(
            point.total_bytes,
            point.cost * scale,
            marker="o" if point.on_frontier else "X",
            markersize=7,
            color=_ink(point),
            markerfacecolor=_ink(point) if point.on_frontier else "white",
            zorder=3,
        )
        if point.policy == frontier.advised:
            axes.plot(point.total_bytes, point.cost * scale, marker="o", markersize=15,
                      markerfacecolor="none", markeredgewidth=2, color=_ADVISED_COLOUR)  # fmt: skip
    bytes_axis(axes, "stored bytes", horizontal=True)
    if best[-1][0] < fitting(_FEW_DECADES) * best[0][0]:
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.set_xlabel(f"{axes.get_xlabel()}; crosses: beaten on both counts; left and down is better")
    axes.margins(x=0.1)
    axes.set_ylim(_limits([point.cost * scale for point in frontier.points]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _cost(value, frontier)))
    unit = "ms" if frontier.cost_unit == "seconds" else "times full"
    axes.set_ylabel(f"warm resume, slowest phase ({unit})")
    titles(figure, TITLE, group, summary)
    lay_out(figure, [[]])
    named = [p for p in frontier.points if p.on_frontier or len(frontier.points) <= _MOST_NAMED]
    place_labels(
        figure,
        axes,
        [_label(point, frontier, scale) for point in named],
        points=[(point.total_bytes, point.cost * scale) for point in frontier.points],
        line=best,
    )
    return figure


def _limits(costs: Sequence[float]) -> tuple[float, float]:
    """Limits that do not blow a difference of a few per cent up to the whole height."""
    low, high = min(costs), max(costs)
    room = max(0.12 * (high - low), (_LEAST_SPAN * high - (high - low)) / 2)
    return max(0.0, low - room), high + room


def _label(point: Point, frontier: Frontier, scale: int) -> Label:
    text = point.policy.label
    advised = point.policy == frontier.advised
    if advised:
        cost = f"{axis_number(point.cost * scale)}{' ms' if scale > 1 else 'x'}"
        text = f"{text}, advised: {format_bytes(point.total_bytes)}, {cost}"
    elif point.never_snapshots:
        text = f"{text} (never snapshots)"
    return Label(
        text=text,
        x=point.total_bytes,
        y=point.cost * scale,
        colour=_ADVISED_COLOUR if advised else _ink(point),
        bold=advised,
    )


def _ink(point: Point) -> str:
    if not point.on_frontier:
        return _BEATEN_COLOUR
    return FULL_COLOUR if point.policy.is_full else _COLOUR


def _cost(value: float, frontier: Frontier) -> str:
    return axis_number(value) + ("" if frontier.cost_unit == "seconds" else "x")
