"""Plain values of the types that grow, to tell the forms of a reducer apart with."""

from __future__ import annotations

import copy
from typing import Any

# One state and two writes each, of what people keep in lists, dicts and sets.
_SAMPLES: dict[type, tuple[tuple[Any, Any, Any], ...]] = {
    list: (
        (["a"], ["b", "c"], ["a"]),
        ([1], [2, 3], [1]),
        ([{"id": "a", "n": 1}], [{"id": "b", "n": 2}], [{"id": "a", "n": 3}]),
    ),
    dict: (
        ({"a": "x"}, {"b": "y"}, {"a": "z"}),
        ({"a": 1}, {"b": 2}, {"a": 3}),
        ({"a": [1]}, {"a": [2]}, {"b": [3]}),
        ({"a": {"x": 1}}, {"a": {"y": 2}}, {"b": {"x": 3}}),
    ),
    set: (({"a"}, {"b"}, {"a"}), ({1}, {2}, {1})),
}


def samples(empty: object) -> tuple[tuple[Any, Any, Any], ...]:
    """States with two writes for values that grow; none for other types."""
    return copy.deepcopy(_SAMPLES.get(type(empty), ()))
