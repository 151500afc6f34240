"""Tests of values as a user types them: what is printed makes the same value again."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage

from deltabench.reducer.expressions import expression, module_name
from deltabench.reducer.sameness import same
from tests.reducer.reducers import Note, Todo

_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.binary(max_size=5)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
        st.sets(st.integers(), max_size=3),
        st.frozensets(st.integers(), max_size=3),
        st.builds(Note, st.text(max_size=3), st.integers()),
    ),
    max_leaves=8,
)


def _typed(value: Any) -> Any:
    imports: set[str] = set()
    text = expression(value, imports)
    names: dict[str, Any] = {}
    exec("\n".join(imports), names)  # noqa: S102  # what is told must run
    return eval(text, names)  # noqa: S307


@given(_VALUES)
@settings(max_examples=60, deadline=None)
def test_what_is_printed_makes_the_value(value: Any) -> None:
    """Running the expression with its imports gives the same value."""
    assert same(_typed(value), value)


@pytest.mark.parametrize(
    "value",
    [
        Todo(title="x", done=True),
        HumanMessage("hi", id="1"),
        AIMessage("", id="2", tool_calls=[{"name": "f", "args": {}, "id": "3"}]),
        [RemoveMessage(id="1")],
        [math.nan, -math.inf],
        dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
    ],
)
def test_models_and_messages_too(value: Any) -> None:
    """Only fields that differ from their defaults are printed, and they are enough."""
    assert same(_typed(value), value)


def test_a_message_reads_as_people_write_it() -> None:
    """The text is short and the import is the public one."""
    imports: set[str] = set()
    assert expression(HumanMessage("hi", id="1"), imports) == "HumanMessage(content='hi', id='1')"
    assert imports == {"from langchain_core.messages import HumanMessage"}


def test_a_module_from_a_file_has_the_name_of_the_file() -> None:
    """The name that a file is loaded under here is nobody else's."""
    assert module_name("deltabench_state_0123abcd") == "state"
    assert module_name("deltabench.reducer") == "deltabench.reducer"
