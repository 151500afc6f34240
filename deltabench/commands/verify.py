"""`deltabench verify`: whether delta channels keep what the runtime promises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deltabench.commands.graph_options import (
    ChannelOption,
    GraphOption,
    InputsOption,
    ModelOption,
    TranscriptOption,
    graph_request,
)
from deltabench.commands.modes import refuse_strangers
from deltabench.commands.options import CheckpointerOption, JsonOption, UrlOption, whole_numbers
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Sequence


_MATRIX = ("guarantee", "checkpointer", "quick", "jobs", "listing", "postgres_url", "out", "json")
_GRAPH = ("inputs", "transcript", "model", "channel", "turns", "k")
_MODES = {
    "graph": (*_GRAPH, "checkpointer", "quick", "jobs", "postgres_url", "out", "json"),
    "retention": ("thread", "keep", "sql", "json"),
    "fuzz": ("seed", "script", "checkpointer", "postgres_url", "json"),
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)


def verify(
    context: typer.Context,
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
    graph: GraphOption = None,
    inputs: InputsOption = None,
    transcript: TranscriptOption = None,
    model: ModelOption = None,
    channel: ChannelOption = [],  # noqa: B006  # typer copies it
    turns: Annotated[
        int | None, typer.Option(help="With --graph: so many turns. [default: all inputs]")
    ] = None,
    k: Annotated[
        list[str],
        typer.Option("--k", help="With --graph: snapshot frequencies. [default: 2,3,1000]"),
    ] = [],  # noqa: B006  # typer copies it
    retention: Annotated[
        str | None,
        typer.Option(
            "--retention",
            metavar="DATABASE",
            help="Show which rows of a SQLite file or postgresql:// address may be deleted.",
        ),
    ] = None,
    thread: Annotated[str | None, typer.Option(help="With --retention: only this thread.")] = None,
    keep: Annotated[
        int, typer.Option(min=1, help="With --retention: so many newest checkpoints stay.")
    ] = 1,
    sql: Annotated[
        bool, typer.Option("--sql", help="With --retention: print the statements.")
    ] = False,
    fuzz: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Instead: N random sequences of operations on each checkpointer. "
            "[default for it: memory, sqlite]",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="With --fuzz: seed of the sequences. [default: 0]")
    ] = None,
    script: Annotated[
        Path | None,
        typer.Option(help="With --fuzz: write the scripts of findings here, not to stdout."),
    ] = None,
    postgres_url: UrlOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Directory for verdicts.json, .md and .html, too."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Drive full and delta twins alike, and say what is not the same afterwards.

    Each guarantee is tried on each checkpointer, or your own graph with --graph, or random
    sequences with --fuzz. Exit code 1 when one fails or something unknown differs, 3 when none
    could be tried or fuzzing ended early.
    """
    refuse_strangers(context, _MODES, _MATRIX)
    if retention is not None:
        from deltabench.commands.verify_retention import tell_retention

        tell_retention(retention, thread=thread, keep=keep, as_sql=sql, as_json=json)
        return
    from deltabench.commands.verify_graph import look_at
    from deltabench.commands.verify_matrix import run_and_tell
    from deltabench.verify.guarantees.registry import GUARANTEES, guarantee_named
    from deltabench.verify.matrix import Matrix
    from deltabench.verify.own_graph.guarantee import NAME

    if fuzz is not None:
        from deltabench.commands.verify_fuzz import fuzz_and_tell

        fuzz_and_tell(
            context,
            checkpointer,
            sequences=fuzz,
            seed=seed or 0,
            script=script,
            postgres_url=postgres_url,
            json=json,
        )
        return
    names = tuple(dict.fromkeys(guarantee)) or tuple(each.name for each in GUARANTEES)
    chosen = [guarantee_named(name) for name in names]
    if listing:
        for each in chosen:
            typer.echo(f"{each.name}: {each.promise}\n  from: {each.source}\n  tried: {each.how}")
        return
    for name in checkpointer:
        _refuse_unknown(name, postgres_url)
    request = graph_request(
        graph,
        inputs,
        transcript=transcript,
        model=model,
        allow_model_calls=False,
        channels=channel,
        repeat_session=1,
        other_options={},
    )
    own = None
    if request is not None:
        own = look_at(request, turns, _frequencies(k))
        names = (NAME,)
    matrix = Matrix(
        guarantees=names,
        checkpointers=tuple(dict.fromkeys(checkpointer)),
        quick=quick,
        postgres_url=postgres_url,
        jobs=jobs,
        own=own,
    )
    run_and_tell(matrix, out=out, json=json)


def _frequencies(texts: Sequence[str]) -> list[int]:
    found = whole_numbers("--k", texts)
    if any(number < 1 for number in found):
        raise DeltabenchError("--k: a snapshot frequency is 1 or more", hint="such as --k 2,50")
    return found


def _refuse_unknown(name: str, postgres_url: str | None) -> None:
    from deltabench.checkpointers.registry import backend_named

    backend_named(name, postgres_url=postgres_url)
