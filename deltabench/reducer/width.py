"""How many different values a strategy makes: few that meet, or many that let a state grow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_FEW = 3
_MANY = 16
_ALPHABET = "abc"
_SMALL = 3
_LARGE = 2**40


@dataclass(frozen=True, slots=True)
class Width:
    """Sizes of containers in items, and whether texts and numbers all differ."""

    least_items: int
    most_items: int
    distinct: bool

    def inside(self) -> Width:
        """The same within a container: only the outermost is long, as the state grows by it."""
        return replace(self, least_items=0, most_items=_FEW)


NARROW = Width(least_items=0, most_items=_FEW, distinct=False)
WIDE = Width(least_items=_MANY, most_items=_MANY, distinct=True)


def scalars(width: Width) -> dict[Any, SearchStrategy[Any]]:
    """Values of the types that have no parts."""
    from hypothesis import strategies as st

    made: dict[Any, SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(-_SMALL, _SMALL),
        float: st.integers(-10 * _SMALL, 10 * _SMALL).map(lambda tenths: tenths / 10),
        str: st.text(_ALPHABET, max_size=2),
        bytes: st.binary(max_size=2),
        type(None): st.none(),
        None: st.none(),
    }
    if width.distinct:
        # Drawn, so that there are many to draw, and counted, because hypothesis likes to
        # repeat what it drew.
        numbers = count(1)
        counted = st.integers(0, _LARGE).map(lambda _: next(numbers))
        made |= {int: counted, str: counted.map(str)}
    made[Any] = made[object] = st.one_of(made[int], made[str])
    return made
