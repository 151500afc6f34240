"""`deltabench run` and `deltabench sweep`: measure, save, show."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

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
from deltabench.commands.options import (
    A_WORKLOAD,
    AnonymizeOption,
    CheckpointerOption,
    DurabilityOption,
    ForceOption,
    JsonOption,
    KeepDatabaseOption,
    OutOption,
    RepeatOption,
    RepeatSessionOption,
    ResumeOption,
    RttOption,
    SeedOption,
    StallOption,
    UrlOption,
    WorkloadOption,
    whole_numbers,
)
from deltabench.commands.showing import say_notices
from deltabench.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from deltabench.lab.job import AnySession


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(run)
    app.command()(sweep)


def run(
    workload: Annotated[str, typer.Option("--workload", "-w", help=f"{A_WORKLOAD}.")] = "B",
    turns: Annotated[
        int | None, typer.Option(help="Length of the session. [default: the workload's own]")
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", help="Snapshot frequency. [default: Deep Agents' own]")
    ] = None,
    checkpointer: Annotated[
        str,
        typer.Option("--checkpointer", "-c", help="memory, sqlite, postgres, or module:factory."),
    ] = "memory",
    durability: DurabilityOption = "async",
    repeat: RepeatOption = 1,
    seed: SeedOption = 0,
    repeat_session: RepeatSessionOption = 1,
    anonymize: AnonymizeOption = False,
    out: OutOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    postgres_url: UrlOption = None,
    rtt_ms: RttOption = None,
    stall_seconds: StallOption = 300.0,
    keep_database: KeepDatabaseOption = None,
    json: JsonOption = False,
    graph: GraphOption = None,
    inputs: InputsOption = None,
    transcript: TranscriptOption = None,
    model: ModelOption = None,
    allow_model_calls: AllowModelCallsOption = False,
    channel: ChannelOption = [],  # noqa: B006  # typer copies it
) -> None:
    """Measure one workload: full snapshots against one K."""
    from deltabench.api import installed_k, load_workloads

    loaded: dict[str, AnySession]
    own = surveyed(
        graph_request(
            graph,
            inputs,
            transcript=transcript,
            model=model,
            allow_model_calls=allow_model_calls,
            channels=channel,
            repeat_session=repeat_session,
            other_options={"--workload": workload != "B", "--anonymize": anonymize},
        ),
        [] if turns is None else [turns],
        seed=seed,
        stall_seconds=stall_seconds,
    )
    if own is not None:
        loaded = {own.name: own}
    else:
        loaded = load_workloads([workload], repeat_session=repeat_session, anonymize=anonymize)
    say_notices(loaded.values())
    spec = next(iter(loaded.values()))
    _measure(
        name_parts=([spec.name], [turns or spec.turns], [f"k{k}"] if k else [], [checkpointer]),
        workloads=[workload],
        turns=[] if turns is None else [turns],
        k=[installed_k() if k is None else k],
        checkpointers=[checkpointer],
        durability=durability,
        repeat=repeat,
        seed=seed,
        repeat_session=repeat_session,
        anonymize=anonymize,
        out=out,
        resume=resume,
        force=force,
        postgres_url=postgres_url,
        rtt_ms=rtt_ms,
        stall_seconds=stall_seconds,
        keep_database=keep_database,
        json=json,
        graph=own,
    )


def sweep(
    workload: WorkloadOption = ["B"],  # noqa: B006  # typer copies it
    turns: Annotated[
        str | None, typer.Option(help="Lengths, such as 50,200. [default: the workload's own]")
    ] = None,
    k: Annotated[
        str | None,
        typer.Option(
            "--k",
            help="Snapshot frequencies, such as 1,10 or 1..200. "
            "[default: 1,2,5,10,25,50,100,250,1000]",
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Run the session twice and derive the bytes of every K."),
    ] = False,
    timed: Annotated[
        str | None, typer.Option("--timed", help="With --exact: K to run as well, for their times.")
    ] = None,
    checkpointer: CheckpointerOption = ["memory"],  # noqa: B006  # typer copies it
    durability: DurabilityOption = "async",
    repeat: RepeatOption = 1,
    seed: SeedOption = 0,
    repeat_session: RepeatSessionOption = 1,
    anonymize: AnonymizeOption = False,
    out: OutOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    postgres_url: UrlOption = None,
    rtt_ms: RttOption = None,
    stall_seconds: StallOption = 300.0,
    keep_database: KeepDatabaseOption = None,
    json: JsonOption = False,
    graph: GraphOption = None,
    inputs: InputsOption = None,
    transcript: TranscriptOption = None,
    model: ModelOption = None,
    allow_model_calls: AllowModelCallsOption = False,
    channel: ChannelOption = [],  # noqa: B006  # typer copies it
) -> None:
    """Measure many K and say which one to take.

    Also many workloads, lengths and checkpointers; one full session serves every K.
    """
    from deltabench.api import load_workloads

    lengths = whole_numbers("--turns", [] if turns is None else [turns])
    loaded: dict[str, AnySession]
    own = surveyed(
        graph_request(
            graph,
            inputs,
            transcript=transcript,
            model=model,
            allow_model_calls=allow_model_calls,
            channels=channel,
            repeat_session=repeat_session,
            other_options={"--workload": workload != ["B"], "--anonymize": anonymize},
        ),
        lengths,
        seed=seed,
        stall_seconds=stall_seconds,
    )
    if own is not None:
        loaded = {own.name: own}
    else:
        loaded = load_workloads(workload, repeat_session=repeat_session, anonymize=anonymize)
    say_notices(loaded.values())
    _measure(
        name_parts=(["sweep"], loaded, lengths, checkpointer),
        workloads=workload,
        turns=lengths,
        k=whole_numbers("--k", [] if k is None else [k]) or None,
        exact=exact,
        timed=whole_numbers("--timed", [] if timed is None else [timed]),
        checkpointers=checkpointer,
        durability=durability,
        repeat=repeat,
        seed=seed,
        repeat_session=repeat_session,
        anonymize=anonymize,
        out=out,
        resume=resume,
        force=force,
        postgres_url=postgres_url,
        rtt_ms=rtt_ms,
        stall_seconds=stall_seconds,
        keep_database=keep_database,
        json=json,
        graph=own,
    )


def _measure(
    *,
    name_parts: tuple[object, ...],
    out: Path | None,
    rtt_ms: float | None,
    json: bool,
    **options: object,
) -> None:
    from rich.console import Console

    from deltabench import api
    from deltabench.commands.showing import show
    from deltabench.output import choose_directory, report_name
    from deltabench.report.progress import progress_on

    resume = bool(options["resume"])
    directory = choose_directory(report_name(*name_parts), out, resume=resume)  # type: ignore[arg-type]
    try:
        outcome = api.sweep(
            **options,  # type: ignore[arg-type]
            out=directory,
            progress=progress_on(Console(stderr=True)),
            command=command_line(sys.argv[1:]),
        )
    except KeyboardInterrupt:
        line = f"interrupted: finished cells are saved in {directory}; --resume goes on"
        typer.echo(line, err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    show(outcome, rtt_ms=rtt_ms, json=json)


def command_line(arguments: Sequence[str]) -> str:
    """The command as typed, without what must not be shared.

    That is the address of a database, and the place of a transcript that is anonymized.
    """
    secret = ["--postgres-url"]
    if "--anonymize" in arguments:
        secret += ["--workload", "-w"]
    words: list[str] = []
    for word in arguments:
        if words and words[-1] in secret:
            words.append("...")
        else:
            words.append(_without_value(word, secret))
    return shlex.join(["deltabench", *words])


def _without_value(word: str, secret: Sequence[str]) -> str:
    """`--name=value` and `-nvalue` of secret options without the value."""
    for name in secret:
        glued = f"{name}=" if name.startswith("--") else name
        if word.startswith(glued) and word != name:
            return f"{glued}..."
    return word
