"""Whether a reducer may be replayed: tried with plain values of the state's type.

Delta channels apply the same writes again, later and from a snapshot. That is safe for a
reducer that gives the same for the same arguments and leaves them unchanged; a fold of
such a one can be split anywhere.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

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


def fault_of(reducer: Callable[[Any, list[Any]], Any], empty: object) -> str | None:
    """Why a batch reducer may not be replayed, in a few words; None when it may.

    Samples that the reducer does not accept say nothing; when it accepts none, that is
    the fault.
    """
    accepted = False
    for state, first, second in samples(empty):
        for start in (empty, state):
            try:
                before = copy.deepcopy((start, first, second))
                whole = reducer(copy.deepcopy(start), [*copy.deepcopy((first, second))])
                given = copy.deepcopy((start, first, second))
                once = reducer(given[0], [given[1]])
                kept = copy.deepcopy(once)
                split = reducer(once, [given[2]])
            except Exception:  # noqa: BLE001, S112  # user code may raise anything here
                continue
            accepted = True
            if given != before or once != kept:
                return "changes its arguments"
            if split != whole:
                return "gives something else when its writes come one by one"
    return None if accepted else "could not be tried with plain values"
