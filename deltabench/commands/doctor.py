"""`deltabench doctor`: whether a combination will work with delta channels."""

from __future__ import annotations

import json as jsons
from typing import Annotated

import typer

from deltabench.commands.options import JsonOption, UrlOption
from deltabench.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    graph: Annotated[
        str | None,
        typer.Option("--graph", help="A graph, as in langgraph.json: ./agent.py:graph."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option("--database", help="A SQLite file, or a postgresql:// address; read only."),
    ] = None,
    checkpointer: Annotated[
        str | None,
        typer.Option("--checkpointer", "-c", help="Try this one on an empty store."),
    ] = None,
    requirements: Annotated[
        str | None,
        typer.Option(
            "--requirements",
            help="Judge the versions of this list instead of the installed ones; - reads stdin.",
        ),
    ] = None,
    postgres_url: UrlOption = None,
    json: JsonOption = False,
) -> None:
    """Look for known faults before anyone migrates to delta channels.

    Installed versions are held against those that were tried; a graph's delta channels,
    reducers and serializer are looked at, and the chains of threads in a database. Exit
    code 1 when a fault is found.
    """
    from deltabench.doctor.lines import doctor_lines
    from deltabench.doctor.versions import look_at_versions

    parts = [look_at_versions(requirements)]
    if graph is not None:
        from deltabench.doctor.graph import look_at_graph

        parts.append(look_at_graph(graph))
    if checkpointer is not None:
        from deltabench.checkpointers.registry import backend_named
        from deltabench.doctor.checkpointer import look_at_checkpointer

        backend_named(checkpointer, postgres_url=postgres_url)
        parts.append(look_at_checkpointer(checkpointer, postgres_url))
    if database is not None:
        from deltabench.doctor.database import look_at_database
        from deltabench.inspect.progress import Progress
        from deltabench.inspect.scan import open_source

        with open_source(database) as source, Progress() as progress:
            parts.append(look_at_database(source, progress.show))
    if json:
        found = [part.model_dump(mode="json") for part in parts]
        typer.echo(jsons.dumps({"parts": found}, indent=2))
    else:
        typer.echo("\n".join(doctor_lines(parts)))
    if any(part.faults for part in parts):
        raise typer.Exit(ExitCode.FAILED)
