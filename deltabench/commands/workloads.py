"""`deltabench workloads`: list, show and check workloads."""

from __future__ import annotations

from typing import Annotated

import typer

workloads_app = typer.Typer(
    help="List, show and check workloads.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(workloads_app, name="workloads")


@workloads_app.command("list")
def list_workloads() -> None:
    """List the workloads that come with deltabench."""
    from deltabench.session.workload import load_workload, shipped_workloads

    for name in shipped_workloads():
        workload = load_workload(name)
        typer.echo(f"{workload.name}  {workload.title}, {workload.turns} turns")


@workloads_app.command("show")
def show_workload(
    workload: Annotated[str, typer.Argument(help="A, B, or a path to a .toml file.")],
) -> None:
    """Show the shape of a workload: what a turn writes, and what a session adds up to."""
    from deltabench.report.shape import shape_lines
    from deltabench.session.workload import load_workload

    typer.echo("\n".join(shape_lines(load_workload(workload))))


@workloads_app.command("validate")
def validate_workload(
    workload: Annotated[str, typer.Argument(help="A, B, or a path to a .toml file.")],
) -> None:
    """Check the format, then run a short session twice: it must store the same bytes."""
    from deltabench.session.workload import load_workload
    from deltabench.validate import validate

    spec = load_workload(workload)
    typer.echo(f"{workload}: valid; {validate(spec)}")
