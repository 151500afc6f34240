"""Plot of how long turns take as the session grows, full beside delta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.plots.style import (
    Name,
    Skipped,
    axis_number,
    fitting,
    lay_out,
    line_style,
    new_figure,
    titles,
)
from deltabench.report.words import headline_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from deltabench.cells import Policy
    from deltabench.results.values import Column, Figures, Group, Summary

TITLE = "Do turns get slower as the session grows?"
FILE_NAME = "turns"
_FEWEST_WINDOWS = 3
_FEWEST_IN_BAND = 5


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw the median of each window of turns, and the middle 90 % for full and one K."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    shown = [(c.policy, c.figures) for c in _chosen(group) if c.figures]
    if not shown:
        return Skipped(reason="no row gave a result")
    if any(len(figures.turn_windows) < _FEWEST_WINDOWS for _, figures in shown):
        return Skipped(reason=f"fewer than {_FEWEST_WINDOWS} turns")
    policies = [policy for policy, _ in shown]
    banded = _banded(group, shown)
    figure, (axes,) = new_figure()
    names = []
    for policy, figures in shown:
        style = line_style(policy, policies)
        windows = figures.turn_windows
        turns = [(window.first_turn + window.last_turn) / 2 for window in windows]
        middles = [window.median_seconds * 1000 for window in windows]
        if policy in banded:
            low = [window.p5_seconds * 1000 for window in windows]
            high = [window.p95_seconds * 1000 for window in windows]
            axes.fill_between(turns, low, high, color=style["color"], alpha=0.16, linewidth=0)
        axes.plot(turns, middles, markersize=4, **style)
        name = f"{policy.label}: {axis_number(middles[-1])} ms"
        names.append(Name(text=name, colour=style["color"], y=middles[-1]))
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(fitting(9), integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda turn, _: f"{turn:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_number(value)))
    axes.set_xlabel(_x_label(shown, banded, len(group.deltas)))
    axes.set_ylabel("latency of a turn (ms)")
    titles(figure, TITLE, group, summary)
    lay_out(figure, [names])
    return figure


def _chosen(group: Group) -> list[Column]:
    """Full and at most three K (the least, the one advised, the greatest): more hide each other."""
    deltas = [column for column in group.deltas if column.figures]
    keep = [*deltas[:1], *deltas[-1:]]
    headline = headline_column(group)
    return [c for c in group.columns if c.policy.is_full or c in keep or c == headline]


def _banded(group: Group, shown: Sequence[tuple[Policy, Figures]]) -> list[Policy]:
    headline = headline_column(group)
    wanted = headline.policy if headline else shown[-1][0]
    return [
        policy
        for policy, figures in shown
        if (policy.is_full or policy == wanted)
        and figures.turn_windows[0].samples >= _FEWEST_IN_BAND
    ]


def _x_label(shown: Sequence[tuple[Policy, Figures]], banded: Sequence[Policy], deltas: int) -> str:
    first = shown[0][1].turn_windows[0]
    size = first.last_turn - first.first_turn + 1
    words = [f"turn; medians of {size} turns" if size > 1 else "turn"]
    if banded:
        words.append(f"shaded: 90 % of the turns ({' and '.join(p.label for p in banded)})")
    left_out = deltas - sum(not policy.is_full for policy, _ in shown)
    if left_out:
        words.append(f"{left_out} other K not drawn")
    return "; ".join(words)
