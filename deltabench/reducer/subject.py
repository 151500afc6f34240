"""A reducer that is to be checked: how it is called, where it starts, what it is given."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.reducer.calling import Outcome, attempt
from deltabench.reducer.expressions import expression, module_name
from deltabench.reducer.result import Call, Counterexample
from deltabench.subject.loading import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy

    from deltabench.reducer.annotations import (
        Annotations,
    )


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


def _public(module: str) -> str:
    """The module that a user would import from: `operator` for `_operator`."""
    return module.removeprefix("_") if module.removeprefix("_") in sys.modules else module


def named_error(error: BaseException | None) -> str:
    """One line for an error of the user's code."""
    return one_line(error) if error is not None else ""
