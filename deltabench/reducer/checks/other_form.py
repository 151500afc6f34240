"""Whether a reducer that may be of either form would break the contract in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.reducer.checks.batching import check_batching
from deltabench.reducer.result import Check

if TYPE_CHECKING:
    from deltabench.reducer.checks.trial import Trial

AS_BATCH = "as batch"


def check_as_batch(trial: Trial) -> Check | None:
    """Try a reducer that was read as binary as a batch reducer; None where that holds.

    A fold always fulfils the contract, so a wrong reading would hide a fault.
    """
    found = check_batching(trial)
    if found.verdict != "broken":
        return None
    detail = "if it takes a sequence of writes, it breaks the contract: --form batch"
    return Check(AS_BATCH, "warning", detail, found.counterexample)
