"""`deltabench recommend`: which K to take on this thread, and what else would help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.commands.graph_options import (
    AllowModelCallsOption,
    ChannelOption,
    GraphOption,
    InputsOption,
    ModelOption,
    TranscriptOption,
    graph_request,
    surveyed,
)
from deltabench.commands.options import RepeatSessionOption
from deltabench.commands.sourcing import RECORD_TURNS
from deltabench.errors import DeltabenchError

_STALL_SECONDS = 300.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(recommend)


def recommend(
    result: Annotated[
        Path | None,
        typer.Argument(help="A results.json, or its directory; best of sweep --exact --timed."),
    ] = None,
    workload: Annotated[
        str | None,
        typer.Option("--workload", "-w", help="A, B, a workload or a transcript; instead, B."),
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="A SQLite file or postgresql:// address: its threads.")
    ] = None,
    thread: Annotated[
        str | None, typer.Option(help="With --database: this thread. [default: the longest]")
    ] = None,
    checkpointer: Annotated[
        str | None,
        typer.Option("--checkpointer", "-c", help="memory, sqlite or postgres. [default: memory]"),
    ] = None,
    turns: Annotated[
        int | None, typer.Option(help="Judge the thread at this length (estimated).")
    ] = None,
    max_resume_ms: Annotated[
        float | None, typer.Option(min=0.0, help="The slowest warm resume may take so long.")
    ] = None,
    max_history_ms: Annotated[
        float | None, typer.Option(min=0.0, help="The last 50 checkpoints may take so long.")
    ] = None,
    price_per_gb_month: Annotated[
        float | None, typer.Option(min=0.0, help="Also say what 1,000 such threads cost.")
    ] = None,
    repeat_session: RepeatSessionOption = 1,
    graph: GraphOption = None,
    inputs: InputsOption = None,
    transcript: TranscriptOption = None,
    model: ModelOption = None,
    allow_model_calls: AllowModelCallsOption = False,
    channel: ChannelOption = [],  # noqa: B006  # typer copies it
    json: Annotated[bool, typer.Option("--json", help="Print the advice as JSON.")] = False,
) -> None:
    """Say which K to take within time budgets, and what else helps.

    Judged over many lengths of the thread, since bytes at one length can mislead.
    """
    from deltabench.commands.advising import Wanted, advice_from
    from deltabench.model.recommend import Budget
    from deltabench.report.recommend import advice_lines

    if database is not None and (result is not None or workload is not None):
        raise DeltabenchError("--database excludes RESULT and --workload")
    if thread is not None and database is None:
        raise DeltabenchError("--thread needs --database")
    if turns is not None and turns < 1:
        raise DeltabenchError(f"turns must be a positive whole number, not {turns}")
    budget = Budget(
        resume_seconds=None if max_resume_ms is None else max_resume_ms / 1000,
        history_seconds=None if max_history_ms is None else max_history_ms / 1000,
    )
    own = graph_request(
        graph,
        inputs,
        transcript=transcript,
        model=model,
        allow_model_calls=allow_model_calls,
        channels=channel,
        repeat_session=repeat_session,
        other_options={
            "RESULT": result is not None,
            "--workload": workload is not None,
            "--database": database is not None,
        },
    )
    length = [] if own is None else [min(own.check(None), RECORD_TURNS)]
    wanted = Wanted(
        result=result,
        workload=workload,
        database=database,
        thread=thread,
        checkpointer=checkpointer,
        turns=turns,
        repeat_session=repeat_session,
        graph=surveyed(own, length, seed=0, stall_seconds=_STALL_SECONDS),
    )
    advice = advice_from(wanted, budget, price_per_gb_month)
    if json:
        typer.echo(advice.model_dump_json(indent=2))
        return
    typer.echo("\n".join(advice_lines(advice)))
