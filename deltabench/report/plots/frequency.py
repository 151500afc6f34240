"""Plot of what K saves and costs: stored bytes, and below them the slowest warm resume."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.report.derived import shown_columns
from deltabench.report.plots.style import (
    FULL_COLOUR,
    Name,
    Skipped,
    axis_number,
    bytes_axis,
    counts_axis,
    lay_out,
    new_figure,
    titles,
)
from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from deltabench.results.values import Figures, Group, Summary

TITLE = "Which K: what does it save, and what does a resume cost?"
FILE_NAME = "frequency"
_DELTA_COLOUR, _FLOOR_COLOUR, _DERIVED_COLOUR = "#0072b2", "#767676", "#009e73"
_HOLLOW: dict[str, Any] = {
    "color": _DELTA_COLOUR,
    "marker": "s",
    "markersize": 5,
    "markerfacecolor": "white",
    "zorder": 3,
}
_FEWEST_K = 2
_HEIGHT_INCHES = 6.4


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw storage and worst-phase resume over K, each beside full."""
    shown = [
        (column.policy.snapshot_frequency, column.figures)
        for column in group.deltas
        if column.figures and column.policy.snapshot_frequency
    ]
    points = [(k, figures) for k, figures in shown if k]
    derived = [(c.policy.snapshot_frequency or 0, c.total_bytes.this) for c in group.derived]
    full = group.full.figures if group.full else None
    if len(points) < _FEWEST_K:
        if len(derived) < _FEWEST_K:
            return Skipped(reason="fewer than two K gave a result")
        figure, (below,) = new_figure()
        names = [_storage(below, [], full, derived)]
    else:
        figure, (above, below) = new_figure(2, height_inches=_HEIGHT_INCHES)
        names = [_storage(above, points, full, derived), _resume(below, points)]
    told = {column.policy.snapshot_frequency or 0 for column in shown_columns(group)}
    ks = sorted({k for k, _ in points} | told)
    counts_axis(below, ks, "snapshot frequency K, in updates of a channel")
    if any(figures.never_snapshots for _, figures in points):
        below.set_xlabel(f"{below.get_xlabel()}; white: never snapshots")
    titles(figure, TITLE, group, summary)
    lay_out(figure, names)
    return figure


def _storage(
    axes: Axes,
    points: Sequence[tuple[int, Figures]],
    full: Figures | None,
    derived: Sequence[tuple[int, int]],
) -> list[Name]:
    names = []
    if derived:
        axes.plot(*zip(*derived, strict=True), color=_DERIVED_COLOUR, linewidth=1.2, zorder=1)
        size = derived[-1][1]
        text = f"derived, not run: {format_bytes(size)}"
        names.append(Name(text=text, colour=_DERIVED_COLOUR, y=size))
    if points:
        names += _measured(axes, points)
    if full:
        size = full.total_bytes.this
        axes.axhline(size, color=FULL_COLOUR, linewidth=2)
        names.append(Name(text=f"full: {format_bytes(size)}", colour=FULL_COLOUR, y=size))
    bytes_axis(axes, "stored bytes")
    return names


def _measured(axes: Axes, points: Sequence[tuple[int, Figures]]) -> list[Name]:
    sizes = [figures.total_bytes.this for _, figures in points]
    floors = [figures.floor_bytes for _, figures in points]
    ks = [k for k, _ in points]
    axes.plot(ks, sizes, color=_DELTA_COLOUR, marker="s", markersize=5, linewidth=2)
    for k, figures in points:
        if figures.never_snapshots:
            axes.plot(k, figures.total_bytes.this, **_HOLLOW)
    axes.plot(ks, floors, color=_FLOOR_COLOUR, linestyle=(0, (1.2, 1.2)), linewidth=1.6)
    return [
        Name(text=f"delta: {format_bytes(sizes[-1])}", colour=_DELTA_COLOUR, y=sizes[-1]),
        Name(text=f"floor: {format_bytes(min(floors))}", colour=_FLOOR_COLOUR, y=floors[-1]),
    ]


def _resume(axes: Axes, points: Sequence[tuple[int, Figures]]) -> list[Name]:
    from matplotlib.ticker import FuncFormatter

    worst = [(k, figures.reads.worst_warm) for k, figures in points]
    delta = [(k, reading.seconds.this) for k, reading in worst if reading]
    full = [(k, reading.seconds.full) for k, reading in worst if reading and reading.seconds.full]
    names = []
    for text, colour, marker, line in (
        ("full, same place", FULL_COLOUR, "o", full),
        ("delta", _DELTA_COLOUR, "s", delta),
    ):
        if not line:
            continue
        ks, middles = [k for k, _ in line], [spread.median * 1000 for _, spread in line]
        axes.plot(ks, middles, color=colour, marker=marker, markersize=5, linewidth=2)
        for k, spread in line:
            if spread.low is not None and spread.high is not None:
                axes.vlines(k, spread.low * 1000, spread.high * 1000, color=colour, linewidth=4,
                            alpha=0.35)  # fmt: skip
        name = f"{text}: {axis_number(middles[-1])} ms"
        names.append(Name(text=name, colour=colour, y=middles[-1]))
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_number(value)))
    axes.set_ylabel("warm resume, slowest phase (ms)")
    return names
