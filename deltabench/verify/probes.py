"""Small graphs, each with one trait that a guarantee needs, as delta and as full twin.

Every node is deterministic: what it writes follows from the state it is given.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import (
    REMOVE_ALL_MESSAGES,
    _messages_delta_reducer,
    add_messages,
)
from langgraph.store.memory import InMemoryStore
from langgraph.types import RetryPolicy, Send, StreamWriter, interrupt
from typing_extensions import TypedDict

from deltabench.cells import Policy
from deltabench.subject.policy import apply_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langgraph.pregel import Pregel
    from langgraph.store.base import BaseStore


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


class Crowd(Notes, total=False):
    """Adds what the nodes of `fan_out` are to do."""

    mood: str


WRITERS = tuple(f"writer {number}" for number in range(8))


def fan_out(saver: Any, frequency: int | None) -> Pregel[Any]:
    """Eight nodes that write one channel in one superstep; some fail or are retried by mood."""
    builder = StateGraph(Crowd)
    for name in WRITERS:
        builder.add_node(name, _writer(name), retry_policy=RetryPolicy(**_AT_ONCE))
        builder.add_edge(START, name)
    return under_policy(builder, saver, frequency)


_OTHERS_FINISH_SECONDS = 0.1
_AT_ONCE: dict[str, Any] = {"initial_interval": 0.0, "jitter": False, "max_attempts": 2}


class FirstTryError(ConnectionError):
    """What a node raises at its first try; retried, since the default policy retries it."""


def _writer(name: str) -> Any:
    tried: set[str] = set()

    def write(state: Crowd) -> dict[str, Any]:
        mood, seen = state.get("mood"), str(state["notes"])
        first_try = seen not in tried
        tried.add(seen)
        if name == WRITERS[3] and (mood == "fail" or (mood == "fail once" and first_try)):
            time.sleep(_OTHERS_FINISH_SECONDS)  # which writes were saved must not be a race
            raise ValueError("this writer fails")
        if name in WRITERS[1::3] and mood == "retry" and first_try:
            raise FirstTryError("not at the first try")
        return {"notes": [f"{name} saw {len(state['notes'])}"]}

    return write


PARTS = 12


def sends(saver: Any, frequency: int | None) -> Pregel[Any]:
    """Twelve Sends to one node in one superstep; some fail or are retried by mood."""
    builder = StateGraph(Crowd)
    builder.add_node("plan", lambda state: {"notes": [f"plan {len(state['notes'])}"]})
    builder.add_node("work", _worker(), retry_policy=RetryPolicy(**_AT_ONCE))
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", _parts, ["work"])
    return under_policy(builder, saver, frequency)


def _parts(state: Crowd) -> list[Send]:
    # Of a turn: its input, its plan, and its parts.
    turn = len(state["notes"]) // (2 + PARTS)
    return [
        Send("work", {"part": part, "turn": turn, "mood": state.get("mood")})
        for part in range(PARTS)
    ]


def _worker() -> Any:
    tried: set[str] = set()

    def work(given: dict[str, Any]) -> dict[str, Any]:
        name = f"part {given['part']} of turn {given['turn']}"
        first_try = name not in tried
        tried.add(name)
        if first_try and given["mood"] == "fail once" and given["part"] == PARTS // 2:
            time.sleep(_OTHERS_FINISH_SECONDS)
            raise ValueError("this part fails")
        if first_try and given["mood"] == "retry" and given["part"] % 3 == 0:
            raise FirstTryError("not at the first try")
        return {"notes": [name]}

    return work


class Chat(TypedDict, total=False):
    """Messages under langgraph's own delta reducer."""

    messages: Annotated[list[Any], DeltaChannel(_messages_delta_reducer)]


def chat(saver: Any, frequency: int | None) -> Pregel[Any]:
    """One node that answers; the full twin has langgraph's `add_messages`."""
    builder = StateGraph(Chat)
    builder.add_node("answer", _answer)
    builder.add_edge(START, "answer")
    graph = under_policy(builder, saver, frequency)
    if frequency is None:
        channel = BinaryOperatorAggregate(list, add_messages)  # type: ignore[arg-type]
        channel.key = "messages"
        graph.channels["messages"] = channel
    return graph


def _answer(state: Chat) -> dict[str, Any]:
    """Answer, or change what is there where the last message asks for it."""
    messages = state["messages"]
    count = len(messages)
    asked = messages[-1].content if messages else ""
    if asked == "remove the first":
        return {"messages": [RemoveMessage(messages[0].id)]}
    if asked == "remove all":
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), AIMessage("anew", id="anew")]}
    if asked == "rewrite the first":
        return {"messages": [AIMessage("rewritten", id=messages[0].id)]}
    return {"messages": [AIMessage(f"answer {count}", id=f"answer-{count}"), AIMessage("no id")]}


def speaker(saver: Any, frequency: int | None) -> Pregel[Any]:
    """One node that asks a chat model and tells of its progress."""
    builder = StateGraph(Notes)
    builder.add_node("speak", _speak)
    builder.add_node("close", lambda state: {"notes": [f"closed at {len(state['notes'])}"]})
    builder.add_edge(START, "speak")
    builder.add_edge("speak", "close")
    return under_policy(builder, saver, frequency)


def _speak(state: Notes, writer: StreamWriter) -> dict[str, Any]:
    count = len(state["notes"])
    writer({"progress": count})
    said = AIMessage(f"word by word {count}", id=f"said-{count}")
    answer = GenericFakeChatModel(messages=iter([said])).invoke("speak")
    return {"notes": [answer.content]}


def asker(saver: Any, frequency: int | None) -> Pregel[Any]:
    """Two nodes side by side that each ask a person, then one that goes on."""
    builder = StateGraph(Notes)
    builder.add_node("left", lambda state: {"notes": [interrupt(f"left {len(state['notes'])}?")]})
    builder.add_node("right", lambda state: {"notes": [interrupt(f"right {len(state['notes'])}?")]})
    builder.add_node("after", lambda state: {"notes": [f"after {len(state['notes'])}"]})
    builder.add_edge(START, "left")
    builder.add_edge(START, "right")
    builder.add_edge(["left", "right"], "after")
    return under_policy(builder, saver, frequency)


def half_asker(saver: Any, frequency: int | None) -> Pregel[Any]:
    """Two nodes side by side, of which the right one asks a person."""
    builder = StateGraph(Notes)
    builder.add_node("left", lambda state: {"notes": [f"left {len(state['notes'])}"]})
    builder.add_node("right", lambda state: {"notes": [interrupt(f"right {len(state['notes'])}?")]})
    builder.add_edge(START, "left")
    builder.add_edge(START, "right")
    return under_policy(builder, saver, frequency)


def breakpoints(saver: Any, frequency: int | None) -> Pregel[Any]:
    """Two nodes in a row, stopped before the second."""
    return under_policy(_two_in_a_row(), saver, frequency, interrupt_before=["act"])


def breakpoints_after(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The same, stopped after the first."""
    return under_policy(_two_in_a_row(), saver, frequency, interrupt_after=["think"])


def _two_in_a_row() -> StateGraph[Any]:
    builder = StateGraph(Notes)
    builder.add_node("think", _think)
    builder.add_node("act", lambda state: {"notes": [f"acted on {len(state['notes'])}"]})
    builder.add_edge(START, "think")
    builder.add_edge("think", "act")
    return builder


REMEMBERED = "a secret that only the store knows"


def rememberer(saver: Any, frequency: int | None) -> Pregel[Any]:
    """One node that counts and keeps in a store, which each graph object brings along."""
    builder = StateGraph(Notes)
    builder.add_node("remember", _remember)
    builder.add_edge(START, "remember")
    return under_policy(builder, saver, frequency, store=InMemoryStore())


def _remember(state: Notes, *, store: BaseStore) -> dict[str, Any]:  # noqa: ARG001 - langgraph's signature
    known = len(store.search(("memories",)))
    store.put(("memories",), f"memory {known}", {"text": REMEMBERED})
    return {"notes": [f"knew {known}"]}


STEPS = 12


class Steps(TypedDict, total=False):
    """One note a step, and the file in which each step leaves a line."""

    notes: Annotated[list[Any], DeltaChannel(append)]
    trace: str


def stepper(saver: Any, frequency: int | None) -> Pregel[Any]:
    """One node that runs `STEPS` times, each time in a superstep of its own."""
    builder = StateGraph(Steps)
    builder.add_node("step", _step)
    builder.add_edge(START, "step")
    builder.add_conditional_edges(
        "step", lambda state: "step" if len(state["notes"]) < STEPS else END, ["step", END]
    )
    return under_policy(builder, saver, frequency)


def _step(state: Steps) -> dict[str, Any]:
    step = len(state.get("notes", []))
    with Path(state["trace"]).open("a", encoding="utf-8") as trace:
        trace.write(f"{step}\n")
    return {"notes": [f"step {step}"]}
