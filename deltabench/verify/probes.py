"""Small graphs, each with one trait that a guarantee needs, as delta and as full twin.

Every node is deterministic: what it writes follows from the state it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from langgraph.channels import DeltaChannel
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from deltabench.cells import Policy
from deltabench.subject.policy import apply_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langgraph.pregel import Pregel


def append(state: list[Any], writes: Sequence[list[Any]]) -> list[Any]:
    """Append every item of every write, as langgraph would with `operator.add`."""
    return [*state, *(item for write in writes for item in write)]


def merge(state: dict[str, Any], writes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Merge every write; a key whose new value is None is removed, as files are."""
    merged = dict(state)
    for write in writes:
        merged |= write
    return {key: value for key, value in merged.items() if value is not None}


class Notes(TypedDict, total=False):
    """A list and a dict that are delta channels, and a plain counter beside them."""

    notes: Annotated[list[Any], DeltaChannel(append)]
    pages: Annotated[dict[str, Any], DeltaChannel(merge)]
    turn: int


def under_policy(
    builder: StateGraph[Any], saver: Any, frequency: int | None, **options: Any
) -> Pregel[Any]:
    """Compile a graph on a saver and switch its channels to a policy."""
    graph: Pregel[Any] = builder.compile(checkpointer=saver, **options)
    apply_policy(graph, Policy(snapshot_frequency=frequency))
    return graph


def note_taker(saver: Any, frequency: int | None) -> Pregel[Any]:
    """Two supersteps a turn: `think` writes both channels, then `left` and `right` in parallel."""
    builder = StateGraph(Notes)
    builder.add_node("think", _think)
    builder.add_node("left", lambda state: {"notes": [f"left {len(state['notes'])}"]})
    builder.add_node("right", lambda state: {"notes": [f"right {len(state['notes'])}"]})
    builder.add_edge(START, "think")
    builder.add_edge("think", "left")
    builder.add_edge("think", "right")
    return under_policy(builder, saver, frequency)


def _think(state: Notes) -> dict[str, Any]:
    turn = state.get("turn", 0) + 1
    pages: dict[str, Any] = {f"page {turn}": f"written in turn {turn}"}
    if turn % 3 == 0:
        pages[f"page {turn - 2}"] = None
    return {"notes": [f"thought {turn}"], "pages": pages, "turn": turn}
