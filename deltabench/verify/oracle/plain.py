"""Everything that langgraph shows, as plain data that can be compared and sent.

Nothing is left out for being inconvenient: ids and times stay in, and `compare` matches
them. Two exceptions, which are the mechanism itself and not state: the counters towards
the next snapshot in a checkpoint's metadata, and the time a checkpoint was made at.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from langgraph.types import StateSnapshot

MECHANISM_METADATA = frozenset({"counters_since_delta_snapshot"})
_SCALARS = (str, int, float, bool, type(None))


def plain(value: Any) -> Any:  # noqa: C901, PLR0911 - one line for each kind of value
    """Give a value as dicts, lists and scalars, each named by its type where JSON has none."""
    if type(value) in _SCALARS:
        return value
    if isinstance(value, BaseModel):
        return {"type": type(value).__name__} | {k: plain(v) for k, v in value}
    if isinstance(value, enum.Enum):
        return {"type": type(value).__name__, "member": value.name}
    if isinstance(value, str):
        return str(value)  # of a class of its own, which behaves as the text it is
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"type": type(value).__name__} | fields
    if isinstance(value, Mapping):
        return {k if isinstance(k, str) else repr(k): plain(v) for k, v in value.items()}
    if isinstance(value, set | frozenset):
        items = sorted((plain(item) for item in value), key=repr)
        return {"type": type(value).__name__, "items": items}
    if hasattr(value, "_asdict"):  # a named tuple
        return {"type": type(value).__name__} | {k: plain(v) for k, v in value._asdict().items()}
    if isinstance(value, tuple | deque):
        return {"type": type(value).__name__, "items": [plain(item) for item in value]}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, BaseException):
        return {"type": type(value).__name__, "message": str(value)}
    return {"type": type(value).__name__, "content": _content(value)}


def _content(value: Any) -> Any:
    if hasattr(value, "to_dict") and hasattr(value, "columns"):  # a data frame
        return {str(name): plain(value[name].tolist()) for name in value.columns}
    if hasattr(value, "tolist"):  # numpy arrays and scalars, pandas series and indexes
        return {"dtype": str(value.dtype), "items": plain(value.tolist())}
    return repr(value)


def plain_state(state: StateSnapshot) -> dict[str, Any]:
    """Give all that one `StateSnapshot` shows, with the ids of its checkpoint and parent."""
    metadata = state.metadata or {}
    return {
        "id": _checkpoint_id(state.config),
        "parent": _checkpoint_id(state.parent_config),
        "namespace": state.config["configurable"].get("checkpoint_ns", ""),
        "values": plain(state.values),
        "next": list(state.next),
        "metadata": {k: plain(v) for k, v in metadata.items() if k not in MECHANISM_METADATA},
        "tasks": [_task(task) for task in state.tasks],
        "interrupts": [plain(interrupt) for interrupt in getattr(state, "interrupts", ())],
    }


def _task(task: Any) -> dict[str, Any]:
    inner = task.state
    return {
        "id": task.id,
        "name": task.name,
        "path": plain(task.path),
        "error": None if task.error is None else plain(task.error),
        "interrupts": [plain(interrupt) for interrupt in task.interrupts],
        "result": plain(getattr(task, "result", None)),
        # The config of a subgraph, or its whole state where that was asked for.
        "state": plain_state(inner)
        if hasattr(inner, "values") and hasattr(inner, "tasks")
        else plain((inner or {}).get("configurable")),
    }


def _checkpoint_id(config: Any) -> str | None:
    return None if config is None else config["configurable"].get("checkpoint_id")
