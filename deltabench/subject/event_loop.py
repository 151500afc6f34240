"""Coroutines of the user's graph, run to their end from synchronous code.

A session is driven by `invoke`, since the synchronous checkpointers refuse `ainvoke`. A
node that has only an asynchronous form therefore gets a synchronous one, which runs that
form on one event loop that lives as long as the process: clients that a graph keeps
between turns stay bound to a loop that still runs.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from langgraph.pregel import Pregel

T = TypeVar("T")


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="deltabench-loop", daemon=True).start()
    return loop


def run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop and give its result; it sees the caller's context."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()


def give_sync_forms(graph: Pregel[Any]) -> None:
    """Let every node, branch and tool of one graph that is only asynchronous run in `invoke`."""
    for node in graph.nodes.values():
        for runnable in [*_parts(node.bound), *(p for w in node.writers for p in _parts(w))]:
            _give_sync_form(runnable)
            for tool in getattr(runnable, "tools_by_name", {}).values():
                if getattr(tool, "func", True) is None and tool.coroutine is not None:
                    tool.func = _sync(tool.coroutine)
    for branches in getattr(getattr(graph, "builder", None), "branches", {}).values():
        for branch in branches.values():
            _give_sync_form(branch.path)


def _parts(runnable: Any) -> Iterator[Any]:
    yield runnable
    for step in getattr(runnable, "steps", ()):
        yield from _parts(step)


def _give_sync_form(runnable: Any) -> None:
    # `func is None` and not merely absent: langgraph's own RunnableCallable.
    if getattr(runnable, "func", True) is None and getattr(runnable, "afunc", None) is not None:
        runnable.func = _sync(runnable.afunc)


def _sync(function: Callable[..., Coroutine[Any, Any, T]]) -> Callable[..., T]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> T:
        return run_coroutine(function(*args, **kwargs))

    return run
