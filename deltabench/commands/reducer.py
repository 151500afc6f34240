"""`deltabench reducer`: the contract of a delta channel, tried on a user's reducer."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated, Literal

import typer

from deltabench.commands.options import JsonOption
from deltabench.errors import DeltabenchError, ExitCode


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reducer)


def reducer(
    reducer: Annotated[
        str, typer.Argument(help="module:function, or path/to/file.py:function.", metavar="REDUCER")
    ],
    writes: Annotated[
        str | None, typer.Option(help="A hypothesis strategy of one write: module:strategy.")
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="A hypothesis strategy of states: module:strategy.")
    ] = None,
    examples: Annotated[
        str | None, typer.Option(help="Writes to try: a JSON list, a .json or a .jsonl file.")
    ] = None,
    form: Annotated[
        Literal["auto", "batch", "binary"],
        typer.Option(help="reducer(state, [write, ...]) is batch, reducer(left, right) binary."),
    ] = "auto",
    max_examples: Annotated[int, typer.Option(min=1, help="Cases that each check tries.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the cases.")] = 0,
    json: JsonOption = False,
) -> None:
    """Prove or break what a delta channel asks of a reducer.

    reducer(reducer(s, xs), ys) must be reducer(s, xs + ys), and more. Values come from the
    annotations, from a strategy or from examples. Exit codes: 0 holds, 1 broken, 2 usage.
    """
    from json import dumps

    from deltabench.reducer import check_reducer
    from deltabench.reducer.given import named_examples, named_strategy
    from deltabench.reducer.rendering import render
    from deltabench.subject.loading import load_object

    if writes is not None and examples is not None:
        raise DeltabenchError("--writes and --examples exclude each other")
    with redirect_stdout(sys.stderr):  # what the user's code prints is no result
        found = load_object(reducer)
        if not callable(found):
            raise DeltabenchError(f"{reducer} is a {type(found).__name__}, no function")
        result = check_reducer(
            found,
            spec=reducer,
            form=form,
            writes=None if writes is None else named_strategy("--writes", writes),
            states=None if state is None else named_strategy("--state", state),
            examples=None if examples is None else named_examples(examples),
            max_examples=max_examples,
            seed=seed,
        )
    typer.echo(dumps(result.document(), indent=2) + "\n" if json else render(result), nl=False)
    raise typer.Exit(ExitCode.PASSED if result.holds else ExitCode.FAILED)
