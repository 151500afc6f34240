"""`deltabench reproduce`: the published figures, measured again."""

from __future__ import annotations

import typer

from deltabench.commands.options import (
    ForceOption,
    JsonOption,
    OutOption,
    ResumeOption,
    SeedOption,
)
from deltabench.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reproduce)


def reproduce(
    seed: SeedOption = 0,
    out: OutOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Measure the published figures again.

    Some two minutes; exit code 1 when a figure is out.
    """
    from rich.console import Console

    from deltabench.output import choose_directory
    from deltabench.report.progress import progress_on
    from deltabench.report.published import as_json, published_lines
    from deltabench.reproduce import compare_with_published, measure_published

    directory = choose_directory("reproduce", out, resume=resume)
    results = measure_published(
        directory, seed=seed, resume=resume, force=force, progress=progress_on(Console(stderr=True))
    )
    findings = compare_with_published(results)
    typer.echo(as_json(findings) if json else "\n".join(published_lines(findings, results)))
    typer.echo(f"Saved: {directory}", err=True)
    if any(row.failure for row in results.rows):
        raise typer.Exit(ExitCode.CELL_FAILED)
    if not all(finding.holds for finding in findings):
        raise typer.Exit(ExitCode.FAILED)
