"""A process of its own that calls a reducer on stored cases, as a replay does after a restart.

Cases come to it on standard input and outcomes go out on standard output, both by
langgraph's serializer.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.reducer.calling import Outcome, call
from deltabench.reducer.forms import BatchForm
from deltabench.subject.loading import load_object, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.reducer.cases import Case

_PATIENCE_SECONDS = 120
_PROGRAM = f"import sys; from {__name__} import answer; answer(*sys.argv[1:])"


def call_elsewhere(spec: str, form: str, cases: Sequence[Case], *, hash_seed: int) -> list[Outcome]:
    """What the reducer gives in a fresh process with that hash seed, one outcome per case.

    Raises DeltabenchError when that process fails, and whatever the serializer raises when
    it cannot store a case.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    serializer = JsonPlusSerializer()
    kind, payload = serializer.dumps_typed([[case.state, case.writes] for case in cases])
    try:
        done = subprocess.run(  # noqa: S603  # the function below
            [sys.executable, "-c", _PROGRAM, spec, form, kind],
            input=payload,
            capture_output=True,
            env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
            timeout=_PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DeltabenchError("a fresh process took too long") from error
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no message"]
        raise DeltabenchError(f"a fresh process failed: {last[0]}")
    gave = serializer.loads_typed((kind, done.stdout))
    return [Outcome(error=_Elsewhere(text)) if text else Outcome(value) for value, text in gave]


class _Elsewhere(Exception):  # noqa: N818  # stands for an error of another type
    """An error that was raised in the other process."""


def answer(spec: str, form: str, kind: str) -> None:
    """Be the other process: cases from standard input, outcomes to standard output."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    out = os.dup(1)
    os.dup2(2, 1)  # what the user's module prints must not mix with the outcomes
    reducer: Any = load_object(spec)
    serializer = JsonPlusSerializer()
    cases = serializer.loads_typed((kind, sys.stdin.buffer.read()))
    batch = BatchForm(reducer) if form == "binary" else reducer
    outcomes = [call(batch, state, writes) for state, writes in cases]
    told = [[one.value, one_line(one.error) if one.error else ""] for one in outcomes]
    with os.fdopen(out, "wb") as stream:
        stream.write(serializer.dumps_typed(told)[1])
