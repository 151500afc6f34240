"""Sizes derived from writes against the real reducers and the real serializer."""

from __future__ import annotations

from typing import Any

import pytest
from deepagents._messages_reducer import _messages_delta_reducer
from deepagents.middleware.filesystem import _file_data_reducer
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Overwrite

from deltabench.inspect.growing import Growing

IDS = st.sampled_from(["a", "b", "ü" * 20, "d"])
TEXTS = st.text(max_size=40) | st.integers(0, 70_000).map("x".__mul__)
MESSAGES = st.one_of(
    st.tuples(TEXTS, IDS).map(lambda made: HumanMessage(made[0], id=made[1])),
    st.tuples(TEXTS, st.none() | IDS).map(lambda made: AIMessage(made[0], id=made[1])),
    st.tuples(TEXTS, IDS).map(lambda made: ToolMessage(made[0], tool_call_id="1", id=made[1])),
    (IDS | st.just(REMOVE_ALL_MESSAGES)).map(lambda id_: RemoveMessage(id=id_)),
)
FILES = st.dictionaries(IDS, st.none() | st.fixed_dictionaries({"content": TEXTS}), max_size=4)


def dumped(value: Any) -> bytes:
    """Serialize as a checkpointer does."""
    return JsonPlusSerializer().dumps_typed(value)[1]


@settings(max_examples=40)
@given(st.lists(st.lists(MESSAGES, max_size=5) | MESSAGES.filter(lambda m: m.type != "remove")))
def test_messages_add_up_to_what_the_reducer_gives(writes: list[Any]) -> None:
    """Appended, replaced by id, removed by id, all removed: the size is the serialized one."""
    growing = Growing()
    state: list[Any] = []
    for write in writes:
        growing.merge(dumped(write))
        state = _messages_delta_reducer(state, [write])
    assert growing.size_bytes == len(dumped(state))


@settings(max_examples=40)
@given(st.lists(FILES))
def test_files_add_up_to_what_the_reducer_gives(writes: list[Any]) -> None:
    """New, replaced and deleted keys of a map: the size is the serialized one."""
    growing = Growing()
    state: dict[str, Any] = {}
    for write in writes:
        growing.merge(dumped(write))
        state = _file_data_reducer(state, write)
    assert growing.size_bytes == len(dumped(state))


@settings(max_examples=40)
@given(FILES.map(lambda files: {k: v for k, v in files.items() if v}), FILES)
def test_a_stored_value_is_gone_on_from(stored: dict[str, Any], write: dict[str, Any]) -> None:
    """A plain value and a snapshot of it lead to the same sizes."""
    for data in (dumped(stored), dumped(_DeltaSnapshot(stored))):
        growing = Growing()
        growing.start(data)
        assert growing.size_bytes == len(dumped(stored))
        growing.merge(dumped(write))
        assert growing.size_bytes == len(dumped(_file_data_reducer(stored, write)))


@pytest.mark.parametrize("wrap", [Overwrite, lambda value: {"__overwrite__": value}])
def test_an_overwrite_replaces_the_value(wrap: Any) -> None:
    """Whatever was there before is gone."""
    growing = Growing()
    growing.merge(dumped([HumanMessage("one", id="1"), HumanMessage("two", id="2")]))
    growing.merge(dumped(wrap([HumanMessage("three", id="3")])))
    assert growing.size_bytes == len(dumped([HumanMessage("three", id="3")]))


def test_a_large_message_is_found_by_its_id() -> None:
    """A message of more than a megabyte is walked, not read, and replaced all the same."""
    growing = Growing()
    growing.merge(dumped([HumanMessage("x" * 2_000_000, id="1")]))
    growing.merge(dumped([HumanMessage("short", id="1")]))
    assert growing.size_bytes == len(dumped([HumanMessage("short", id="1")]))


@pytest.mark.parametrize("writes", [[3], [[1], {"a": 1}], [{"a": 1}, [1]], ["text"]])
def test_what_cannot_be_followed_is_refused(writes: list[Any]) -> None:
    """Numbers, texts and a change of kind have no size that could be added up."""
    growing = Growing()
    *first, last = map(dumped, writes)
    for write in first:
        growing.merge(write)
    with pytest.raises(ValueError, match="kind"):
        growing.merge(last)
