"""What random operations write: partial states, made of a few shapes and a label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Overwrite

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

    Shapes = dict[str, str]

THREADS = st.sampled_from(["a", "b"])
DURABILITIES = st.sampled_from(["sync", "async", "exit"])
FREQUENCIES = st.sampled_from([2, 3, 1, 5, 1000, None])
# As whom one may update: the nodes, the input, or whoever wrote last.
WRITERS = st.sampled_from(["think", "left", "right", "work", "close", "__start__", None])
COPY = "__copy__"
END = "__end__"

# What the nodes can be asked to do; see `graph`.
WISHES = st.lists(
    st.sampled_from(
        [
            "left asks",
            "right asks",
            "parts",
            "part asks",
            "left overwrites",
            "remove first",
            "rewrite last",
            "no id",
            "remove page",
            "again",
            "empty",
            "close quietly",
            "fail",
        ]
    ),
    max_size=3,
    unique=True,
)

# Channel -> shape -> what is written, given a label that nothing else has.
_SHAPES: dict[str, dict[str, Callable[[str], Any]]] = {
    "notes": {
        "one": lambda label: [label],
        "two": lambda label: [f"{label}, first", f"{label}, second"],
        "nothing": lambda _: [],
        "overwrite": lambda label: Overwrite([label]),
        "empty": lambda _: Overwrite([]),
    },
    "pages": {
        "one": lambda label: {"page 1": label},
        "another": lambda label: {label: label},
        "remove": lambda _: {"page 1": None},
        "nothing": lambda _: {},
        "overwrite": lambda label: Overwrite({label: label}),
    },
    "messages": {
        "one": lambda label: [HumanMessage(label, id=label)],
        "no id": lambda label: [HumanMessage(label)],
        "rewrite": lambda label: [HumanMessage(label, id="rewritten")],
        "dict": lambda label: [{"role": "user", "content": label}],
        "remove all": lambda _: [RemoveMessage(REMOVE_ALL_MESSAGES)],
        "anew": lambda label: [RemoveMessage(REMOVE_ALL_MESSAGES), HumanMessage(label, id=label)],
        "overwrite": lambda label: Overwrite([HumanMessage(label, id=label)]),
    },
}


def shapes() -> SearchStrategy[Shapes]:
    """Which channels are written, and how."""
    return st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(list(of)) for name, of in _SHAPES.items()}
    )


def written(shapes_of: Shapes, label: str) -> dict[str, Any]:
    """The partial state of these shapes."""
    return {name: _SHAPES[name][shape](label) for name, shape in shapes_of.items()}
