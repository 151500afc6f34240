"""Whether state and writes come back from langgraph's serializer as they went in."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import Outcome
from deltabench.reducer.expressions import expression
from deltabench.reducer.result import Call, Check, Counterexample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.reducer.cases import Case
    from deltabench.reducer.checks.trial import Trial

STORED = "stored"


def check_stored(trial: Trial) -> Check:
    """Store states and writes as a saver does, and compare what comes back."""
    with _quiet():
        return _check(trial)


def _check(trial: Trial) -> Check:
    subject = trial.subject

    def failing_part(case: Case) -> Any:
        after = subject.attempt(case.state, case.first)
        parts = [*case.writes, *([] if after.raised else [after.value])]
        bad = [part for part in parts if not stored(part).agrees(Outcome(part))]
        return bad[:1]

    case = trial.find(lambda case: bool(failing_part(case)))
    if case is not None:
        part = failing_part(case)[0]
        back = stored(part)
        imports = {"from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer"}
        line = f"JsonPlusSerializer().dumps_typed({expression(part, imports)})"
        outcome = back.text(imports)
        shown = Counterexample(tuple(sorted(imports)), (Call(line, outcome),))
        kind = type(part).__name__
        how = "cannot be stored" if back.raised else "comes back as something else"
        return Check(STORED, "broken", f"a {kind} {how}", shown)
    return Check(STORED, "holds", "state and writes come back as they went in")


def stored(value: Any) -> Outcome:
    """What a value is after langgraph stored it, as a saver does by default."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    serializer = JsonPlusSerializer()
    try:
        return Outcome(serializer.loads_typed(serializer.dumps_typed(value)))
    except Exception as error:  # noqa: BLE001  # types of the user's are called
        return Outcome(error=error)


@contextmanager
def _quiet() -> Iterator[None]:
    # It warns at every value of a type that it does not know; one check is one line.
    logger = logging.getLogger("langgraph.checkpoint.serde.jsonplus")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
