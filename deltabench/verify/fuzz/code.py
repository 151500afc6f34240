"""Values of operations as Python source, for scripts."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.types import Command, Overwrite, StateUpdate


def source(value: Any) -> str:  # noqa: PLR0911 - one line for each kind of value
    """Give an expression for a value that an operation can have.

    Raises TypeError for any other, so that no script says something else than was done.
    """
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(source, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {source(each)}' for key, each in value.items())}}}"
    if isinstance(value, Overwrite):
        return f"Overwrite({source(value.value)})"
    if isinstance(value, StateUpdate):
        return f"StateUpdate({source(value.values)}, {value.as_node!r})"
    if isinstance(value, Command):
        return f"Command(update={source(value.update)}, goto={value.goto!r})"
    if isinstance(value, RemoveMessage):
        return f"RemoveMessage({value.id!r})"
    if isinstance(value, BaseMessage):
        identity = "" if value.id is None else f", id={value.id!r}"
        return f"{type(value).__name__}({value.content!r}{identity})"
    raise TypeError(f"no source for a {type(value).__name__}")


def call(name: str, *args: Any, **kwargs: Any) -> str:
    """Give the source of a call; arguments whose value is None are left out."""
    named = [f"{key}={source(value)}" for key, value in kwargs.items() if value is not None]
    return f"{name}({', '.join([*map(source, args), *named])})"
