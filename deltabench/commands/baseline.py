"""`deltabench baseline update`: accept results as what later ones are held against."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.gate.baseline import Change

DEFAULT_BASELINE = Path("reports/baseline.json")
baseline_app = typer.Typer(
    help="Keep the results that check compares with.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    """Add the family of commands."""
    app.add_typer(baseline_app, name="baseline")


@baseline_app.command("update")
def update(
    results: Annotated[Path, typer.Argument(help="A results.json or the directory it is in.")],
    to: Annotated[Path, typer.Option("--to", help="The baseline.")] = DEFAULT_BASELINE,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Accept without asking.")] = False,
) -> None:
    """Show what would change in the baseline, ask, and accept it.

    A baseline is a results file without what the gate does not need. Results with a
    failed or missing cell are refused.
    """
    from deltabench.gate.baseline import changes, reduce, refuse_incomplete
    from deltabench.gate.sides import Side
    from deltabench.results.file import load_results, save_results

    new = Side(str(results), load_results(results))
    refuse_incomplete(new)
    reduced = reduce(new.results)
    old = Side(str(to), load_results(to)) if to.exists() else None
    if old and old.results == reduced:
        typer.echo(f"{to} holds exactly these results already.")
        return
    found = list(changes(Side(new.name, reduced), old))
    typer.echo("\n".join(_lines(found, to, new=old is None)))
    if not yes and not sys.stdin.isatty():
        raise DeltabenchError(f"nobody to ask: {to} is unchanged", hint="--yes accepts")
    if not yes and not typer.confirm("Accept?", err=True):
        typer.echo(f"{to} is unchanged", err=True)
        raise typer.Exit(ExitCode.FAILED)
    save_results(reduced, to)
    typer.echo(f"Saved: {to}", err=True)


def _lines(found: Sequence[Change], to: Path, *, new: bool) -> list[str]:
    if not found:
        return [f"No figure of {to} changes; only the description of the run does."]
    rows = [
        (f"  {change.metric}", change.old or "-", change.new or "-", change.change)
        for change in found
    ]
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    lines = [f"{to} is new:" if new else f"Changes in {to}, old and new:"]
    place = ""
    for change, row in zip(found, rows, strict=True):
        if change.key.label != place:
            place = change.key.label
            lines.append(place)
        name, old, latest = (
            f"{text:{'<' if number == 0 else '>'}{width}}"
            for number, (text, width) in enumerate(zip(row, widths, strict=False))
        )
        lines.append(f"{name}  {old}  {latest}  {row[3]}".rstrip())
    return lines
