"""`deltabench workloads`: list, show and check workloads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.commands.options import A_WORKLOAD, RepeatSessionOption
from deltabench.commands.showing import say_notices
from deltabench.errors import DeltabenchError

WorkloadArgument = Annotated[str, typer.Argument(help=f"{A_WORKLOAD}.")]

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
def show_workload(workload: WorkloadArgument, repeat_session: RepeatSessionOption = 1) -> None:
    """Show the shape of a workload: what a turn writes, and what a session adds up to."""
    from deltabench.session.loading import load_session

    session = load_session(workload, repeat_session=repeat_session)
    say_notices([session])
    typer.echo("\n".join(session.shape()))


@workloads_app.command("validate")
def validate_workload(workload: WorkloadArgument) -> None:
    """Check the format, then run a short session twice: it must store the same bytes."""
    from deltabench.session.loading import load_session
    from deltabench.validate import validate

    session = load_session(workload)
    say_notices([session])
    typer.echo(f"{workload}: valid; {validate(session)}")


@workloads_app.command("anonymize")
def anonymize_transcript(
    transcript: Annotated[str, typer.Argument(help="A .json or .jsonl file, or a folder of them.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The new file. [default: standard output]")
    ] = None,
) -> None:
    """Write a transcript with generated text of the same sizes, so that it can be shared."""
    from deltabench.session.transcripts.anonymize import anonymized
    from deltabench.session.transcripts.loading import load_transcript
    from deltabench.session.transcripts.writing import as_json

    loaded = load_transcript(transcript, hide_names=True)
    say_notices([loaded])
    text = as_json(anonymized(loaded))
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.exists():
        raise DeltabenchError(f"{out} is there already", hint="choose another --out")
    out.write_text(text, encoding="utf-8")
    typer.echo(f"Saved: {out}", err=True)
