"""Batch forms of binary reducers: what a delta channel needs in place of the graph's own.

langgraph's delta channels call `reducer(state, [write, write, ...])`. A graph with full
snapshots has `reducer(state, write)`.
"""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING, Any

from langgraph.graph.message import _messages_delta_reducer, add_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    BatchReducer = Callable[[Any, list[Any]], Any]


class BinaryForm:
    """The binary form of a batch reducer: folds one write at a time."""

    __slots__ = ("reducer",)

    def __init__(self, reducer: Callable[[Any, list[Any]], Any]) -> None:
        self.reducer = reducer

    @property
    def __name__(self) -> str:
        return getattr(self.reducer, "__name__", type(self.reducer).__name__)

    def __call__(self, state: Any, write: Any) -> Any:
        """Apply one write to the state."""
        return self.reducer(state, [write])


class Fold:
    """The batch form of any binary reducer: one write after the other."""

    __slots__ = ("reducer",)

    def __init__(self, reducer: Callable[[Any, Any], Any]) -> None:
        self.reducer = reducer

    @property
    def __name__(self) -> str:
        name = getattr(self.reducer, "__name__", type(self.reducer).__name__)
        return f"fold of {name}"

    def __call__(self, state: Any, writes: Sequence[Any]) -> Any:
        """Apply all writes to the state, in order."""
        return reduce(self.reducer, writes, state)


def concatenate(state: list[Any], writes: Sequence[list[Any]]) -> list[Any]:
    """`operator.add` on lists, without a copy of the whole for every write.

    Raises TypeError for a write that is no list, as `operator.add` does.
    """
    result = list(state)
    for write in writes:
        if not isinstance(write, list):
            msg = f'can only concatenate list (not "{type(write).__name__}") to list'
            raise TypeError(msg)
        result.extend(write)
    return result


def merge(state: dict[Any, Any], writes: Sequence[dict[Any, Any]]) -> dict[Any, Any]:
    """`operator.or_` on dicts, without a copy of the whole for every write."""
    result = dict(state)
    for write in writes:
        result |= write
    return result


def batch_form(reducer: Callable[[Any, Any], Any], empty: object) -> BatchReducer:
    """The batch form of a binary reducer whose state begins as `empty`.

    `add_messages` gets the form that langgraph ships: a fold would draw new random ids
    for messages without one at every replay, while for its own form langgraph gives them
    ids before they are stored.
    """
    if isinstance(reducer, BinaryForm):
        return reducer.reducer
    if reducer is add_messages:
        return _messages_delta_reducer
    if reducer in (operator.add, operator.concat) and type(empty) is list:
        return concatenate
    if reducer is operator.or_ and type(empty) is dict:
        return merge
    return Fold(reducer)
