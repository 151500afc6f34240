"""A Command(update=...) as the first input of a thread is applied twice.

Full snapshots keep both; a delta channel replays it once, so that the run sees one state and
what is read back is another. Exit code 1 when it occurs.
"""

import sys
from typing import Annotated

from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict


def batch(state, writes):
    return [*state, *(item for write in writes for item in write)]


def shown(channel):
    class State(TypedDict):
        notes: Annotated[list, channel]

    builder = StateGraph(State)
    builder.add_node("think", lambda state: {"notes": [f"saw {state['notes']}"]})
    builder.add_edge(START, "think")
    graph = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    ran = graph.invoke(Command(update={"notes": ["x"]}, goto="think"), config)["notes"]
    return ran, graph.get_state(config).values["notes"]


full = shown(BinaryOperatorAggregate(list, lambda a, b: batch(a, [b])))
delta = shown(DeltaChannel(batch, list, snapshot_frequency=1000))
for name, (ran, stored) in (("full ", full), ("delta", delta)):
    print(name, "the run gave", ran, "and read back is", stored)
sys.exit(full[1] != delta[1])
