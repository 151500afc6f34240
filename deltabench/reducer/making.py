"""Putting a subject together: from annotations, from what the user names, or by trying."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from deltabench.errors import DeltabenchError
from deltabench.reducer.annotations import (
    Annotations,
    FormChoice,
    plain_type,
    read_annotations,
    without_none,
)
from deltabench.reducer.calling import copied
from deltabench.reducer.deriving import HINT, derive
from deltabench.reducer.forms import BatchForm
from deltabench.reducer.messages import is_messages
from deltabench.reducer.search import sample
from deltabench.reducer.subject import Subject
from deltabench.reducer.trying import form_by_trying, starting_type
from deltabench.reducer.width import WIDE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy

ANNOTATIONS = "its annotations"
_TRIED_WRITES = 3


@dataclass(frozen=True, slots=True)
class Given:
    """Values that a user names instead of derived ones: of one write, and of a state."""

    writes: SearchStrategy[Any] | None = None
    states: SearchStrategy[Any] | None = None
    examples: Sequence[Any] | None = None


def make_subject(
    reducer: Callable[..., Any],
    *,
    name: str | None = None,
    form: FormChoice = "auto",
    state_type: Any = None,
    given: Given | None = None,
) -> Subject:
    """Put together what the checks need to know.

    Raises DeltabenchError when the reducer cannot be called with two arguments, or when
    nothing says which values it takes.
    """
    given = given or Given()
    read = read_annotations(reducer, form=form, state_type=state_type)
    title = name or _name(reducer)
    writes, growing, source = _values(read, given)
    some = sample(writes, _TRIED_WRITES, seed=0)
    if read.open and source != ANNOTATIONS:
        tried = form_by_trying(reducer, some)
        if tried is not None:
            read = replace(read, form=tried, recognised_by="found by trying")
    batch = BatchForm(reducer) if read.form == "binary" else reducer
    return Subject(
        name=title,
        reducer=batch,
        original=reducer,
        annotations=read,
        channel_type=_channel_type(read.state_type, batch, some),
        writes=writes,
        growing=growing,
        states=given.states,
        values_from=source,
        messages=read.write_type is not None and is_messages(read.write_type),
    )


def _values(
    read: Annotations, given: Given
) -> tuple[SearchStrategy[Any], SearchStrategy[Any] | None, str]:
    from hypothesis import strategies as st

    if given.writes is not None:
        return given.writes, given.writes, "--writes"
    if given.examples is not None:
        if not given.examples:
            raise DeltabenchError("--examples holds no write", hint="give at least one")
        return st.sampled_from(list(given.examples)).map(copied), None, "--examples"
    if read.write_type is None:
        raise DeltabenchError("no annotation says which writes the reducer takes", hint=HINT)
    return derive(read.write_type), derive(read.write_type, WIDE), ANNOTATIONS


def _channel_type(state_type: Any, batch: Callable[[Any, Any], Any], some: list[Any]) -> Any:
    """What a user would give the channel as its type; found by trying where nothing says it."""
    state = without_none(plain_type(state_type))
    if get_origin(state) in (Union, types.UnionType):
        parts = [plain_type(part) for part in get_args(state)]
        lists = [part for part in parts if (get_origin(part) or part) is list]
        return (lists or parts)[0]
    if state is not None and state is not Any:
        return state
    return starting_type(batch, some) or list


def _name(reducer: Callable[..., Any]) -> str:
    """The name that its module knows a reducer by, which need not be its own."""
    name = getattr(reducer, "__name__", type(reducer).__name__)
    module = sys.modules.get(getattr(reducer, "__module__", None) or "")
    known = [key for key, value in vars(module).items() if value is reducer] if module else []
    if known and name not in known:
        return known[0]
    return name if name.isidentifier() else "reducer"
