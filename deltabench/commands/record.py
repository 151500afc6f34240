"""`deltabench record`: keep what the models and tools of a graph say, to replay it later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.commands.graph_options import A_GRAPH
from deltabench.commands.options import StallOption
from deltabench.errors import DeltabenchError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(record)


def record(
    graph: Annotated[str, typer.Option("--graph", help=f"Your graph: {A_GRAPH}.")],
    inputs: Annotated[str, typer.Option("--inputs", help="A file with one JSON input a line.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    turns: Annotated[
        int | None, typer.Option(help="How many inputs to run. [default: all]")
    ] = None,
    stall_seconds: StallOption = 300.0,
) -> None:
    """Run your graph once with its real models and tools, and store what they say.

    The file holds the content of the session; `run --graph ... --transcript` replays it.
    """
    from deltabench.lab.surveying import record as record_graph
    from deltabench.session.graph_session import GraphRequest

    if out.exists():
        raise DeltabenchError(f"{out} is there already", hint="choose another --out")
    if not out.parent.is_dir():
        raise DeltabenchError(f"there is no folder {out.parent}")
    request = GraphRequest(spec=graph, inputs=inputs)
    count = record_graph(request, turns, str(out), stall_seconds=stall_seconds)
    typer.echo(f"Recorded {count} turns: {out} (it holds their content)", err=True)
