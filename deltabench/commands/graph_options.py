"""Options that name a user's own graph, and what several commands do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from deltabench.session.graph_session import GraphRequest, GraphSession

A_GRAPH = "module:name, path/to/file.py:name, or a langgraph.json"
GraphOption = Annotated[
    str | None, typer.Option("--graph", help=f"Your own graph: {A_GRAPH}.", show_default=False)
]
InputsOption = Annotated[
    str | None,
    typer.Option(
        "--inputs", help="With --graph: a file with one JSON input a line.", show_default=False
    ),
]
TranscriptOption = Annotated[
    str | None,
    typer.Option(
        "--transcript",
        help="With --graph: what deltabench record stored of its models and tools.",
        show_default=False,
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="With --graph: module:factory of a scripted model that answers for all models.",
        show_default=False,
    ),
]
AllowModelCallsOption = Annotated[
    bool,
    typer.Option(
        "--allow-model-calls", help="With --graph: ask real models once, and replay them."
    ),
]
ChannelOption = Annotated[
    list[str],
    typer.Option(
        "--channel",
        help="With --graph: NAME=module:reducer makes a channel a delta channel; may be repeated.",
    ),
]


def graph_request(  # one keyword per option
    graph: str | None,
    inputs: str | None,
    *,
    transcript: str | None,
    model: str | None,
    allow_model_calls: bool,
    channels: Sequence[str],
    repeat_session: int,
    other_options: Mapping[str, bool],
) -> GraphRequest | None:
    """The graph that is asked for, None when there is none.

    `other_options` are options that do not go with a graph, and whether they are given.
    Raises DeltabenchError for a combination that makes no sense.
    """
    own = {
        "--inputs": inputs is not None,
        "--transcript": transcript is not None,
        "--model": model is not None,
        "--allow-model-calls": allow_model_calls,
        "--channel": bool(channels),
    }
    if graph is None:
        for option in (name for name, given in own.items() if given):
            raise DeltabenchError(f"{option} belongs to --graph", hint=f"--graph {A_GRAPH}")
        return None
    for option in (name for name, given in other_options.items() if given):
        raise DeltabenchError(f"--graph and {option} exclude each other")
    if inputs is None:
        raise DeltabenchError(
            "--graph needs --inputs", hint='a file of lines such as {"messages": [...]}'
        )
    from deltabench.session.graph_session import GraphRequest

    return GraphRequest(
        spec=graph,
        inputs=inputs,
        transcript=transcript,
        model=model,
        allow_model_calls=allow_model_calls,
        channels=tuple(_pair(text) for text in channels),
        repeat=repeat_session,
    )


def surveyed(
    request: GraphRequest | None, turns: Sequence[int], *, seed: int, stall_seconds: float
) -> GraphSession | None:
    """The session of a graph that was asked for, after a survey that is announced."""
    if request is None:
        return None
    from deltabench.api import survey_graph
    from deltabench.lab.surveying import recording_place

    length = request.check(max(turns, default=None))
    turn = "1 turn" if length == 1 else f"{length:,} turns"
    if request.allow_model_calls:
        place = recording_place(request)
        if place.exists():
            line = f"Replaying {place}, recorded before; without it real models are asked again"
        else:
            line = f"Asking real models once; what they say is kept in {place}, with its content"
        typer.echo(line, err=True)
    typer.echo(f"Looking at {request.spec}: two runs of {turn}", err=True)
    return survey_graph(request, turns, seed=seed, stall_seconds=stall_seconds)


def _pair(text: str) -> tuple[str, str]:
    name, equals, reducer = text.partition("=")
    if not (name and equals and reducer):
        message = f"--channel {text!r} is not NAME=module:reducer"
        raise DeltabenchError(message, hint="for example --channel notes=my_app.state:merge_notes")
    return name, reducer
