"""`deltabench report`: render saved results again, one or several in one report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.errors import DeltabenchError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    results: Annotated[
        list[Path],
        typer.Argument(help="A results.json or the directory it is in; several for one report."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Directory for the files. [default: beside one result, or reports/...]"
        ),
    ] = None,
    rtt_ms: Annotated[
        float | None,
        typer.Option(
            "--rtt-ms", min=0.0, help="Add what this network round trip would cost (derived)."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Render the tables, files and plots of existing results again."""
    from deltabench.api import Outcome
    from deltabench.commands.showing import show, show_several
    from deltabench.report.source import Source, source_names
    from deltabench.results.file import load_results

    if len(results) == 1:
        path = results[0]
        directory = out or (path if path.is_dir() else path.parent)
        show(Outcome(load_results(path), directory), rtt_ms=rtt_ms, json=json)
        return
    names = source_names(results)
    sources = [
        Source(name=name, results=load_results(path))
        for name, path in zip(names, results, strict=True)
    ]
    show_several(sources, _directory(names, out), rtt_ms=rtt_ms, json=json)


def _directory(names: list[str], out: Path | None) -> Path:
    from deltabench.output import REPORTS, report_name
    from deltabench.results.file import FILE_NAME

    directory = REPORTS / report_name(["report"], names)[:100] if out is None else out
    if (directory / FILE_NAME).exists():
        message = f"{directory} holds results of its own, whose report would be lost"
        raise DeltabenchError(message, hint="choose another --out")
    return directory
