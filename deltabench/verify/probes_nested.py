"""Graphs inside of graphs, whose checkpoints lie in namespaces of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from langgraph.channels import DeltaChannel
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

from deltabench.cells import Policy
from deltabench.subject.policy import apply_policy
from deltabench.verify.probes import append

if TYPE_CHECKING:
    from langgraph.pregel import Pregel


class Outer(TypedDict, total=False):
    """The three graphs share the turn only, so that each has a delta channel of its own."""

    notes: Annotated[list[Any], DeltaChannel(append)]
    turn: int


class Middle(TypedDict, total=False):
    """Of the graph in the middle."""

    middle_notes: Annotated[list[Any], DeltaChannel(append)]
    turn: int


class Innermost(TypedDict, total=False):
    """Of the innermost graph."""

    deep_notes: Annotated[list[Any], DeltaChannel(append)]
    turn: int


def nested(saver: Any, frequency: int | None) -> Pregel[Any]:
    """A graph in a graph in a graph, one checkpointer for all."""
    return _under(frequency, _outer().compile(checkpointer=saver))


def nested_asking(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The same, whose innermost graph asks a person."""
    return _under(frequency, _outer(asks=True).compile(checkpointer=saver))


def remembering(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The first one, whose inner graphs keep their state from turn to turn."""
    return _under(frequency, _outer(keeps=True).compile(checkpointer=saver))


def by_config(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The asking one, compiled without its checkpointer, so that the config must bring it."""
    del saver
    return _under(frequency, _outer(asks=True).compile())


def _under(frequency: int | None, graph: Pregel[Any]) -> Pregel[Any]:
    apply_policy(graph, Policy(snapshot_frequency=frequency))
    return graph


def _outer(*, asks: bool = False, keeps: bool = False) -> StateGraph[Any]:
    """Each graph runs a node before and one after the next inner graph."""
    kept = True if keeps else None
    deepest = _ask if asks else _note("deep_notes", "deepest")
    innermost = _in_a_row(Innermost, "deep_notes", deepest)
    middle = _in_a_row(Middle, "middle_notes", innermost.compile(checkpointer=kept))
    return _in_a_row(Outer, "notes", middle.compile(checkpointer=kept))


def _in_a_row(schema: Any, channel: str, between: Any) -> StateGraph[Any]:
    builder = StateGraph(schema)
    builder.add_node("before", _note(channel, "before"))
    builder.add_node("between", between)
    builder.add_node("after", _note(channel, "after"))
    builder.add_edge(START, "before")
    builder.add_edge("before", "between")
    builder.add_edge("between", "after")
    return builder


def _note(channel: str, name: str) -> Any:
    return lambda state: {channel: [f"{name} at {len(state.get(channel, []))}"]}


def _ask(state: Innermost) -> dict[str, Any]:
    return {"deep_notes": [interrupt(f"turn {state['turn']} at {len(state['deep_notes'])}?")]}
