"""Tests of values from types: they are of the type, they meet, and wide ones do not."""

from __future__ import annotations

import datetime as dt
import enum
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired

import pytest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, RemoveMessage
from langgraph.graph.message import Messages
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from deltabench.errors import DeltabenchError
from deltabench.reducer.deriving import derive
from deltabench.reducer.messages import is_messages
from deltabench.reducer.search import no_traces, sample
from deltabench.reducer.width import WIDE
from tests.reducer.reducers import Note, Todo


class _Colour(enum.Enum):
    RED = 1
    BLUE = 2


class _Pair(NamedTuple):
    left: int
    right: str


class _File(TypedDict):
    content: str
    encoding: NotRequired[str]


class _Tree(TypedDict):
    children: list[_Tree]


class _Opaque:
    def __init__(self, handle):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN204
        self.handle = handle


_Name = NewType("_Name", str)


@pytest.mark.parametrize(
    "tp",
    [
        int,
        str | None,
        list[str],
        Sequence[int],
        tuple[int, str],
        tuple[int, ...],
        set[str],
        frozenset[int],
        dict[str, list[int] | None],
        Mapping[str, float],
        OrderedDict[str, int],
        Literal["a", "b"],
        Annotated[list[bytes], "kept"],
        _Colour,
        _Pair,
        _File,
        list[Note],
        dict[str, Todo],
        dt.date,
    ],
    ids=str,
)
def test_values_are_of_their_type(tp: Any) -> None:
    """Pydantic, strictly, finds nothing to object to, and there are several values."""
    check = TypeAdapter(tp)
    with no_traces():
        values = sample(derive(tp), 15, seed=1)
    for value in values:
        check.validate_python(value, strict=True)
    assert len({repr(value) for value in values}) > 1


def test_keys_meet() -> None:
    """Two writes often share a key, or a reducer that forgets one would pass."""
    with no_traces():
        values = [value for value in sample(derive(dict[str, int]), 60, seed=1) if value]
    pairs = list(pairwise(values))
    shared = sum(1 for one, two in pairs if one.keys() & two.keys())
    assert shared > len(pairs) / 10


def test_wide_values_let_a_state_grow() -> None:
    """The outermost container is long and nothing in it repeats."""
    with no_traces():
        values = sample(derive(dict[str, list[int]], WIDE), 10, seed=1)
    keys = [key for value in values for key in value]
    assert len(keys) == len(set(keys)) == 160
    assert max(len(inner) for value in values for inner in value.values()) <= 3


@pytest.mark.parametrize("tp", [AnyMessage, BaseMessage, list[AnyMessage], Messages])
def test_messages_have_ids_and_are_removed(tp: Any) -> None:
    """Messages come with ids, and some of them are removals."""
    assert is_messages(tp)
    with no_traces():
        values = sample(derive(tp), 40, seed=1)
    flat = [m for value in values for m in (value if isinstance(value, list) else [value])]
    assert {RemoveMessage, AIMessage} <= {type(message) for message in flat}
    assert all(message.id for message in flat)


def test_other_types_are_no_messages() -> None:
    """A list of text is not taken for one of messages."""
    assert not any(is_messages(tp) for tp in (list[str], dict[str, Any], Note, None, Any))


@pytest.mark.parametrize(
    ("tp", "told"), [(_Tree, "_Tree: it contains itself"), (_Opaque, "the type _Opaque")]
)
def test_what_cannot_be_derived_has_a_way_out(tp: Any, told: str) -> None:
    """One line names the type and the options that help."""
    with pytest.raises(DeltabenchError, match=rf"{told} \(name values by --writes"):
        derive(tp)


def test_new_names_are_what_they_stand_for() -> None:
    """A NewType of text is text."""
    with no_traces():
        assert all(isinstance(value, str) for value in sample(derive(_Name), 5, seed=1))
