"""`deltabench compare`: results side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.gate.formats.registry import ComparisonFormat


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compare)


def compare(
    results: Annotated[
        list[Path], typer.Argument(help="Two or more results; the first is what others are to.")
    ],
    everything: Annotated[
        bool, typer.Option("--all", help="Every figure, also those that are equal.")
    ] = False,
    format: Annotated[  # noqa: A002  # the name of the option
        ComparisonFormat, typer.Option("--format", "-f", help="How to tell it.")
    ] = "text",
) -> None:
    """Show results side by side, each against the first.

    They may be of other langgraph versions, but must be of the same sessions.
    """
    from deltabench.gate.comparing import compare as put_side_by_side
    from deltabench.gate.formats.comparison import render
    from deltabench.gate.sides import Side
    from deltabench.results.file import load_results

    sides = [Side(str(path), load_results(path)) for path in results]
    comparison = put_side_by_side(sides, everything=everything)
    typer.echo(render(comparison, format), nl=False)
    raise typer.Exit(comparison.exit_code)
