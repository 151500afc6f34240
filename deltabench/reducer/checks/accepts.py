"""Whether the reducer takes the values it is given at all, also as the first ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import Outcome, attempt
from deltabench.reducer.expressions import expression
from deltabench.reducer.result import Check
from deltabench.reducer.subject import named_error

if TYPE_CHECKING:
    from deltabench.reducer.cases import Case
    from deltabench.reducer.checks.trial import Trial
    from deltabench.reducer.subject import Subject

EMPTY = "empty value"
RAISES = "no errors"


def check_start(subject: Subject) -> tuple[Check | None, Any]:
    """Whether a delta channel has a value to start from; the broken check, or that value."""
    start = subject.start()
    if start.raised:
        kind = getattr(subject.channel_type, "__name__", str(subject.channel_type))
        detail = f"a delta channel starts from {kind}(), which raises {named_error(start.error)}"
        return Check(EMPTY, "broken", detail), None
    return None, start.value


def check_empty(trial: Trial) -> Check:
    """Whether the value that a channel starts from can be reduced into."""
    subject, start = trial.subject, trial.start

    def takes_first(case: Case) -> bool:
        return not subject.attempt(start, case.first).raised

    begins = f"starts from {expression(start, set())}"
    if trial.find(takes_first) is None:
        case = trial.find(lambda _: True)
        writes = case.first if case else []
        outcome = subject.attempt(start, writes)
        shown = subject.shown((start, writes, outcome))
        return Check(EMPTY, "broken", f"{begins}, and every first write raises", shown)
    return Check(EMPTY, "holds", begins + _none_too(trial))


def _none_too(trial: Trial) -> str:
    taken = trial.find(lambda case: not attempt(trial.subject.reducer, None, case.first).raised)
    return "; takes None, too" if taken is not None else ""


def check_raises(trial: Trial) -> Check:
    """Whether some of the values make the reducer raise.

    That alone is a warning: a run would stop there under full snapshots as well.
    """
    subject = trial.subject

    def outcome_of(case: Case) -> Outcome:
        return subject.attempt(case.state, case.first)

    case = trial.find(lambda case: outcome_of(case).raised)
    if case is None:
        return Check(RAISES, "holds", "it takes every value tried")
    outcome = outcome_of(case)
    shown = subject.shown((case.state, case.first, outcome))
    if trial.find(lambda case: not outcome_of(case).raised) is None:
        return Check(RAISES, "broken", "every call raises", shown)
    detail = "some values raise; a run stops there under full snapshots, too"
    return Check(RAISES, "warning", detail, shown)
