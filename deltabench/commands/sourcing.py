"""Where the model's commands get a recorded session from: a result, or a session run now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from deltabench.model.stored import Recording
    from deltabench.results.file import Results
    from deltabench.session.graph_session import GraphSession

# As many turns as show how a session grows, and as take a few seconds.
RECORD_TURNS = 50


def recording_from(
    result: Path | None,
    workload: str | None,
    checkpointer: str | None,
    *,
    repeat_session: int = 1,
) -> Recording:
    """The recording in a result, or of a workload: shipped, or made now."""
    from deltabench.model.stored import recordings

    if result is not None:
        from deltabench.model.stored import only_recording
        from deltabench.results.file import load_results

        return only_recording(load_results(result), (workload, checkpointer), result)
    where = checkpointer or "memory"
    shipped = shipped_for(workload or "B", where)
    if shipped is not None:
        return shipped
    results = run_now(workload or "B", where, repeat_session=repeat_session)
    return recordings(results)[0]


def shipped_for(workload: str, checkpointer: str) -> Recording | None:
    """The recording that comes with deltabench, if this is a workload that has one."""
    from deltabench.model.formats import known_format
    from deltabench.model.stored import shipped_recording
    from deltabench.session.loading import load_session
    from deltabench.session.workload import shipped_workloads

    known_format(checkpointer)
    if workload.lower() not in shipped_workloads():
        return None
    recording = shipped_recording(load_session(workload), checkpointer)
    if recording is not None:
        _say_other_versions(recording)
    return recording


def _say_other_versions(recording: Recording) -> None:
    """Tell on standard error which packages are no longer those of the recording."""
    from importlib.metadata import PackageNotFoundError, version

    for name, recorded in recording.packages.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if installed != recorded:
            line = f"note: recorded with {name} {recorded}, installed is {installed}"
            typer.echo(line, err=True)


def run_now(
    workload: str,
    checkpointer: str,
    *,
    repeat_session: int = 1,
    graph: GraphSession | None = None,
    timed: Sequence[int] = (),
) -> Results:
    """Record a session that comes without a recording; with `timed`, also measure these K.

    Raises DeltabenchError, CELL_FAILED, with the first problem of any cell.
    """
    from rich.console import Console

    from deltabench.api import load_workloads, sweep
    from deltabench.report.progress import progress_on

    loaded = load_workloads([workload], repeat_session=repeat_session) if graph is None else {}
    session = graph or next(iter(loaded.values()))
    turns = min(session.turns, RECORD_TURNS)
    length = "1 turn" if turns == 1 else f"{turns} turns"
    typer.echo(f"{session.name} comes without a recording: {length} of it are run now", err=True)
    outcome = sweep(
        [workload],
        turns=[turns],
        k=[1],
        checkpointers=[checkpointer],
        exact=True,
        timed=timed,
        repeat_session=repeat_session,
        graph=graph,
        progress=progress_on(Console(stderr=True)),
    )
    for problem in outcome.summary.problems:
        raise DeltabenchError(f"{problem.label}: {problem.reason}", exit_code=ExitCode.CELL_FAILED)
    return outcome.results
