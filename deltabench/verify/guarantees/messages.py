"""Messages keep their ids, and can be replaced and removed by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import chat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LIKE: dict[str, Any] = {
    "objects": HumanMessage("an object"),
    "dicts": {"role": "user", "content": "a dict"},
    "tuples": ("user", "a tuple"),
    "strings": "a string",
}


class Messages(Guarantee):
    """Messages from input, node and update_state, in every form that langgraph accepts."""

    name: ClassVar[str] = "messages"
    promise: ClassVar[str] = (
        "Every message has an id that stays, by which it can be replaced and removed."
    )
    source: ClassVar[str] = "langgraph add_messages; messages without a stable id cannot be removed"
    how: ClassVar[str] = (
        "ids over three reads; RemoveMessage, REMOVE_ALL_MESSAGES and replacement by id, from "
        "input, node and update_state; objects, dicts, tuples and strings"
    )
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each form of message and each change by id."""
        forms = {
            f"{name} without id": (lambda bench, form=form: _form(bench, form))
            for name, form in _LIKE.items()
        }
        return {
            **forms,
            "remove by id": _remove,
            "remove by the id that was given": _remove_generated,
            "replace by id": _replace,
            "remove all": _remove_all,
            "removed by a node": lambda bench: _by_node(bench, "remove the first"),
            "all removed by a node": lambda bench: _by_node(bench, "remove all"),
            "replaced by a node": lambda bench: _by_node(bench, "rewrite the first"),
        }


def _form(bench: Bench, form: Any) -> None:
    with bench.twins(chat) as twins:
        for _ in range(3):
            twins.run({"messages": [form]})
            twins.update({"messages": [form]}, as_node="answer")
            _every_id_stays(twins)


def _remove(bench: Bench) -> None:
    with bench.twins(chat) as twins:
        for turn in range(4):
            twins.run({"messages": [HumanMessage(f"turn {turn}", id=f"human-{turn}")]})
        twins.update({"messages": [RemoveMessage("human-1")]}, as_node="answer")
        twins.run({"messages": [RemoveMessage("human-2"), HumanMessage("go on", id="human-4")]})


def _remove_generated(bench: Bench) -> None:
    """Each twin removes the message that it gave an id to itself."""
    with bench.twins(chat) as twins:
        twins.run({"messages": [HumanMessage("no id of its own")]})
        twins.run({"messages": [HumanMessage("nor this")]})
        twins.begin("remove by generated id")
        for side in twins.sides:
            first = side.state(twins.config())["values"]["messages"][0]
            twins.claim("the message has an id", holds=first["id"] is not None)
            side.do(
                "update_state",
                twins.config(),
                {"messages": [RemoveMessage(first["id"])]},
                as_node="answer",
            )
        twins.check()


def _replace(bench: Bench) -> None:
    with bench.twins(chat) as twins:
        for turn in range(3):
            twins.run({"messages": [HumanMessage(f"turn {turn}", id=f"human-{turn}")]})
        twins.update({"messages": [HumanMessage("rewritten", id="human-0")]}, as_node="answer")
        twins.run({"messages": [AIMessage("rewritten too", id="answer-1")]})


def _remove_all(bench: Bench) -> None:
    with bench.twins(chat) as twins:
        for turn in range(3):
            twins.run({"messages": [HumanMessage(f"turn {turn}", id=f"human-{turn}")]})
        everything = RemoveMessage(REMOVE_ALL_MESSAGES)
        twins.update({"messages": [everything, HumanMessage("anew", id="new")]}, as_node="answer")
        twins.run({"messages": [HumanMessage("and on", id="human-9")]})


def _by_node(bench: Bench, asked: str) -> None:
    """The node takes the id from the state, whoever gave it."""
    with bench.twins(chat) as twins:
        for turn in range(2):
            twins.run({"messages": [HumanMessage(f"turn {turn}")]})
            twins.run({"messages": [HumanMessage(asked)]})
            _every_id_stays(twins)


def _every_id_stays(twins: Any) -> None:
    for side in twins.sides:
        reads = [
            [message["id"] for message in side.state(twins.config())["values"]["messages"]]
            for _ in range(3)
        ]
        twins.require([reads[0]] * 3, reads, observed="the ids of messages over three reads")
        twins.claim("every message has an id", holds=None not in reads[0])
