"""`deltabench verify`: whether delta channels keep what the runtime promises."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.checkpointers.registry import NAMES
from deltabench.commands.options import CheckpointerOption, JsonOption, UrlOption
from deltabench.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)


def verify(
    guarantee: Annotated[
        list[str], typer.Option("--guarantee", "-g", help="Only this one; may be repeated.")
    ] = [],  # noqa: B006  # typer copies it
    checkpointer: CheckpointerOption = ["memory", "sqlite", "postgres"],  # noqa: B006
    quick: Annotated[
        bool, typer.Option("--quick", help="One variant of each guarantee: a minute.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 2,
    listing: Annotated[
        bool, typer.Option("--list", help="Show what is promised and how it is tried.")
    ] = False,
    postgres_url: UrlOption = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write the table to this file, too.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Drive full and delta twins alike, and say what is not the same afterwards.

    Each guarantee is tried on each checkpointer. Exit code 1 when one fails, 3 when none
    could be tried.
    """
    from rich.console import Console

    from deltabench.report.verdicts import markdown as as_markdown
    from deltabench.report.verdicts import verdict_lines
    from deltabench.report.verify_progress import VerifyProgress
    from deltabench.verify.document import document
    from deltabench.verify.guarantees.registry import GUARANTEES, guarantee_named
    from deltabench.verify.known import load_known, no_longer_seen
    from deltabench.verify.matrix import Matrix, run_matrix

    names = tuple(dict.fromkeys(guarantee)) or tuple(each.name for each in GUARANTEES)
    chosen = [guarantee_named(name) for name in names]
    if listing:
        for each in chosen:
            typer.echo(f"{each.name}: {each.promise}\n  from: {each.source}\n  tried: {each.how}")
        return
    for name in checkpointer:
        _refuse_unknown(name, postgres_url)
    matrix = Matrix(
        guarantees=names,
        checkpointers=tuple(dict.fromkeys(checkpointer)),
        quick=quick,
        postgres_url=postgres_url,
        jobs=jobs,
    )
    with VerifyProgress(Console(stderr=True), len(names) * len(matrix.checkpointers)) as progress:
        verdicts = run_matrix(matrix, progress.case, progress.verdict)
    known = load_known()
    seen = [entry for v in verdicts for case in v.cases for entry in case.known]
    whole = [v.guarantee for v in verdicts if v.status in {"holds", "differs"}]
    everywhere = set(NAMES) <= set(matrix.checkpointers) and not quick
    gone = no_longer_seen(known, whole, seen) if everywhere else ()
    if json:
        typer.echo(document(verdicts))
    else:
        typer.echo("\n".join(verdict_lines(verdicts, known, gone)))
    if markdown is not None:
        markdown.write_text(as_markdown(verdicts), encoding="utf-8")
    if any(verdict.status == "fails" for verdict in verdicts):
        raise typer.Exit(ExitCode.FAILED)
    if all(verdict.status == "not_tried" for verdict in verdicts):
        raise typer.Exit(ExitCode.CELL_FAILED)


def _refuse_unknown(name: str, postgres_url: str | None) -> None:
    from deltabench.checkpointers.registry import backend_named

    backend_named(name, postgres_url=postgres_url)
