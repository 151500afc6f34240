"""All plots of one group, as files beside the report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.report.plots.style import Skipped, markup, narrow, save

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.report.plots.catalogue import PlotModule
    from deltabench.results.values import Group, Summary


class Plot(Value):
    """A plot that was drawn, by its file beside the report; or the reason why it was not.

    `svg` is the drawing itself, and `narrow_svg` the same for a phone, for a report that
    carries its plots inside.
    """

    title: str
    file: str | None
    reason: str = ""
    svg: str = ""
    narrow_svg: str = ""


def draw_group(
    group: Group, summary: Summary, directory: Path, *, suffix: str
) -> tuple[list[Plot], list[Path]]:
    """Draw what these results give as `<plot><suffix>.png` and `.svg`, and list both.

    A plot that cannot be drawn is removed if an earlier report left it. OSError if the
    directory cannot be written.
    """
    from deltabench.report.plots.catalogue import PLOTS

    plots: list[Plot] = []
    written: list[Path] = []
    for plot in PLOTS:
        name = f"{plot.FILE_NAME}{suffix}"
        figure = plot.draw(group, summary)
        if isinstance(figure, Skipped):
            plots.append(Plot(title=plot.TITLE, file=None, reason=figure.reason))
            for old in (directory / f"{name}.png", directory / f"{name}.svg"):
                old.unlink(missing_ok=True)
        else:
            files = save(figure, directory, name)
            written += files
            plots.append(
                Plot(
                    title=plot.TITLE,
                    file=files[0].name,
                    svg=files[1].read_text(encoding="utf-8"),
                    narrow_svg=_narrow(plot, group, summary),
                )
            )
    return plots, written


def _narrow(plot: PlotModule, group: Group, summary: Summary) -> str:
    with narrow():
        figure = plot.draw(group, summary)
        return "" if isinstance(figure, Skipped) else markup(figure)


def slug(*parts: object) -> str:
    """A part of a file name made from any text: lower case letters, digits and hyphens."""
    text = "-".join(str(part) for part in parts)
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()
