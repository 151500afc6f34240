"""Tests of equality of states: type, parts and place of the first difference."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from deltabench.reducer.sameness import difference, made_at_random, same
from tests.reducer.reducers import Note


class _Plain:
    def __init__(self, inner: Any) -> None:
        self.inner = inner


@pytest.mark.parametrize(
    "value",
    [
        [1, {"a": {2}}],
        Note("x"),
        HumanMessage("x", id="1"),
        _Plain([1]),
        np.arange(3),
        (),
        None,
        math.nan,
    ],
)
def test_a_copy_is_the_same(value: Any) -> None:
    """Also where a type has no equality of its own, or one by element."""
    assert same(value, deepcopy(value))


@pytest.mark.parametrize(
    ("one", "two", "path"),
    [
        ([1], [1.0], "[0]"),
        ([1], (1,), ""),
        ([1, 2], [1], ""),
        ({"a": [1, 2]}, {"a": [1, 3]}, "['a'][1]"),
        ({"a": 1}, {"b": 1}, ""),
        (Note("x"), Note("y"), ".text"),
        ([HumanMessage("x", id="1")], [HumanMessage("x", id="2")], "[0].id"),
        (HumanMessage("x"), AIMessage("x"), ""),
        (_Plain([1]), _Plain([2]), ".inner[0]"),
        (np.arange(3), np.arange(3) + 1, ""),
        (np.arange(3), np.arange(4), ""),
        (True, 1, ""),
    ],
)
def test_the_first_difference_has_a_place(one: Any, two: Any, path: str) -> None:
    """The path leads to it."""
    found = difference(one, two)
    assert found is not None
    assert found[0] == path


def test_what_is_not_a_number_is_the_same_as_another() -> None:
    """NaN is not equal to itself, but a state that holds it is replayed to the same."""
    assert same([float("nan")], [float("nan")])
    assert same(np.array([1, math.nan]), np.array([1, math.nan]))
    assert not same(math.nan, 0.0)
    assert not same(np.array([1, math.nan]), np.array([1, 2.0]))


def test_ids_made_at_random_are_recognised() -> None:
    """Two different UUIDs are, two words are not."""
    assert made_at_random(
        "b0a64b78-a38b-4b7d-9ddc-6e2447217b12", "6f9386b435b74d40bc5f0d07bf4a4b0c"
    )
    assert not made_at_random("b0a64b78-a38b-4b7d-9ddc-6e2447217b12", "second")
    assert not made_at_random(1, 2)
