"""Where `recommend` gets its thread from, and the advice on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.commands.sourcing import workload_recording
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.model.advice import Advice
    from deltabench.model.recommend import Budget
    from deltabench.model.series import Series
    from deltabench.results.file import Results
    from deltabench.results.values import Group


@dataclass(frozen=True, slots=True)
class Wanted:
    """The thread that is asked about; at most one of the first three is given."""

    result: Path | None
    workload: str | None
    database: str | None
    thread: str | None
    checkpointer: str | None
    turns: int | None
    repeat_session: int


def advice_from(wanted: Wanted, budget: Budget, price_per_gb_month: float | None) -> Advice:
    """The advice on a result, a database, or a workload that is recorded or can be."""
    from deltabench.model.advice import advise_series

    if wanted.result is not None:
        return _on_result(wanted, wanted.result, budget, price_per_gb_month)
    if wanted.database is not None:
        series = _thread_series(wanted.database, wanted.thread)
        return advise_series(
            series,
            budget,
            session=series.source,
            turns=wanted.turns,
            price_per_gb_month=price_per_gb_month,
        )
    recording = workload_recording(
        wanted.workload or "B", wanted.checkpointer or "memory", wanted.repeat_session
    )
    return advise_series(
        recording.series,
        budget,
        session=recording.label,
        turns=wanted.turns,
        price_per_gb_month=price_per_gb_month,
    )


def _thread_series(database: str, thread: str | None) -> Series:
    """The thread asked for, or the one with most checkpoints; always an estimate.

    How its rows grew from turn to turn is not known, only what they take at the end.
    """
    from deltabench.inspect.scan import open_source
    from deltabench.inspect.series import thread_series

    with open_source(database) as source:
        if thread is None:
            checkpoints = source.threads()
            if not checkpoints:
                raise DeltabenchError(f"{source.name} holds no thread")
            thread = max(checkpoints, key=lambda name: checkpoints[name])
        return thread_series(source, thread).model_copy(update={"estimated": True})


def _on_result(
    wanted: Wanted, path: Path, budget: Budget, price_per_gb_month: float | None
) -> Advice:
    from deltabench.model.advice import advise_group, advise_series
    from deltabench.model.stored import only_recording
    from deltabench.results.file import load_results

    results = load_results(path)
    group = _group(results, wanted, path)
    if not any(row.cell.records and row.measurement for row in results.rows):
        if wanted.turns is not None:
            raise DeltabenchError(
                f"{path} holds no recorded session, so no other length can be judged",
                hint="sweep --exact records one",
            )
        return advise_group(group, budget, price_per_gb_month=price_per_gb_month)
    recording = only_recording(results, (group.workload, group.checkpointer), path)
    return advise_series(
        recording.series,
        budget,
        session=recording.label,
        group=group,
        turns=wanted.turns,
        price_per_gb_month=price_per_gb_month,
    )


def _group(results: Results, wanted: Wanted, path: Path) -> Group:
    """The longest group of the workload and checkpointer that are asked for."""
    from deltabench.results.summary import summarize

    groups = [
        group
        for group in summarize(results).groups
        if wanted.workload in {None, group.workload}
        and wanted.checkpointer in {None, group.checkpointer}
    ]
    names = dict.fromkeys(f"{group.workload} on {group.checkpointer}" for group in groups)
    if len(names) > 1:
        raise DeltabenchError(
            f"{path} holds several sessions: {', '.join(names)}",
            hint="choose with --workload and --checkpointer",
        )
    if not groups:
        raise DeltabenchError(f"{path} holds no such session")
    return max(groups, key=lambda group: group.turns)
