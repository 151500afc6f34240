"""Whether the batch form of a binary reducer ends where the full channel does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import Outcome, copied
from deltabench.reducer.expressions import expression
from deltabench.reducer.result import Call, Check, Counterexample

if TYPE_CHECKING:
    from deltabench.reducer.cases import Case
    from deltabench.reducer.checks.trial import Trial
    from deltabench.reducer.subject import Subject

AS_FULL = "as full channel"


def check_as_full(trial: Trial) -> Check:
    """Update langgraph's own full and delta channels by the same writes, and compare."""
    subject = trial.subject
    case = trial.find(lambda case: not _full(subject, case).agrees(_delta(subject, case)))
    if case is None:
        return Check(AS_FULL, "holds", "BinaryOperatorAggregate gives the same")
    imports: set[str] = set()
    writes, state = expression(case.writes, imports), expression(case.state, imports)
    calls = (
        Call(f"full channel: {writes} on {state}", _full(subject, case).text(imports)),
        Call(subject.call_text(state, writes, imports), _delta(subject, case).text(imports)),
    )
    shown = Counterexample(tuple(sorted(imports)), calls)
    return Check(AS_FULL, "broken", "BinaryOperatorAggregate gives another state", shown)


def _full(subject: Subject, case: Case) -> Outcome:
    from langgraph.channels import BinaryOperatorAggregate

    return _updated(BinaryOperatorAggregate(subject.channel_type, subject.original), case)


def _delta(subject: Subject, case: Case) -> Outcome:
    from langgraph.channels import DeltaChannel

    return _updated(DeltaChannel(subject.reducer, subject.channel_type), case)


def _updated(channel: Any, case: Case) -> Outcome:
    try:
        live = channel.from_checkpoint(copied(case.state))
        live.update(copied(case.writes))
        return Outcome(live.get())
    except Exception as error:  # noqa: BLE001  # user code may raise anything
        return Outcome(error=error)
