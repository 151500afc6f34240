"""Cases to try: a state that the reducer itself reaches, and batches of writes to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import copied

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from deltabench.reducer.subject import Subject

_MOST_WRITES = 3


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


def cases(subject: Subject, start: Any) -> SearchStrategy[Case]:
    """Cases whose state comes from the user's strategy, or from folding writes into `start`.

    A state that no writes lead to proves nothing about a channel: it never holds one.
    """
    from hypothesis import strategies as st

    batch = st.lists(subject.writes, min_size=1, max_size=_MOST_WRITES)
    before = subject.states
    if before is None:
        before = st.lists(subject.writes, max_size=_MOST_WRITES).map(
            lambda writes: reached(subject, start, writes)
        )
    return st.tuples(before, batch, batch).map(lambda parts: Case(*parts))


def reached(subject: Subject, start: Any, writes: list[Any]) -> Any:
    """The state after these writes; `start` itself if the reducer refuses them."""
    outcome = subject.attempt(start, writes) if writes else None
    return copied(start) if outcome is None or outcome.raised else outcome.value
