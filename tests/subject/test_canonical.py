"""One plain form of a user's values: the same for what is equal, another for what is not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from deltabench.subject.canonical import digest

plain = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=5,
)


@settings(max_examples=80, deadline=None)
@given(one=plain, other=plain)
def test_digests_tell_plain_values_apart(one: Any, other: Any) -> None:
    """Two values have one digest when they are equal, and only then."""
    assert (digest(one) == digest(other)) is (one == other)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.text(max_size=3), st.integers(), min_size=2))
def test_order_of_entries_does_not_matter(value: dict[str, int]) -> None:
    """Dicts and sets are equal whatever order they were filled in."""
    assert digest(value) == digest(dict(reversed(value.items())))
    assert digest(set(value)) == digest({*reversed(value)})


@dataclass
class _Point:
    x: int


class _Model(BaseModel):
    x: int


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_Point(1), _Point(2)),
        (_Model(x=1), _Model(x=2)),
        (_Point(1), _Model(x=1)),
        (HumanMessage("a"), HumanMessage("b")),
        (HumanMessage("a"), AIMessage("a")),
        ({"a"}, ["a"]),
        (b"a", b"b"),
        (date(2026, 1, 1), date(2026, 1, 2)),
        ({1: "a"}, {"1": "a"}),
        (1, True),
    ],
)
def test_values_of_other_kinds_are_told_apart(one: Any, other: Any) -> None:
    """What people keep in state is looked into, whatever class it is of."""
    assert digest(one) != digest(other)


def test_times_of_files_do_not_count() -> None:
    """Deep Agents stamps its files with the clock; a field of that name elsewhere counts."""
    first = {"content": "a", "modified_at": "1"}
    assert digest({"/f": first}) == digest({"/f": {**first, "modified_at": "2"}})
    assert digest({"/f": first}) != digest({"/f": {**first, "content": "b"}})
    assert digest({"modified_at": "1"}) != digest({"modified_at": "2"})


def test_ids_of_messages_do_not_count() -> None:
    """Langgraph draws them at random, in every run others."""
    assert digest(HumanMessage("a", id="1")) == digest(HumanMessage("a", id="2"))
