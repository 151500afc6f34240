"""Calling a user's reducer without letting it change what others see, or end the program."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.reducer.expressions import expression
from deltabench.reducer.sameness import same
from deltabench.subject.loading import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gave, or the error that it raised."""

    value: Any = None
    error: BaseException | None = None

    @property
    def raised(self) -> bool:
        """Whether the call ended in an error."""
        return self.error is not None

    def agrees(self, other: Outcome) -> bool:
        """Whether both gave the same, or both raised the same kind of error."""
        if self.raised or other.raised:
            return type(self.error) is type(other.error)
        return same(self.value, other.value)

    def text(self, imports: set[str]) -> str:
        """What it gave, as a Python expression, or what it raised."""
        if self.error is not None:
            return f"raises {one_line(self.error)}"
        return expression(self.value, imports)


def attempt(reducer: Callable[[Any, Any], Any], state: Any, writes: Sequence[Any]) -> Outcome:
    """Call a batch reducer on copies of its arguments."""
    return call(reducer, copied(state), [copied(write) for write in writes])


def call(reducer: Callable[[Any, Any], Any], state: Any, writes: list[Any]) -> Outcome:
    """Call a batch reducer on these very arguments."""
    try:
        return Outcome(reducer(state, writes))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # user code may raise anything
        return Outcome(error=error)


def copied(value: Any) -> Any:
    """A deep copy.

    Raises DeltabenchError when the value cannot be copied.
    """
    try:
        return deepcopy(value)
    except Exception as error:
        raise DeltabenchError(
            f"a {type(value).__name__} cannot be copied: {one_line(error)}"
        ) from error
