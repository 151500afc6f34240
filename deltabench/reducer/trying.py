"""Form and starting type of a reducer that no annotation tells, found by calling it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import attempt
from deltabench.reducer.forms import BatchForm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from deltabench.reducer.result import Form


def form_by_trying(reducer: Callable[..., Any], writes: Sequence[Any]) -> Form | None:
    """The form in which the reducer takes these writes; None if in both or in neither."""
    batch = starting_type(reducer, writes) is not None
    binary = starting_type(BatchForm(reducer), writes) is not None
    if batch == binary:
        return None
    return "batch" if batch else "binary"


def starting_type(batch: Callable[[Any, Any], Any], writes: Sequence[Any]) -> type | None:
    """The type whose empty value these writes can be reduced into, and that stays."""
    for kind in dict.fromkeys((*map(type, writes), list, dict, set, int, str)):
        try:
            empty = kind()
        except Exception:  # noqa: BLE001, S112  # a type of the user's; the next one may do
            continue
        outcome = attempt(batch, empty, writes)
        if not outcome.raised and type(outcome.value) is kind:
            return kind
    return None
