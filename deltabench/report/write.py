"""The report directory: CSV, Markdown and plots beside results.json."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.report.markdown import Plot, markdown
from deltabench.results.frame import to_frame
from deltabench.results.summary import summarize

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.results.file import Results
    from deltabench.results.values import Group, Summary


def write_report(results: Results, directory: Path, *, rtt_ms: float | None = None) -> list[Path]:
    """Write results.csv, report.md and the plots; give back what was written.

    A plot that these results do not give is removed if an earlier report left it.
    DeltabenchError with REFUSED if the directory cannot be written.
    """
    summary = summarize(results, rtt_ms=rtt_ms)
    table, text = directory / "results.csv", directory / "report.md"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        csv = to_frame(results).to_csv(index=False, lineterminator="\n")
        table.write_text(csv, encoding="utf-8")
        written = [table, text]
        plots = []
        for group in summary.groups:
            found, files = _draw(group, summary, directory)
            plots.append((group, found))
            written += files
        text.write_text(markdown(summary, plots), encoding="utf-8")
    except OSError as error:
        message = f"cannot write the report to {directory}: {error.strerror or error}"
        hint = "results.json is unharmed: deltabench report renders it again"
        raise DeltabenchError(message, hint=hint, exit_code=ExitCode.REFUSED) from error
    return written


def json_summary(results: Results, *, rtt_ms: float | None = None) -> str:
    """Give the summary as JSON for machines, with numbers in the units of their names."""
    return summarize(results, rtt_ms=rtt_ms).model_dump_json(indent=2) + "\n"


def _draw(group: Group, summary: Summary, directory: Path) -> tuple[list[Plot], list[Path]]:
    from deltabench.report.plots import frequency, ratio, storage
    from deltabench.report.plots.style import Skipped, save

    plots, written = [], []
    for plot in (storage, ratio, frequency):
        name = f"{plot.FILE_NAME}-{_slug(group)}" if len(summary.groups) > 1 else plot.FILE_NAME
        figure = plot.draw(group, summary)
        if isinstance(figure, Skipped):
            plots.append(Plot(title=plot.TITLE, file=None, reason=figure.reason))
            for old in (directory / f"{name}.png", directory / f"{name}.svg"):
                old.unlink(missing_ok=True)
        else:
            written += save(figure, directory, name)
            plots.append(Plot(title=plot.TITLE, file=f"{name}.png"))
    return plots, written


def _slug(group: Group) -> str:
    parts = (group.workload, group.turns, group.checkpointer, group.durability)
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(str(part) for part in parts)).strip("-").lower()
