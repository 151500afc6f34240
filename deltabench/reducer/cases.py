"""Cases to try: a state that the reducer itself reaches, and batches of writes to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import copied

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from deltabench.reducer.subject import Subject

_MOST_WRITES = 3
# What a case is made from: a state or the writes that lead to it, and two batches.
Recipe = tuple[Any, list[Any], list[Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """A state and two batches of writes that follow each other."""

    state: Any
    first: list[Any]
    second: list[Any]

    @property
    def writes(self) -> list[Any]:
        """Both batches as one."""
        return [*self.first, *self.second]


def recipes(subject: Subject) -> SearchStrategy[Recipe]:
    """What cases are made from; hypothesis does not call the user's reducer for it."""
    from hypothesis import strategies as st

    batch = st.lists(subject.writes, min_size=1, max_size=_MOST_WRITES)
    before = subject.states
    if before is None:
        before = st.lists(subject.writes, max_size=_MOST_WRITES)
    return st.tuples(before, batch, batch)


def prepared(subject: Subject, start: Any, recipe: Recipe) -> Case:
    """The case of a recipe: with the state named by the user, or one reached from `start`.

    A state that no writes lead to proves nothing about a channel: it never holds one. Where
    the reducer refuses the writes, the state is `start` itself.
    """
    before, first, second = recipe
    if subject.states is not None:
        return Case(before, first, second)
    outcome = subject.attempt(start, before) if before else None
    reached = copied(start) if outcome is None or outcome.raised else outcome.value
    return Case(reached, first, second)
