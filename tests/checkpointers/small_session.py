"""A small session on a real graph, for tests here and, as a script, in fresh processes.

As a script: `small_session.py BACKEND TURNS SEED full|delta` prints the counted
storage as JSON. The prepared place comes from the environment.
"""

from __future__ import annotations

import operator
import random
import sys
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from langgraph.channels.delta import DeltaChannel
from langgraph.graph import END, START, StateGraph

from deltabench.checkpointers.registry import backend_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver

CONFIG: RunnableConfig = {"configurable": {"thread_id": "fäden"}}


def _join(state: list[str], batches: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for batch in batches for item in batch)]


class _Shared(TypedDict):
    title: str
    größe: int  # noqa: PLC2401 - a key that is longer in UTF-8 than in characters
    done: bool
    log: Annotated[list[str], operator.add]


class _Full(_Shared):
    notes: Annotated[list[str], operator.add]


class _Delta(_Shared):
    notes: Annotated[list[str], DeltaChannel(_join, snapshot_frequency=3)]


class _Inner(TypedDict):
    title: str
    inner: Annotated[list[str], operator.add]


def build(saver: BaseCheckpointSaver[Any], *, delta: bool) -> Any:
    """Compile a graph with a list, a list stored by either policy, a text and a subgraph."""

    def work(state: _Shared) -> dict[str, Any]:
        size = state["größe"] + 1
        return {"größe": size, "log": [f"schritt {size}" * 3], "notes": [f"note {size} ü" * 20]}

    def think(state: _Inner) -> dict[str, Any]:
        return {"inner": [state["title"] * 5]}

    inner = StateGraph(_Inner)
    inner.add_node("think", think)
    inner.add_edge(START, "think")
    inner.add_edge("think", END)

    outer = StateGraph(_Delta if delta else _Full)
    outer.add_node("work", work)
    outer.add_node("sub", inner.compile())
    outer.add_edge(START, "work")
    outer.add_edge("work", "sub")
    outer.add_edge("sub", END)
    return outer.compile(checkpointer=saver)


def drive(saver: BaseCheckpointSaver[Any], *, turns: int, delta: bool, seed: int = 1) -> Any:
    """Run the session and return the graph."""
    graph = build(saver, delta=delta)
    random.seed(seed)
    for turn in range(turns):
        start = {"größe": 0, "done": True} if turn == 0 else {}
        graph.invoke({"title": f"Titel {turn} ☃", **start}, CONFIG)
    return graph


def main(name: str, turns: str, seed: str, policy: str) -> None:
    """Drive one session in this process and print what is stored."""
    with backend_named(name).open() as opened:
        drive(opened.saver, turns=int(turns), delta=policy == "delta", seed=int(seed))
        sys.stdout.write(opened.count(int(turns)).model_dump_json())


if __name__ == "__main__":
    main(*sys.argv[1:])
