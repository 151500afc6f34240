"""A compiled graph on another checkpointer, leaving the user's own object as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.pregel import Pregel

if TYPE_CHECKING:
    from langgraph.channels.base import BaseChannel
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.managed.base import ManagedValueSpec


def rebound(graph: Pregel[Any], saver: BaseCheckpointSaver[Any]) -> Pregel[Any]:
    """Copy a compiled graph onto a saver.

    langgraph's own `copy` keeps what was compiled in: breakpoints, store, cache, name and
    config. Channels, and graphs that are nodes, are copied too, so that a policy applied
    to the copy does not reach the original. A graph that a node's function merely calls
    is shared with the original.
    """
    return _copied(graph, {"checkpointer": saver})


def _copied(graph: Pregel[Any], update: dict[str, Any]) -> Pregel[Any]:
    nodes: dict[str, Any] = {}
    for name, node in graph.nodes.items():
        if isinstance(node.bound, Pregel):
            inner = _copied(node.bound, {})
            nodes[name] = node.copy({"bound": inner, "subgraphs": [inner]})
        else:
            nodes[name] = node
    # Nodes hold on to names of channels only, not to channels.
    channels: dict[str, BaseChannel[Any, Any, Any] | ManagedValueSpec] = dict(graph.channels)
    copy: Pregel[Any] = graph.copy({"nodes": nodes, "channels": channels, **update})
    # What `compile` sets after construction is lost by langgraph's copy.
    kept = {k: v for k, v in vars(graph).items() if k.startswith("_") and not k.startswith("__")}
    vars(copy).update(kept)
    return copy
