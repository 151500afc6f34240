"""Graphs that langgraph does not list: held by a tool or a closure, and called from there.

Deep Agents keeps its subagents so. Their channels are stored under the same thread, and a
full-snapshot run in which they keep delta channels would be none.
"""

from __future__ import annotations

import functools
from collections import deque
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langgraph.pregel import Pregel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LARGEST_CONTAINER = 1000


def hidden_graphs(graph: Pregel[Any]) -> Iterator[tuple[str, Pregel[Any]]]:
    """Yield graphs that the nodes of a graph hold, with the node and the name of the graph.

    Functions are followed into what they close over and into graphs that are globals of
    theirs; runnables and tools into what they hold. Nothing is called.
    """
    seen: set[int] = {id(graph)}
    queue: deque[tuple[str, Any]] = deque((name, node.bound) for name, node in graph.nodes.items())
    while queue:
        place, held = queue.popleft()
        if id(held) in seen:
            continue
        seen.add(id(held))
        if isinstance(held, Pregel):
            place = f"{place}>{held.name}"
            yield place, held
            queue.extend((f"{place}>{name}", node.bound) for name, node in held.nodes.items())
            continue
        queue.extend((place, inner) for inner in _inside(held))


def _inside(held: Any) -> Iterable[Any]:
    found: Iterable[Any] = ()
    if isinstance(held, FunctionType):
        found = _of_function(held)
    elif isinstance(held, MethodType):
        found = (held.__self__, held.__func__)
    elif isinstance(held, functools.partial):
        found = (held.func, *held.args, *held.keywords.values())
    elif isinstance(held, dict):
        found = held.values() if len(held) <= _LARGEST_CONTAINER else ()
    elif isinstance(held, (list, tuple, set)):
        found = held if len(held) <= _LARGEST_CONTAINER else ()
    elif isinstance(held, (Runnable, BaseTool)):
        found = vars(held).values()
    return found


def _of_function(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue
    yield from function.__defaults__ or ()
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, Pregel):
            yield value
