"""Whether a channel with some reducer could become a delta channel, and with what reducer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from deltabench.errors import DeltabenchError
from deltabench.reducer.contract import check_reducer
from deltabench.reducer.forms import BatchForm

if TYPE_CHECKING:
    from collections.abc import Callable


class Fitness(NamedTuple):
    """The answer with its reason in one line, and the batch form if it is yes."""

    possible: bool
    reason: str
    batch_form: BatchForm | None


def could_be_delta(
    reducer: Callable[[Any, Any], Any], state_type: Any, *, seed: int = 0
) -> Fitness:
    """Whether `BinaryOperatorAggregate(state_type, reducer)` could be a delta channel.

    Tries the contract quickly on the fold of the reducer. Where no values can be derived
    the answer is no, with the reason.
    """
    try:
        result = check_reducer(reducer, form="binary", state_type=state_type, seed=seed, quick=True)
    except DeltabenchError as error:
        return Fitness(possible=False, reason=str(error), batch_form=None)
    if result.broken:
        first = result.broken[0]
        return Fitness(possible=False, reason=f"{first.name}: {first.detail}", batch_form=None)
    warnings = [
        f"{check.name}: {check.detail}" for check in result.checks if check.verdict == "warning"
    ]
    reason = f"its fold fulfils the contract ({result.max_examples} examples per check)"
    return Fitness(
        possible=True, reason="; ".join([reason, *warnings]), batch_form=BatchForm(reducer)
    )
