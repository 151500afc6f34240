"""Plot of what is stored: shares of values, writes and rows for every policy, and the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.plots.style import Name, Skipped, fitting, lay_out, new_figure, titles
from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from deltabench.cells import Policy, StoredBytes
    from deltabench.results.values import Group, Summary

TITLE = "What is stored, and how much of it does no K reduce?"
FILE_NAME = "parts"
# Fill and, for text on white, a darker tone of it; light to dark in grey as well.
_ROWS, _WRITES, _VALUES = ("#d9d9d9", "#666666"), ("#e69f00", "#8a5a00"), ("#0072b2", "#0072b2")
_FLOOR_COLOUR = "#1a1a1a"
_BAR_WIDTH = 0.74
_MOST_UPRIGHT, _MOST_UPRIGHT_TICKS = 10, 16
_NAMED_SHARE = 5.0  # a thinner part has no room for its percentage


def draw(group: Group, summary: Summary) -> Figure | Skipped:
    """Draw one bar of 100 % per policy with its size on top, and the floor as a line in it."""
    bars = [
        (column.policy, column.figures.stored)
        for column in group.columns
        if column.figures and column.figures.stored.total_bytes
    ]
    if all(policy.is_full for policy, _ in bars):
        return Skipped(reason="no delta row gave a result")
    figure, (axes,) = new_figure()
    upright = len(bars) <= fitting(_MOST_UPRIGHT)
    for place, (_, stored) in enumerate(bars):
        _bar(axes, place, stored, upright=upright)
    ticks = [policy.label.removeprefix("K=") for policy, _ in bars]
    axes.set_xticks(
        range(len(bars)), ticks, rotation=90 * (len(bars) > fitting(_MOST_UPRIGHT_TICKS))
    )
    axes.set_xlim(-0.6, len(bars) - 0.4)
    axes.set_ylim(0, 108 if upright else 122)
    axes.set_yticks(range(0, 101, 20))
    axes.grid(visible=False, axis="x")
    axes.set_ylabel("share of the stored bytes (%)")
    axes.set_xlabel("snapshot frequency K, in updates of a channel; on top: stored bytes")
    titles(figure, TITLE, group, summary)
    lay_out(figure, [_names(bars)])
    return figure


def _bar(axes: Axes, place: int, stored: StoredBytes, *, upright: bool) -> None:
    bottom = 0.0
    for size, (fill, _) in (
        (stored.row_bytes + stored.key_bytes, _ROWS),
        (stored.write_bytes, _WRITES),
        (stored.value_bytes, _VALUES),
    ):
        share = 100 * size / stored.total_bytes
        axes.bar(place, share, _BAR_WIDTH, bottom, color=fill, edgecolor="white", linewidth=0.8)
        if share >= _NAMED_SHARE and upright:
            ink = "white" if fill == _VALUES[0] else "#1a1a1a"
            axes.text(place, bottom + share / 2, _percent(share), fontsize=8, color=ink,
                      ha="center", va="center")  # fmt: skip
        bottom += share
    floor = 100 * stored.floor_bytes / stored.total_bytes
    axes.hlines(floor, place - 0.46, place + 0.46, color=_FLOOR_COLOUR, linewidth=2.2)
    axes.text(place, 101.5, format_bytes(stored.total_bytes), fontsize=8, ha="center",
              va="bottom", rotation=0 if upright else 90)  # fmt: skip


def _percent(share: float) -> str:
    return ">99%" if round(share) == 100 and share < 100 else f"{share:.0f}%"  # noqa: PLR2004


def _names(bars: Sequence[tuple[Policy, StoredBytes]]) -> list[Name]:
    last = bars[-1][1]
    rows = 100 * (last.row_bytes + last.key_bytes) / last.total_bytes
    floor = 100 * last.floor_bytes / last.total_bytes
    smallest = format_bytes(min(stored.floor_bytes for _, stored in bars))
    return [
        Name(text="rows and keys", colour=_ROWS[1], y=rows / 2),
        Name(text="writes", colour=_WRITES[1], y=(rows + floor) / 2),
        Name(text=f"the floor: {smallest}", colour=_FLOOR_COLOUR, y=floor),
        Name(text="values", colour=_VALUES[1], y=(floor + 100) / 2),
    ]
