"""Graphs that tools and functions hold are found, and follow the policy where it is asked for."""

from __future__ import annotations

import functools
import operator
from typing import Annotated, Any, TypedDict

from deepagents import create_deep_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.tools import tool
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.graph import START, StateGraph
from langgraph.prebuilt import ToolNode

from deltabench.cells import Policy
from deltabench.subject.candidates import choose_channels
from deltabench.subject.hidden import hidden_graphs
from deltabench.subject.policy import apply_policy


class _State(TypedDict):
    log: Annotated[list[str], operator.add]


def _graph(name: str, node: Any = lambda _: {"log": ["x"]}) -> Any:
    builder: StateGraph[Any] = StateGraph(_State)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    return builder.compile(name=name)


GLOBAL = _graph("global")


def test_graphs_are_found_where_they_are_held() -> None:
    """In a closure, a global, a partial, a list, a tool of a tool node, and deeper."""
    deep = _graph("deep")
    held = [_graph("listed")]
    inner = _graph("closed over", lambda _: deep.invoke({"log": []}))

    @tool
    def ask(text: str) -> str:
        """Ask a graph."""
        return str(inner.invoke({"log": [text]}))

    def call(graph: Any, _: Any) -> Any:
        held[0].invoke({"log": []})
        return GLOBAL.invoke(graph.invoke({"log": []}))

    both = [ToolNode([ask]), functools.partial(call, _graph("partial"))]
    found = [label for node in both for label, _ in hidden_graphs(_graph("outer", node))]
    assert sorted(found) == [
        "node>closed over",
        "node>closed over>node>deep",
        "node>global",
        "node>listed",
        "node>partial",
    ]


def test_the_subagents_of_deep_agents_follow_the_policy() -> None:
    """With choices a full twin has no delta channel anywhere, also inside the task tool."""
    model = GenericFakeChatModel(messages=iter(()))
    for policy in (Policy(), Policy(snapshot_frequency=7)):
        graph = create_deep_agent(model=model)
        choices = choose_channels(graph)
        names = {choice.name for choice in choices if choice.reducer}
        assert {"messages", "files", "tools>general-purpose:files"} <= names
        apply_policy(graph, policy, choices)
        ((_, inner),) = hidden_graphs(graph)
        expected = BinaryOperatorAggregate if policy.is_full else DeltaChannel
        assert type(inner.channels["files"]) is expected
        assert type(graph.channels["files"]) is expected
