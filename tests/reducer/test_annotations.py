"""Tests of what annotations say: form, state and write."""

from __future__ import annotations

import operator
from collections.abc import Sequence  # noqa: TC003  # annotations are read when it runs
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from deepagents.middleware.filesystem import _file_data_delta_reducer, _file_data_reducer
from langgraph.graph.message import _messages_delta_reducer, add_messages

from deltabench.errors import DeltabenchError
from deltabench.reducer.annotations import read_annotations, without_none
from tests.reducer import reducers

if TYPE_CHECKING:
    from collections.abc import Callable


def _bare_batch(state: list[str], writes: list[str]) -> list[str]:
    return [*state, *writes]


def _bare_binary(left: list[str], right: list[str]) -> list[str]:
    return [*left, *right]


def _wrapped(
    state: Annotated[list[int] | None, "kept"], writes: Sequence[Annotated[list[int], "one"]]
) -> list[int]:
    return (state or []) + [item for write in writes for item in write]


class _Method:
    def reduce(self, state: set[int], writes: list[set[int]]) -> set[int]:
        return state.union(*writes)

    def __call__(self, state: int, other: int) -> int:
        return state + other


@pytest.mark.parametrize(
    ("reducer", "form", "is_open"),
    [
        (_messages_delta_reducer, "batch", False),
        (_file_data_delta_reducer, "batch", False),
        (reducers.count, "batch", False),
        (reducers.append_todos, "batch", True),
        (_wrapped, "batch", False),
        (_Method().reduce, "batch", False),
        (partial(reducers.append), "batch", False),
        (_bare_batch, "batch", True),
        (add_messages, "binary", False),
        (_file_data_reducer, "binary", False),
        (_Method(), "binary", False),
        (_bare_binary, "binary", True),
        (operator.add, "binary", True),
        (max, "binary", True),
        (lambda *both: sum(both), "batch", True),
    ],
)
def test_forms_are_told_apart(reducer: Callable[..., Any], form: str, is_open: bool) -> None:  # noqa: FBT001  # parametrized
    """Types decide where they can; where they cannot, names do and it says so."""
    read = read_annotations(reducer)
    assert (read.form, read.open) == (form, is_open)
    assert ("by the name" in read.recognised_by) == is_open


def test_types_are_those_of_state_and_one_write() -> None:
    """Markers, None and the sequence of writes are taken off."""
    read = read_annotations(_wrapped)
    assert (read.state_type, read.write_type) == (list[int], list[int])
    read = read_annotations(reducers.merge_notes)
    assert read.state_type == dict[str, reducers.Note]
    assert read.write_type == dict[str, reducers.Note | None]


def test_the_type_of_the_channel_counts_more() -> None:
    """What the channel declares is its state, and a write where nothing else is said."""
    read = read_annotations(operator.add, form="binary", state_type=Annotated[list[str], "x"])
    assert (read.state_type, read.write_type) == (list[str], list[str])


def test_none_is_no_state() -> None:
    """Only what is left without None is a type to start from."""
    assert without_none(dict[str, int] | None) == dict[str, int]
    assert without_none(type(None)) is None


async def _waiting(state: int, writes: list[int]) -> int:
    return state + sum(writes)


@pytest.mark.parametrize(
    ("reducer", "told"),
    [
        (len, "too many positional arguments"),
        (lambda state: state, "too many positional arguments"),
        (lambda a, b, *, key: (a, b, key), "missing a required argument: 'key'"),
        (_waiting, "an async function is no reducer"),
    ],
)
def test_what_is_no_reducer_is_refused(reducer: Callable[..., Any], told: str) -> None:
    """It must be callable with a state and one more argument, in one line."""
    with pytest.raises(DeltabenchError, match=told) as caught:
        read_annotations(reducer)
    assert "\n" not in str(caught.value)
