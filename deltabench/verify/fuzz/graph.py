"""The graph that is fuzzed, in both forms. Scripts carry this file: it needs langgraph only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages
from langgraph.types import Overwrite, Send, interrupt
from typing_extensions import TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence


def append(state: list[Any], writes: Sequence[list[Any]]) -> list[Any]:
    """Append every item of every write."""
    return [*state, *(item for write in writes for item in write)]


def merge(state: dict[str, Any], writes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Merge every write; a key whose new value is None is removed."""
    merged = dict(state)
    for write in writes:
        merged |= write
    return {key: value for key, value in merged.items() if value is not None}


def append_one(state: list[Any], write: list[Any]) -> list[Any]:
    """The same for one write, as full snapshots need it."""
    return append(state, [write])


def merge_one(state: dict[str, Any], write: dict[str, Any]) -> dict[str, Any]:
    """The same for one write, as full snapshots need it."""
    return merge(state, [write])


def build(saver: Any, snapshot_frequency: int | None) -> Any:
    """Compile the graph on a saver; None means full snapshots."""

    def channel(kind: type, reducer: Any, binary: Any) -> Any:
        if snapshot_frequency is None:
            return BinaryOperatorAggregate(kind, binary)
        return DeltaChannel(reducer, kind, snapshot_frequency=snapshot_frequency)

    fields = {
        "notes": Annotated[list, channel(list, append, append_one)],
        "pages": Annotated[dict, channel(dict, merge, merge_one)],
        "messages": Annotated[list, channel(list, _messages_delta_reducer, add_messages)],
        "wishes": list,  # what the nodes are to do; each input says it anew
    }
    state: Any = TypedDict("State", fields, total=False)  # type: ignore[misc]
    builder: StateGraph[Any] = StateGraph(state)
    for node in (think, left, right, work, close):
        builder.add_node(node.__name__, node)
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", beside, ["left", "right", "work"])
    # No edge from both at once: what it waits for may be saved too late under durability async,
    # whatever the policy (langchain-ai/langgraph#8748), and two runs of the same would differ.
    for node in (left, right):
        builder.add_edge(node.__name__, "close")
    builder.add_conditional_edges("close", again, ["left", "right", END])
    return builder.compile(checkpointer=saver)


def think(state: Any) -> dict[str, Any]:
    """Write every channel; what it writes follows from the state, as in every node."""
    count, wishes = len(state["notes"]), state.get("wishes", [])
    messages = state["messages"]
    said: Any = AIMessage(f"answer {count}", id=f"answer {count}")
    if "remove first" in wishes and messages:
        said = RemoveMessage(messages[0].id)
    elif "rewrite last" in wishes and messages:
        said = AIMessage(f"rewritten {count}", id=messages[-1].id)
    elif "no id" in wishes:
        said = AIMessage(f"answer {count}")
    page = {f"page {count % 3}": None if "remove page" in wishes else count}
    return {"notes": [f"think {count}"], "pages": page, "messages": [said]}


def beside(state: Any) -> list[Any]:
    """Two nodes side by side, and perhaps Sends."""
    parts = 3 if "parts" in state.get("wishes", []) else 0
    return ["left", "right", *(Send("work", {**state, "part": part}) for part in range(parts))]


def left(state: Any) -> dict[str, Any]:
    """Write, ask a person first, or replace all notes."""
    text = f"left {len(state['notes'])}"
    if "left asks" in state.get("wishes", []):
        text = interrupt(text)
    overwrites = "left overwrites" in state.get("wishes", [])
    return {"notes": Overwrite([text]) if overwrites else [text]}


def right(state: Any) -> dict[str, Any]:
    """Write, or ask a person first, and twice."""
    text = f"right {len(state['notes'])}"
    if "right asks" in state.get("wishes", []):
        text = f"{interrupt(text)}, {interrupt('sure?')}"
    return {"notes": [text], "pages": {"right": text}}


def work(state: Any) -> dict[str, Any]:
    """Do one part of several."""
    text = f"part {state.get('part')}"
    if "part asks" in state.get("wishes", []) and state.get("part") == 1:
        text = interrupt(text)
    return {"notes": [text], "pages": {"part": text}}


def close(state: Any) -> dict[str, Any]:
    """End the round, by an error, with everything replaced, or having written nothing."""
    wishes = state.get("wishes", [])
    if "fail" in wishes:
        raise ValueError("as was wished")
    if "empty" in wishes:
        return {"notes": Overwrite([]), "pages": Overwrite({})}
    if "close quietly" in wishes:
        return {}
    return {"notes": [f"close {len(state['notes'])}"]}


def again(state: Any) -> Any:
    """Go round once more, as long as there are few notes and they only grow."""
    wishes = state.get("wishes", [])
    grows = "left overwrites" not in wishes and "empty" not in wishes
    few = len(state["notes"]) < 12  # noqa: PLR2004 - enough for a round or two
    return ["left", "right"] if "again" in wishes and grows and few else END
