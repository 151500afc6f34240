"""`update_state` as a node that has already written loses the update of a delta channel.

Two nodes run side by side; `left` is done, `right` waits for a person. An update as `left`
gets the id of the pending task, so the saver takes its writes for those of the task, which
are already stored under (task id, index), and drops them. A full channel has the value in
the new checkpoint; a delta channel that `left` had not written itself is rebuilt from the
writes and loses it.
Exit code 1 when it occurs.
"""

import sys
from typing import Annotated

from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict


def batch(state, writes):
    return [*state, *(item for write in writes for item in write)]


def shown(channel):
    class State(TypedDict):
        notes: Annotated[list, channel()]
        messages: Annotated[list, channel()]

    builder = StateGraph(State)
    builder.add_node("left", lambda state: {"notes": ["left"]})
    builder.add_node("right", lambda state: {"notes": [interrupt("sure?")]})
    builder.add_edge(START, "left")
    builder.add_edge(START, "right")
    graph = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    graph.invoke({"notes": ["input"]}, config)
    graph.update_state(config, {"messages": ["edited by a person"]}, as_node="left")
    return graph.get_state(config).values["messages"]


full = shown(lambda: BinaryOperatorAggregate(list, lambda a, b: batch(a, [b])))
delta = shown(lambda: DeltaChannel(batch, list, snapshot_frequency=1000))
print("full ", full)
print("delta", delta)
sys.exit(full != delta)
