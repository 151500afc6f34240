"""Whether another process gives the same: replays happen after restarts and on other machines."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.reducer.elsewhere import call_elsewhere
from deltabench.reducer.result import Check
from deltabench.subject.loading import one_line

if TYPE_CHECKING:
    from deltabench.reducer.calling import Outcome
    from deltabench.reducer.checks.trial import Trial

PROCESSES = "other process"
_MOST_CASES = 60


def check_processes(trial: Trial, spec: str) -> Check:
    """Call in two fresh processes whose sets and hashes are ordered differently."""
    subject = trial.subject
    # The simplest of the cases first, as nothing shrinks them here.
    cases = sorted(trial.tried, key=lambda case: len(repr(case)))
    cases = [case for case in cases if len(case.writes) > 1 or case.state][:_MOST_CASES]

    def gave(hash_seed: int) -> list[Outcome]:
        return call_elsewhere(spec, subject.annotations.form, cases, hash_seed=hash_seed)

    try:
        with ThreadPoolExecutor(2) as pool:
            one, two = pool.map(gave, (1, 2))
    except (DeltabenchError, TypeError, ValueError) as error:
        return Check(PROCESSES, "not tried", one_line(error))
    for case, first, second in zip(cases, one, two, strict=True):
        if not first.agrees(second):
            detail = "another process gives another state: the order of a set or of hashes?"
            shown = subject.shown(
                (case.state, case.writes, first), (case.state, case.writes, second)
            )
            return Check(PROCESSES, "broken", detail, shown)
    return Check(PROCESSES, "holds", "a process with other hashes gives the same")
