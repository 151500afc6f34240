"""Where the model's commands get a recorded session from: a result, or a workload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from deltabench.model.stored import Recording

# As many turns as show how a session grows, and as take a few seconds.
RECORD_TURNS = 50


def recording_from(
    result: Path | None, workload: str | None, checkpointer: str | None, repeat_session: int
) -> Recording:
    """The recording in a result, or that of a workload: shipped, or recorded now."""
    if result is not None:
        from deltabench.model.stored import only_recording
        from deltabench.results.file import load_results

        return only_recording(load_results(result), (workload, checkpointer), result)
    return workload_recording(workload or "B", checkpointer or "memory", repeat_session)


def workload_recording(workload: str, checkpointer: str, repeat_session: int) -> Recording:
    """The recording of a workload that comes with deltabench, or one made now."""
    from deltabench.api import load_workloads
    from deltabench.model.formats import known_format
    from deltabench.model.stored import shipped_recording

    known_format(checkpointer)
    (spec,) = load_workloads([workload], repeat_session=repeat_session).values()
    shipped = shipped_recording(spec, checkpointer)
    if shipped is not None:
        return shipped
    return _record(workload, min(spec.turns, RECORD_TURNS), checkpointer, repeat_session)


def _record(workload: str, turns: int, checkpointer: str, repeat_session: int) -> Recording:
    from rich.console import Console

    from deltabench.api import sweep
    from deltabench.model.stored import recordings
    from deltabench.report.progress import progress_on

    runs = "1 turn of it is" if turns == 1 else f"{turns} turns of it are"
    typer.echo(f"{workload} comes without a recording: {runs} run first", err=True)
    outcome = sweep(
        [workload],
        turns=[turns],
        k=[1],
        checkpointers=[checkpointer],
        exact=True,
        repeat_session=repeat_session,
        progress=progress_on(Console(stderr=True)),
    )
    for problem in outcome.summary.problems:
        raise DeltabenchError(f"{problem.label}: {problem.reason}", exit_code=ExitCode.CELL_FAILED)
    (recording,) = recordings(outcome.results)
    return recording
