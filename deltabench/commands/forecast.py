"""`deltabench forecast`: how storage grows beyond what is practical to run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deltabench.commands.options import RepeatSessionOption, whole_numbers
from deltabench.errors import DeltabenchError

DEFAULT_K = "10,50,100,1000"
_MOST_TURNS = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(forecast)


def forecast(
    result: Annotated[
        Path | None,
        typer.Argument(help="A results.json of sweep --exact, or its directory."),
    ] = None,
    workload: Annotated[
        str | None,
        typer.Option("--workload", "-w", help="A, B, or a file; without a result, B."),
    ] = None,
    turns: Annotated[int, typer.Option(help="How far to look.")] = 10_000,
    k: Annotated[str, typer.Option("--k", help="Snapshot frequencies.")] = DEFAULT_K,
    checkpointer: Annotated[
        str | None,
        typer.Option("--checkpointer", "-c", help="memory, sqlite or postgres. [default: memory]"),
    ] = None,
    repeat_session: RepeatSessionOption = 1,
    json: Annotated[bool, typer.Option("--json", help="Print the curves as JSON.")] = False,
) -> None:
    """Continue the recorded growth of a session: an estimate, with its error.

    A and B come recorded, so that nothing is run; other workloads are run for 50 turns.
    """
    from deltabench.commands.sourcing import recording_from
    from deltabench.model.forecast import forecast as continue_growth
    from deltabench.plan import turn_marks
    from deltabench.report.forecast import forecast_lines, forecast_marks

    if not 1 <= turns <= _MOST_TURNS:
        message = f"--turns: {turns} is not a number from 1 to {_MOST_TURNS:,}"
        raise DeltabenchError(message)
    frequencies = whole_numbers("--k", [k])
    if min(frequencies) < 1:
        raise DeltabenchError(f"K must be a positive whole number, not {min(frequencies)}")
    recording = recording_from(result, workload, checkpointer, repeat_session=repeat_session)
    recorded = recording.series.turns
    marks = turn_marks(turns) if json else forecast_marks(recorded, turns)
    found = continue_growth(recording, turns, frequencies, marks)
    if json:
        typer.echo(found.model_dump_json(indent=2))
        return
    typer.echo("\n".join(forecast_lines(found)))
