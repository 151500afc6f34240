"""Graphs that a user's factory makes, called as langgraph calls it or with a checkpointer."""

from __future__ import annotations

import atexit
import inspect
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.subject.event_loop import run_coroutine
from deltabench.subject.loading import one_line, place_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from langgraph.checkpoint.base import BaseCheckpointSaver

HINT = "a factory takes nothing, a config, a checkpointer, or a config and a checkpointer"
_CONFIGS = {"config", "runnable_config"}
_SAVERS = {"checkpointer", "saver"}
# What factories opened stays open as long as the graphs may be used: to the end.
_opened = ExitStack()
atexit.register(_opened.close)


def call_factory(
    factory: Callable[..., Any], spec: str, saver: BaseCheckpointSaver[Any] | None
) -> Any:
    """Call a factory and give what it makes, awaited or entered where that is needed.

    Raises DeltabenchError, in one line, for a signature that cannot be called and for
    what the factory itself raises.
    """
    arguments = _arguments(factory, spec, saver)
    try:
        made = factory(**arguments)
        if inspect.iscoroutine(made):
            made = run_coroutine(made)
        if isinstance(made, AbstractContextManager):
            made = _opened.enter_context(made)
        elif isinstance(made, AbstractAsyncContextManager):
            made = _entered(made)
    except Exception as error:  # user code may raise anything
        at = place_of(error)
        where = f", at {at}" if at else ""
        raise DeltabenchError(f"graph {spec!r} failed: {one_line(error)}{where}") from error
    return made


def _arguments(
    factory: Callable[..., Any], spec: str, saver: BaseCheckpointSaver[Any] | None
) -> dict[str, Any]:
    try:
        # Annotations may be texts; then the names alone must do.
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        raise DeltabenchError(f"graph {spec!r} cannot be called", hint=HINT) from None
    arguments: dict[str, Any] = {}
    for parameter in parameters:
        kind = str(getattr(parameter.annotation, "__name__", parameter.annotation))
        if parameter.name in _SAVERS or "CheckpointSaver" in kind or kind == "Checkpointer":
            arguments[parameter.name] = saver
        elif parameter.name in _CONFIGS or "RunnableConfig" in kind:
            arguments[parameter.name] = {"configurable": {}}
        elif parameter.default is parameter.empty and parameter.kind not in {
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        }:
            message = f"graph {spec!r} needs an argument {parameter.name!r} that nobody can give"
            raise DeltabenchError(message, hint=HINT)
    return arguments


def _entered(manager: AbstractAsyncContextManager[Any]) -> Any:
    made = run_coroutine(manager.__aenter__())
    _opened.callback(lambda: run_coroutine(manager.__aexit__(None, None, None)))
    return made
