"""The report directory: CSV, Markdown, HTML and plots beside results.json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.report.comparison import compare_results
from deltabench.report.html.page import html
from deltabench.report.markdown import markdown
from deltabench.report.plots.drawing import Plot, draw_group, slug
from deltabench.report.source import Rendered, Source
from deltabench.report.table import csv_text
from deltabench.results.summary import summarize
from deltabench.verify.document import load_document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from deltabench.results.file import Results


def write_report(results: Results, directory: Path, *, rtt_ms: float | None = None) -> list[Path]:
    """Write the report of one result; see `write_reports`."""
    return write_reports([Source(name="", results=results)], directory, rtt_ms=rtt_ms)


def write_reports(
    sources: Sequence[Source], directory: Path, *, rtt_ms: float | None = None
) -> list[Path]:
    """Write results.csv, report.md, report.html and the plots; give back what was written.

    Verdicts that lie there become a part of it. A plot that these results do not give is
    removed if an earlier report left it. DeltabenchError with REFUSED if the directory
    cannot be written.
    """
    table, text, page = (directory / n for n in ("results.csv", "report.md", "report.html"))
    written = [table, text, page]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        table.write_text(csv_text(sources), encoding="utf-8")
        rendered = []
        taken: set[str] = set()
        for source in sources:
            name = source.name if len(sources) > 1 else None
            each, files = _render(source, directory, rtt_ms, name, taken)
            rendered.append(each)
            written += files
        comparison = compare_results(rendered) if len(rendered) > 1 else None
        verdicts = load_document(directory)
        text.write_text(markdown(rendered, comparison, verdicts), encoding="utf-8")
        page.write_text(html(rendered, comparison, verdicts), encoding="utf-8")
    except OSError as error:
        message = f"cannot write the report to {directory}: {error.strerror or error}"
        hint = "results.json is unharmed: deltabench report renders it again"
        raise DeltabenchError(message, hint=hint, exit_code=ExitCode.REFUSED) from error
    return written


def json_summary(results: Results, *, rtt_ms: float | None = None) -> str:
    """Give the summary as JSON for machines, with numbers in the units of their names."""
    return summarize(results, rtt_ms=rtt_ms).model_dump_json(indent=2) + "\n"


def json_summaries(sources: Sequence[Source], *, rtt_ms: float | None = None) -> str:
    """Give the summaries of several results as one JSON object, by their names."""
    summaries = {
        source.name: summarize(source.results, rtt_ms=rtt_ms).model_dump(mode="json")
        for source in sources
    }
    return json.dumps(summaries, indent=2) + "\n"


def _render(
    source: Source, directory: Path, rtt_ms: float | None, name: str | None, taken: set[str]
) -> tuple[Rendered, list[Path]]:
    summary = summarize(source.results, rtt_ms=rtt_ms)
    plots: list[tuple[str, list[Plot]]] = []
    written: list[Path] = []
    for group in summary.groups:
        parts: list[object] = [] if name is None else [name]
        if len(summary.groups) > 1:
            parts += [group.workload, group.turns, group.checkpointer, group.durability]
        suffix = _unique(f"-{slug(*parts)}" if parts else "", taken)
        found, files = draw_group(group, summary, directory, suffix=suffix)
        plots.append((group.label, found))
        written += files
    return Rendered(name=source.name, summary=summary, plots=tuple(plots)), written


def _unique(suffix: str, taken: set[str]) -> str:
    """Names that differ in punctuation only would otherwise share their files."""
    number, unique = 1, suffix
    while unique in taken:
        number += 1
        unique = f"{suffix}-{number}"
    taken.add(unique)
    return unique
