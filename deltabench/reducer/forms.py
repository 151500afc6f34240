"""The batch form of a binary reducer: what a delta channel can be given for it."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class BatchForm:
    """Folds a batch of writes into the state by a binary reducer, oldest first."""

    __slots__ = ("operator",)

    def __init__(self, operator: Callable[[Any, Any], Any]) -> None:
        self.operator = operator

    @property
    def __name__(self) -> str:
        return getattr(self.operator, "__name__", type(self.operator).__name__)

    def __call__(self, state: Any, writes: Sequence[Any]) -> Any:
        """Apply the writes one by one, as the full channel does."""
        return reduce(self.operator, writes, state)


def batch_source(name: str) -> str:
    """The batch form as a user would write it."""
    title = name if name.isidentifier() else "reducer"
    return (
        "from functools import reduce\n\n"
        f"def {title}_batch(state, writes):\n"
        f"    return reduce({title}, writes, state)\n"
    )
