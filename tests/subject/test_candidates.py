"""Which channels can be delta channels: found, named by hand, or left with a reason."""

from __future__ import annotations

import operator
from collections import UserList
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages

from deltabench.cells import Policy
from deltabench.errors import DeltabenchError
from deltabench.subject.batch_forms import Fold, concatenate, merge
from deltabench.subject.candidates import Choice, choose_channels
from deltabench.subject.policy import apply_policy

_calls = 0


def append(state: list[Any], write: Any) -> list[Any]:
    """Append whatever is written, or the items of a list."""
    return [*state, *(write if isinstance(write, list) else [write])]


def merged(state: dict[str, Any], write: dict[str, Any]) -> dict[str, Any]:
    """Merge two dicts."""
    return {**state, **write}


def batch(state: list[Any], writes: list[list[Any]]) -> list[Any]:
    """Concatenate a batch of lists."""
    return [*state, *(item for write in writes for item in write)]


def in_place(state: list[Any], write: list[Any]) -> list[Any]:
    """Change the state itself."""
    state.extend(write)
    return state


def counting(state: list[Any], write: list[Any]) -> list[Any]:
    """Number what is written, differently each time."""
    global _calls  # noqa: PLW0603 - this is the fault
    _calls += 1
    return [*state, *write, _calls]


def drifting(state: list[Any], writes: list[list[Any]]) -> list[Any]:
    """Drop all but the first write of a batch."""
    return [*state, *writes[0]]


def picky(state: list[Any], write: list[Any]) -> list[Any]:
    """Accept nothing but what has a price."""
    return [*state, *(item.price for item in write)]


class _State(TypedDict):
    messages: Annotated[list[Any], add_messages]
    log: Annotated[list[str], operator.add]
    notes: Annotated[list[str], append]
    facts: Annotated[dict[str, str], merged]
    tags: Annotated[set[str], operator.or_]
    stored: Annotated[list[str], DeltaChannel(batch, snapshot_frequency=9)]
    count: Annotated[int, operator.add]
    odd: Annotated[list[str], in_place]
    random: Annotated[list[str], counting]
    prices: Annotated[list[str], picky]
    title: str


class _Small(TypedDict):
    messages: Annotated[list[Any], add_messages]
    log: Annotated[list[str], operator.add]
    stored: Annotated[list[str], DeltaChannel(batch, snapshot_frequency=9)]
    title: str


SWITCHED = {"prices", "messages", "log", "notes", "facts", "tags", "stored"}
KNOWN = dict.fromkeys(SWITCHED, "passed before")


def _graph(state: type = _State) -> Any:
    builder: StateGraph[Any] = StateGraph(state)
    builder.add_node("node", lambda _: {})
    builder.add_edge(START, "node")
    return builder.compile(checkpointer=InMemorySaver())


def _by_name(choices: tuple[Choice, ...]) -> dict[str, Choice]:
    return {choice.name: choice for choice in choices}


def test_channels_are_found_and_the_others_left_with_a_reason() -> None:
    """Reducers of lists, dicts and sets that can be replayed are taken, each with a reason."""
    choices = _by_name(choose_channels(_graph()))
    assert {name for name, choice in choices.items() if choice.reducer} == SWITCHED
    assert choices["messages"].reducer is _messages_delta_reducer
    assert choices["log"].reducer is concatenate
    assert isinstance(choices["notes"].reducer, Fold)
    left = {name: choice.reason for name, choice in choices.items() if not choice.reducer}
    assert left.keys() == {"count", "odd", "random", "title"}
    assert left["count"] == "int: no list, dict or set that grows"
    assert left["title"] == "has no reducer"
    assert left["odd"].startswith("in_place: inputs unchanged: ")
    assert left["random"].startswith("counting: deterministic: ")
    assert choices["messages"].reason == "add_messages"
    assert "contract" in choices["notes"].reason
    assert "some values raise" in choices["prices"].reason


def test_what_passed_before_is_taken_on_trust() -> None:
    """A later look at the same graph switches the same channels without trying them again."""
    first = choose_channels(_graph(), {"odd": "tests.subject.test_candidates:batch"})
    known = {choice.name: choice.reason for choice in first if choice.reducer}
    before = _calls
    again = choose_channels(_graph(), {"odd": "tests.subject.test_candidates:batch"}, known=known)
    assert _calls == before
    assert {c.name for c in again if c.reducer} == known.keys() == SWITCHED | {"odd"}
    assert _by_name(again)["odd"].reducer is batch


def test_full_keeps_the_graphs_own_operators() -> None:
    """Under full snapshots reducer channels are untouched; under delta all chosen are switched."""
    for policy in (Policy(), Policy(snapshot_frequency=4)):
        graph = _graph()
        readback = apply_policy(graph, policy, choose_channels(graph, known=KNOWN))
        assert {channel.name for channel in readback} == SWITCHED
        kinds = {name for name, c in graph.channels.items() if isinstance(c, DeltaChannel)}
        assert kinds == (set() if policy.is_full else SWITCHED)
        assert graph.channels["count"].operator is operator.add
        if policy.is_full:
            assert graph.channels["messages"].operator is add_messages
            assert type(graph.channels["stored"]) is BinaryOperatorAggregate


def test_full_and_delta_end_in_the_same_state() -> None:
    """A session over several snapshots gives one state under every policy."""
    states = []
    for policy in (Policy(), Policy(snapshot_frequency=1), Policy(snapshot_frequency=3)):
        graph = _graph()
        apply_policy(graph, policy, choose_channels(graph, known=KNOWN))
        config: Any = {"configurable": {"thread_id": "t"}}
        for n in range(5):
            graph.invoke(
                {
                    "messages": [{"role": "user", "content": f"m{n}", "id": str(n % 4)}],
                    "log": [f"l{n}"],
                    "notes": f"n{n}",
                    "facts": {f"f{n % 2}": str(n)},
                    "tags": {str(n % 3)},
                    "stored": ["s"],
                    "count": n,
                },
                config,
            )
        states.append(graph.get_state(config).values)
    assert states[0] == states[1] == states[2]
    assert (len(states[0]["messages"]), states[0]["count"]) == (4, 10)


@pytest.mark.parametrize(
    ("named", "batched"),
    [("append", False), ("batch", True)],
)
def test_a_reducer_named_by_hand_is_recognised(named: str, *, batched: bool) -> None:
    """Batch reducers are taken as they are, binary ones are folded."""
    spec = f"tests.subject.test_candidates:{named}"
    choice = _by_name(choose_channels(_graph(), {"odd": spec}))["odd"]
    assert choice.reducer is not None
    assert isinstance(choice.reducer, Fold) is not batched
    assert choice.reducer(["a"], [["b"], ["c"]]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("channel", "reducer", "message"),
    [
        ("mesages", "append", r"no channel 'mesages' \(did you mean messages\?\)"),
        ("zzz", "append", r"no channel 'zzz' \(it has messages, log"),
        ("title", "append", "the channel has no reducer"),
        ("stored", "append", "is a delta channel already"),
        ("log", "drifting", "breaks the contract: .*deltabench reducer"),
        ("log", "SWITCHED", "is no function"),
        ("log", "apend", r"did you mean append"),
    ],
)
def test_a_wrong_name_is_one_line(channel: str, reducer: str, message: str) -> None:
    """A channel that is not there, or a reducer that breaks the contract, is refused."""
    spec = f"tests.subject.test_candidates:{reducer}"
    with pytest.raises(DeltabenchError, match=message):
        choose_channels(_graph(_Small), {channel: spec})


def test_nothing_to_switch_is_refused() -> None:
    """A graph without a candidate says how to name one."""

    class Plain(TypedDict):
        title: str

    graph = _graph(Plain)
    with pytest.raises(DeltabenchError, match=r"could be a delta channel \(--channel"):
        apply_policy(graph, Policy(), choose_channels(graph))


lists = st.lists(st.integers(), max_size=4)
dicts = st.dictionaries(st.integers(0, 3), st.integers(), max_size=4)


@settings(max_examples=60, deadline=None)
@given(lists, st.lists(lists, max_size=4), dicts, st.lists(dicts, max_size=4))
def test_batch_forms_do_what_a_fold_does(
    state: list[int], writes: list[list[int]], mapping: dict[int, int], merges: list[dict[int, int]]
) -> None:
    """The faster forms equal the fold of the operator, and can be split anywhere."""
    assert concatenate(state, writes) == Fold(operator.add)(state, writes)
    assert merge(mapping, merges) == Fold(operator.or_)(mapping, merges)
    for split in range(len(writes) + 1):
        first = concatenate(state, writes[:split])
        assert concatenate(first, writes[split:]) == concatenate(state, writes)


def test_concatenation_refuses_what_addition_refuses() -> None:
    """A write that is no list is an error under both policies, and not only under one."""
    for reducer in (concatenate, Fold(operator.add)):
        with pytest.raises(TypeError):
            reducer(["a"], [UserList("b").data, "c"])  # type: ignore[list-item]
