"""Where `recommend` gets its thread from, and the advice on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.commands.sourcing import run_now, shipped_for
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.model.advice import Advice
    from deltabench.model.recommend import Budget
    from deltabench.model.series import Series
    from deltabench.results.file import Results
    from deltabench.results.values import Group
    from deltabench.session.graph_session import GraphSession

# Of a session that is run for the sake of advice: enough to judge times between them.
TIMED = (1, 10, 50, 250)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The thread that is asked about; at most one of result, workload, database and graph."""

    result: Path | None
    workload: str | None
    database: str | None
    thread: str | None
    checkpointer: str | None
    turns: int | None
    repeat_session: int
    graph: GraphSession | None


def advice_from(wanted: Wanted, budget: Budget, price_per_gb_month: float | None) -> Advice:
    """The advice on a result, a database, or a session that is recorded or run now."""
    from deltabench.model.advice import advise_series

    if wanted.result is not None:
        from deltabench.results.file import load_results

        results = load_results(wanted.result)
        return _on_results(results, str(wanted.result), wanted, budget, price_per_gb_month)
    if wanted.database is not None:
        series = _thread_series(wanted.database, wanted.thread)
        return advise_series(
            series,
            budget,
            session=series.source,
            turns=wanted.turns,
            price_per_gb_month=price_per_gb_month,
        )
    name, where = wanted.workload or "B", wanted.checkpointer or "memory"
    shipped = None if wanted.graph else shipped_for(name, where)
    if shipped is not None:
        return advise_series(
            shipped.series,
            budget,
            session=shipped.label,
            turns=wanted.turns,
            price_per_gb_month=price_per_gb_month,
        )
    results = run_now(
        name,
        where,
        repeat_session=wanted.repeat_session,
        graph=wanted.graph,
        timed=TIMED if budget.is_set else (),
    )
    return _on_results(results, name, wanted, budget, price_per_gb_month)


def _thread_series(database: str, thread: str | None) -> Series:
    """The thread asked for, or the one with most checkpoints; always an estimate.

    How its rows grew from turn to turn is not known, only what they take at the end.
    """
    from deltabench.inspect.scan import open_source
    from deltabench.inspect.series import thread_series

    with open_source(database) as source:
        checkpoints = source.threads()
        if not checkpoints:
            raise DeltabenchError(f"{source.name} holds no thread")
        if thread is None:
            thread = max(checkpoints, key=lambda name: checkpoints[name])
        if thread not in checkpoints:
            raise DeltabenchError(
                f"{source.name} has no thread {thread!r}",
                hint="deltabench inspect lists the largest ones",
            )
        return thread_series(source, thread).model_copy(update={"estimated": True})


def _on_results(
    results: Results,
    name: str,
    wanted: Wanted,
    budget: Budget,
    price_per_gb_month: float | None,
) -> Advice:
    from deltabench.model.advice import advise_group, advise_series
    from deltabench.model.stored import recordings

    group = _group(results, name, wanted)
    recorded = [
        recording
        for recording in recordings(results)
        if (recording.workload, recording.series.checkpointer, recording.series.turns)
        == (group.workload, group.checkpointer, group.turns)
    ]
    if not recorded:
        if wanted.turns is not None:
            raise DeltabenchError(
                f"{name} holds no recorded session, so no other length can be judged",
                hint="sweep --exact records one",
            )
        return advise_group(group, budget, price_per_gb_month=price_per_gb_month)
    return advise_series(
        recorded[0].series,
        budget,
        session=recorded[0].label,
        group=group,
        turns=wanted.turns,
        price_per_gb_month=price_per_gb_month,
    )


def _group(results: Results, name: str, wanted: Wanted) -> Group:
    """The longest group of the workload and checkpointer that are asked for."""
    from deltabench.results.summary import summarize

    asked = wanted.workload if wanted.result is not None else None
    groups = [
        group
        for group in summarize(results).groups
        if asked in {None, group.workload} and wanted.checkpointer in {None, group.checkpointer}
    ]
    names = dict.fromkeys(f"{group.workload} on {group.checkpointer}" for group in groups)
    if len(names) > 1:
        raise DeltabenchError(
            f"{name} holds several sessions: {', '.join(names)}",
            hint="choose with --workload and --checkpointer",
        )
    if not groups:
        raise DeltabenchError(f"{name} holds no such session")
    return max(groups, key=lambda group: group.turns)
