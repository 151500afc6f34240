"""What a command that has results ends with: tables or JSON, the files, the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from deltabench.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from deltabench.api import Outcome
    from deltabench.report.source import Source
    from deltabench.session.interface import Session


def show(outcome: Outcome, *, rtt_ms: float | None, json: bool) -> None:
    """Print one result and write its report; a problem in it ends in its exit code."""
    from rich.console import Console

    from deltabench.report.terminal import print_results
    from deltabench.report.write import json_summary, write_report

    if json:
        typer.echo(json_summary(outcome.results, rtt_ms=rtt_ms), nl=False)
    else:
        print_results(outcome.results, Console(), rtt_ms=rtt_ms)
    if outcome.directory is not None:
        written = write_report(outcome.results, outcome.directory, rtt_ms=rtt_ms)
        say_saved(outcome.directory, "results.json, ", written)
    if outcome.summary.problems:
        raise typer.Exit(ExitCode.CELL_FAILED)


def show_several(
    sources: Sequence[Source], directory: Path, *, rtt_ms: float | None, json: bool
) -> None:
    """Print several results, what they have in common first, and write one report of all."""
    from rich.console import Console

    from deltabench.report.terminal import print_several
    from deltabench.report.write import json_summaries, write_reports
    from deltabench.results.summary import summarize

    if json:
        typer.echo(json_summaries(sources, rtt_ms=rtt_ms), nl=False)
    else:
        print_several(sources, Console(), rtt_ms=rtt_ms)
    say_saved(directory, "", write_reports(sources, directory, rtt_ms=rtt_ms))
    if any(summarize(source.results).problems for source in sources):
        raise typer.Exit(ExitCode.CELL_FAILED)


def say_saved(directory: Path, before: str, written: Sequence[Path]) -> None:
    """Tell on standard error where the files are."""
    plots = sum(path.suffix == ".png" for path in written)
    files = f"{before}results.csv, report.md, report.html"
    typer.echo(f"Saved: {directory} ({files}, {plots} plots)", err=True)


def say_notices(sessions: Iterable[Session]) -> None:
    """Tell on standard error what was left out or mended when sessions were read."""
    for session in sessions:
        for notice in session.notices():
            typer.echo(f"note: {notice}", err=True)
