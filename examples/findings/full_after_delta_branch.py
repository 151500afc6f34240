"""A branch made by a graph that went back from delta to full channels reads another branch.

Only delta channels store a snapshot where a branch begins. Exit code 1 when it occurs.
"""

import sys
from typing import Annotated

from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict


def batch(state, writes):
    return [*state, *(item for write in writes for item in write)]


def build(saver, delta):
    channel = (
        DeltaChannel(batch, list, snapshot_frequency=1000)
        if delta
        else BinaryOperatorAggregate(list, lambda a, b: batch(a, [b]))
    )

    class State(TypedDict):
        notes: Annotated[list, channel]
        other: str

    builder = StateGraph(State)
    builder.add_node("one", lambda state: {"notes": ["one"]})
    builder.add_node("two", lambda state: {"notes": ["two"]})
    builder.add_edge(START, "one")
    builder.add_edge("one", "two")
    return builder.compile(checkpointer=saver)


def shown(*, first_delta):
    saver, config = InMemorySaver(), {"configurable": {"thread_id": "1"}}
    build(saver, first_delta).invoke({"notes": ["input"]}, config)
    graph = build(saver, delta=False)
    after_one = next(s for s in graph.get_state_history(config) if s.next == ("two",))
    graph.update_state(after_one.config, {"other": "edited"}, as_node="two")
    return graph.get_state(config).values["notes"]


full, back = shown(first_delta=False), shown(first_delta=True)
print("full throughout   ", full)
print("full after delta  ", back)
sys.exit(full != back)
