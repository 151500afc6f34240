"""A file of graphs in every form that a user may name, for tests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

GRAPHS = """
import contextlib
import operator
from typing import Annotated, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt

from beside import tail


class State(TypedDict):
    messages: Annotated[list, add_messages]
    log: Annotated[list[str], operator.add]
    count: Annotated[int, operator.add]
    title: str


def answer(state):
    number = len(state["messages"])
    return {
        "messages": [("ai", f"answer {number}" + tail())],
        "log": [f"line {number}"],
        "count": 1,
        "title": f"title {number}",
    }


async def answer_later(state):
    return answer(state)


def ask(state):
    return {"log": [str(interrupt("go on?"))]}


def make_builder(*nodes):
    made = StateGraph(State)
    before = START
    for node in nodes or (answer,):
        made.add_node(node.__name__, node)
        made.add_edge(before, node.__name__)
        before = node.__name__
    return made


builder = make_builder()
graph = builder.compile(name="mine", interrupt_after=["answer"])
plain = builder.compile(checkpointer=InMemorySaver())
only_async = make_builder(answer_later).compile()
asking = make_builder(ask, answer).compile()
nested = make_builder(answer, ).compile()
outer_builder = StateGraph(State)
outer_builder.add_node("inner", nested)
outer_builder.add_edge(START, "inner")
outer = outer_builder.compile()
broken = StateGraph(State)
number = 5


def nothing():
    return builder


async def later():
    return plain


def configured(config: RunnableConfig):
    assert "configurable" in config
    return builder


def saved(config, checkpointer=None):
    return builder.compile(checkpointer=checkpointer)


@contextlib.contextmanager
def managed():
    yield graph


@contextlib.asynccontextmanager
async def managed_later():
    yield plain


def needs(tenant):
    return builder


def fails():
    raise RuntimeError("no key")


def gives_text():
    return "graph"
"""


def write_graphs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files, make their folder the current one, and undo both paths later."""
    (folder / "graphs.py").write_text(GRAPHS)
    (folder / "beside.py").write_text("def tail():\n    return '!'\n")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("graphs", "beside"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


@pytest.fixture
def graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of the files, as the current one."""
    return write_graphs(tmp_path, monkeypatch)
