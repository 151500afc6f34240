"""The whole answer of `recommend`: candidates of one thread, the choice, and the levers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.errors import DeltabenchError
from deltabench.model.candidates import (
    full_bytes,
    measured_candidates,
    measured_full_bytes,
    series_candidates,
    times,
)
from deltabench.model.continuing import continued
from deltabench.model.levers import Lever, levers
from deltabench.model.recommend import Budget, Candidate, Choice, choose, timed_candidates
from deltabench.report.units import format_seconds

if TYPE_CHECKING:
    from deltabench.model.series import Series
    from deltabench.results.values import Group


class Advice(Value):
    """What to take, over which lengths it was judged, and what else there is.

    `full_bytes` is what full snapshots store over the same lengths; it is derived where
    full was not run, and None where that cannot be told. Lengths are in turns.
    """

    session: str
    checkpointer: str
    first: int
    length: int
    lengths: int
    budget: Budget
    price_per_gb_month: float | None
    full_bytes: int | None
    choice: Choice
    levers: tuple[Lever, ...]
    notes: tuple[str, ...]

    @property
    def shown(self) -> tuple[Candidate, ...]:
        """Every candidate that is told of."""
        return (self.choice.best, *self.choice.alternatives)


def advise_series(  # noqa: PLR0913 - what there is to ask for
    series: Series,
    budget: Budget,
    *,
    session: str,
    group: Group | None = None,
    turns: int | None = None,
    price_per_gb_month: float | None = None,
) -> Advice:
    """Advise on a recorded thread, continued to `turns` if asked for.

    `group` gives the times of the K that were run on the same thread, if any. They count
    only at the length at which they were measured: a longer thread is slower to read.
    """
    notes = []
    timed = times(group) if group else ()
    if turns is not None and turns != series.turns:
        if timed:
            notes.append(
                f"Times were measured at {series.turns:,} turns and tell nothing of {turns:,}."
            )
            timed = ()
        series = continued(series, turns).series
    candidates = series_candidates(series, [each.frequency for each in timed])
    choice = choose(timed_candidates(candidates, timed), budget)
    first = max(1, series.turns // 2 + 1)
    return Advice(
        session=session,
        checkpointer=series.checkpointer,
        first=first,
        length=series.turns,
        lengths=series.turns - first + 1,
        budget=budget,
        price_per_gb_month=price_per_gb_month,
        full_bytes=full_bytes(series),
        choice=choice,
        levers=levers(series, choice.best.frequency),
        notes=(*notes, *_beyond(choice, budget, group)),
    )


def advise_group(
    group: Group, budget: Budget, *, price_per_gb_month: float | None = None
) -> Advice:
    """Advise on a sweep that recorded nothing: among the K that were run.

    Raises DeltabenchError if none gave a result.
    """
    candidates = measured_candidates(group)
    if not candidates:
        raise DeltabenchError(
            f"{group.label}: no K was measured", hint="deltabench sweep measures several"
        )
    choice = choose(timed_candidates(candidates, times(group)), budget)
    marks = {
        mark.turn
        for column in group.deltas
        if column.figures
        for mark in column.figures.marks
        if 2 * mark.turn >= group.turns
    }
    return Advice(
        session=f"workload {group.workload}",
        checkpointer=group.checkpointer,
        first=min(marks),
        length=group.turns,
        lengths=len(marks),
        budget=budget,
        price_per_gb_month=price_per_gb_month,
        full_bytes=measured_full_bytes(group),
        choice=choice,
        levers=(),
        notes=(
            "Only the K that were run are judged; sweep --exact judges every K, and other levers.",
            *_beyond(choice, budget, group),
        ),
    )


def _beyond(choice: Choice, budget: Budget, group: Group | None) -> tuple[str, ...]:
    """What to do if no K keeps the budgets; nothing helps if full snapshots do not either."""
    if choice.within:
        return ()
    full = group.full.figures.reads if group and group.full and group.full.figures else None
    over = [
        f"{what} {format_seconds(reading.seconds.this.median)}"
        for what, reading, limit in (
            ("resume in", full.worst_warm if full else None, budget.resume_seconds),
            ("list their history in", full.history_50 if full else None, budget.history_seconds),
        )
        if reading and limit is not None and reading.seconds.this.median > limit
    ]
    if over:
        return (f"Full snapshots {' and '.join(over)} themselves: a shorter thread would help.",)
    return ("A smaller K may keep it: measure one with sweep --k.",)
