"""`deltabench forecast`: how storage grows beyond what is practical to run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deltabench.commands.options import RepeatSessionOption, whole_numbers
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from deltabench.model.forecast import Forecast

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
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Directory for forecast.json and a plot of the curves."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the curves as JSON.")] = False,
) -> None:
    """Say how storage goes on beyond what was run, with an error bar.

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
    shown = forecast_marks(recording.series.turns, turns)
    every = sorted({*turn_marks(turns), *shown})
    curves = continue_growth(recording, turns, frequencies, every)
    if json:
        typer.echo(curves.model_dump_json(indent=2))
    else:
        typer.echo("\n".join(forecast_lines(curves.at(shown))))
    if out is not None:
        _write(curves, out)


def _write(curves: Forecast, directory: Path) -> None:
    from deltabench.report.plots import forecast as plot
    from deltabench.report.plots.style import save

    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{plot.FILE_NAME}.json"
    path.write_text(curves.model_dump_json(indent=2) + "\n", encoding="utf-8")
    save(plot.draw(curves), directory, plot.FILE_NAME)
    typer.echo(f"Saved: {directory} ({path.name}, 1 plot)", err=True)
