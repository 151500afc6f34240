"""`deltabench inspect`: what a checkpoint database holds, and would hold; read only."""

from __future__ import annotations

from typing import Annotated

import typer

from deltabench.commands.options import JsonOption, whole_numbers
from deltabench.errors import DeltabenchError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(inspect)


def inspect(
    database: Annotated[
        str, typer.Argument(help="A SQLite file, or a postgresql:// address.", metavar="DATABASE")
    ],
    thread: Annotated[str | None, typer.Option(help="Only this thread.")] = None,
    top: Annotated[int, typer.Option(min=0, help="How many of the largest threads to list.")] = 20,
    k: Annotated[
        str, typer.Option("--k", help="Snapshot frequencies to try.")
    ] = "1,10,50,100,1000",
    sample: Annotated[
        str | None,
        typer.Option(help="Read only so many threads, such as 100 or 5%, and estimate the rest."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    json: JsonOption = False,
) -> None:
    """Say what a database holds, and what each K would store.

    It is one that langgraph's SQLite or PostgreSQL checkpointer writes. It is opened so
    that nothing can be written, and stored values are measured without building the
    objects that they describe.
    """
    from deltabench.inspect.lines import inspection_lines
    from deltabench.inspect.progress import Progress
    from deltabench.inspect.scan import inspect_database, open_source
    from deltabench.inspect.summary import json_summary

    frequencies = sorted(set(whole_numbers("--k", [k])))
    if frequencies[0] < 1:
        raise DeltabenchError(
            f"--k: {frequencies[0]} is not a snapshot frequency", hint="1 or more"
        )
    if thread is not None and sample is not None:
        raise DeltabenchError("--thread and --sample exclude each other")
    with open_source(database) as source, Progress() as progress:
        found = inspect_database(
            source,
            policies=(None, *frequencies),
            thread=thread,
            top=top,
            sample=sample,
            seed=seed,
            progress=progress.show,
        )
    typer.echo(json_summary(found) if json else "\n".join(inspection_lines(found)))
