"""The contract itself: one batch or two, the same state; and no batch, no change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.reducer.calling import Outcome
from deltabench.reducer.expressions import expression
from deltabench.reducer.result import Call, Check, Counterexample

if TYPE_CHECKING:
    from deltabench.reducer.cases import Case
    from deltabench.reducer.checks.trial import Trial
    from deltabench.reducer.subject import Subject

BATCHING = "batching"
NO_WRITES = "no writes"


def check_batching(trial: Trial) -> Check:
    """Whether reducer(reducer(s, xs), ys) == reducer(s, xs + ys)."""
    subject = trial.subject
    case = trial.find(lambda case: not _in_two(subject, case).agrees(_in_one(subject, case)))
    if case is None:
        return Check(BATCHING, "holds", "one batch or two, the same state")
    detail = "one batch gives another state than two"
    return Check(BATCHING, "broken", detail, _shown(subject, case))


def check_no_writes(trial: Trial) -> Check:
    """Whether reducer(s, []) == s, which the contract implies for an empty batch."""
    subject = trial.subject
    case = trial.find(lambda case: not subject.attempt(case.state, []).agrees(Outcome(case.state)))
    if case is None:
        return Check(NO_WRITES, "holds", "an empty batch changes nothing")
    outcome = subject.attempt(case.state, [])
    detail = "an empty batch raises" if outcome.raised else "an empty batch changes the state"
    return Check(NO_WRITES, "broken", detail, subject.shown((case.state, [], outcome)))


def _in_two(subject: Subject, case: Case) -> Outcome:
    between = subject.attempt(case.state, case.first)
    return between if between.raised else subject.attempt(between.value, case.second)


def _in_one(subject: Subject, case: Case) -> Outcome:
    return subject.attempt(case.state, case.writes)


def _shown(subject: Subject, case: Case) -> Counterexample:
    imports: set[str] = set()
    state, first, second, both = (
        expression(part, imports) for part in (case.state, case.first, case.second, case.writes)
    )
    in_two = subject.call_text(subject.call_text(state, first, imports), second, imports)
    in_one = subject.call_text(state, both, imports)
    calls = (
        Call(in_two, _in_two(subject, case).text(imports)),
        Call(in_one, _in_one(subject, case).text(imports)),
    )
    return Counterexample(tuple(sorted(imports)), calls)
