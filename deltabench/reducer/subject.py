"""A reducer that is to be checked: how it is called, where it starts, what it is given."""

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
from deltabench.reducer.calling import Outcome, attempt, copied
from deltabench.reducer.deriving import HINT, derive
from deltabench.reducer.expressions import expression, module_name
from deltabench.reducer.forms import BatchForm
from deltabench.reducer.messages import is_messages
from deltabench.reducer.result import Call, Counterexample
from deltabench.reducer.search import sample
from deltabench.reducer.trying import form_by_trying, starting_type
from deltabench.reducer.width import WIDE
from deltabench.subject.loading import one_line

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


@dataclass(frozen=True, slots=True)
class Subject:
    """A reducer in its batch form with the values it is tried on.

    `growing` are writes that let a state grow, None where nothing is known to.
    """

    name: str
    reducer: Callable[[Any, Any], Any]
    original: Callable[..., Any]
    annotations: Annotations
    channel_type: Any
    writes: SearchStrategy[Any]
    growing: SearchStrategy[Any] | None
    states: SearchStrategy[Any] | None
    values_from: str
    messages: bool

    def start(self) -> Outcome:
        """The value that langgraph's own delta channel starts from, or what that raises."""
        from langgraph.channels import DeltaChannel

        try:
            channel = DeltaChannel(self.reducer, self.channel_type).from_checkpoint(None)
            return Outcome(channel.get())
        except Exception as error:  # noqa: BLE001  # a type of the user's is called
            return Outcome(error=error)

    def attempt(self, state: Any, writes: Sequence[Any]) -> Outcome:
        """Call the batch form on copies."""
        return attempt(self.reducer, state, writes)

    def call_text(self, state: str, writes: str, imports: set[str]) -> str:
        """The call as a user would type it."""
        name = self.import_name(imports)
        if self.annotations.form == "binary":
            imports.add("from functools import reduce")
            return f"reduce({name}, {writes}, {state})"
        return f"{name}({state}, {writes})"

    def import_name(self, imports: set[str]) -> str:
        """The name of the reducer in an expression; adds the import that it needs."""
        module = getattr(self.original, "__module__", None) or ""
        if module in sys.modules and module != "__main__":
            known = vars(sys.modules[module])
            if known.get(self.name) is self.original:
                imports.add(f"from {module_name(_public(module))} import {self.name}")
        return self.name

    def shown(self, *calls: tuple[Any, Sequence[Any], Outcome]) -> Counterexample:
        """Calls, each with its state, its writes and what it gave, ready to be pasted."""
        imports: set[str] = set()
        told = tuple(
            Call(
                self.call_text(
                    expression(state, imports), expression(list(writes), imports), imports
                ),
                outcome.text(imports),
            )
            for state, writes, outcome in calls
        )
        return Counterexample(tuple(sorted(imports)), told)


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


def _public(module: str) -> str:
    """The module that a user would import from: `operator` for `_operator`."""
    return module.removeprefix("_") if module.removeprefix("_") in sys.modules else module


def named_error(error: BaseException | None) -> str:
    """One line for an error of the user's code."""
    return one_line(error) if error is not None else ""
