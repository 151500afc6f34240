"""Whether the reducer leaves its arguments as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.reducer.calling import call, copied
from deltabench.reducer.expressions import expression
from deltabench.reducer.result import Call, Check, Counterexample
from deltabench.reducer.sameness import same

if TYPE_CHECKING:
    from deltabench.reducer.cases import Case
    from deltabench.reducer.checks.trial import Trial
    from deltabench.reducer.subject import Subject

INPUTS = "inputs unchanged"


def check_inputs(trial: Trial) -> Check:
    """Compare state and writes before and after a call, deeply."""
    case = trial.find(lambda case: bool(_changed(trial.subject, case)))
    if case is None:
        return Check(INPUTS, "holds", "state and writes are left as they were")
    changed = _changed(trial.subject, case)
    detail = f"it changes {' and '.join(changed)} in place"
    return Check(INPUTS, "broken", detail, _shown(trial.subject, case))


def _changed(subject: Subject, case: Case) -> list[str]:
    state, writes = copied(case.state), copied(case.writes)
    call(subject.reducer, state, writes)
    parts = {"the state": (state, case.state), "the writes": (writes, case.writes)}
    return [name for name, (after, before) in parts.items() if not same(after, before)]


def _shown(subject: Subject, case: Case) -> Counterexample:
    imports: set[str] = set()
    before = expression(case.state, imports), expression(case.writes, imports)
    state, writes = copied(case.state), copied(case.writes)
    call(subject.reducer, state, writes)
    line = (
        f"state, writes = {before[0]}, {before[1]}; {subject.call_text('state', 'writes', imports)}"
    )
    after = f"state == {expression(state, imports)}, writes == {expression(writes, imports)}"
    return Counterexample(tuple(sorted(imports)), (Call(line, after),))
