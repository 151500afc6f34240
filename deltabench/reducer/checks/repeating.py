"""Whether the same call gives the same again: a replay makes every call again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from deltabench.reducer.result import Check
from deltabench.reducer.sameness import difference, made_at_random

if TYPE_CHECKING:
    from deltabench.reducer.calling import Outcome
    from deltabench.reducer.cases import Case
    from deltabench.reducer.checks.trial import Trial

DETERMINISTIC = "deterministic"
_KEPT_CASES = 20


def check_deterministic(trial: Trial) -> Check:
    """Call twice with equal arguments, at once and again after the pause of the trial."""
    subject = trial.subject
    kept: list[tuple[Case, Outcome]] = []

    def differs(case: Case) -> bool:
        one = subject.attempt(case.state, case.writes)
        if len(kept) < _KEPT_CASES:
            kept.append((case, one))
        return not one.agrees(subject.attempt(case.state, case.writes))

    case = trial.find(differs)
    if case is not None:
        one = subject.attempt(case.state, case.writes)
        return _broken(trial, case, one, subject.attempt(case.state, case.writes), "")
    if trial.pause_seconds:
        time.sleep(trial.pause_seconds)
        for case, before in kept:
            later = subject.attempt(case.state, case.writes)
            if not before.agrees(later):
                when = f" {trial.pause_seconds:.1f} s later"
                return _broken(trial, case, before, later, when)
    return Check(DETERMINISTIC, "holds", "the same call gives the same again")


def _broken(trial: Trial, case: Case, one: Outcome, two: Outcome, when: str) -> Check:
    found = difference(one.value, two.value)
    detail = f"the same call gives another state{when}"
    if found is not None and made_at_random(found[1], found[2]):
        detail = f"it makes ids at random{found[0] and f', at {found[0]}'}: a replay gives others"
    shown = trial.subject.shown((case.state, case.writes, one), (case.state, case.writes, two))
    return Check(DETERMINISTIC, "broken", detail, shown)
