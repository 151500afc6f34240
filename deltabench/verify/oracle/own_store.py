"""Whether a checkpointer of the user's gives each twin a store of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import empty_checkpoint

from deltabench.checkpointers.custom import DIRECTORY
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from deltabench.verify.oracle.side import Side

# No case has a thread of this name.
_PROBE = "deltabench probe"


def require_own_stores(full: Side, delta: Side) -> None:
    """Raise DeltabenchError when the stores are not empty, or one and the same."""
    spec = full.place.checkpointer
    hint = f"make it anew in the directory ${DIRECTORY}, which differs for each"
    if _holds_something(full) or _holds_something(delta):
        raise DeltabenchError(f"checkpointer {spec!r} already holds a thread", hint=hint)
    config: Any = {"configurable": {"thread_id": _PROBE, "checkpoint_ns": ""}}
    metadata = {"source": "input", "step": -1}
    full.calls.call(full.saver, "put", config, empty_checkpoint(), metadata, {})
    shared = delta.calls.call(delta.saver, "get_tuple", config) is not None
    full.calls.call(full.saver, "delete_thread", _PROBE)
    if shared:
        raise DeltabenchError(f"checkpointer {spec!r} gives both twins one store", hint=hint)


def _holds_something(side: Side) -> bool:
    return bool(side.calls.gather(side.saver, "list", None, limit=1))
