"""Storage policies: what is asked for is what the live graph has, or the cell is refused."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel, LastValue
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Overwrite

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.subject.agent import build_subject
from deltabench.subject.batch_forms import BinaryForm
from deltabench.subject.policy import apply_policy, read_back
from tests.subject.short_session import FULL, delta, drive, small_workload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.cells import Policy

POLICIES = [FULL, delta(1), delta(3)]


def _join(state: list[str], batches: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for batch in batches for item in batch)]


class _Plain(TypedDict):
    log: Annotated[list[str], operator.add]


class _Notes(TypedDict):
    log: Annotated[list[str], operator.add]
    notes: Annotated[list[str], DeltaChannel(_join, snapshot_frequency=4)]


class _More(TypedDict):
    notes: Annotated[list[str], DeltaChannel(_join, snapshot_frequency=9)]
    marks: Annotated[list[str], DeltaChannel(_join, snapshot_frequency=9)]


def _chain(
    state: type, nodes: dict[str, Any], saver: BaseCheckpointSaver[Any] | None = None
) -> Any:
    builder: StateGraph[Any] = StateGraph(state)
    places = [START, *nodes, END]
    for name, node in nodes.items():
        builder.add_node(name, node)
    for before, after in itertools.pairwise(places):
        builder.add_edge(before, after)
    return builder.compile(checkpointer=saver)


def _note(text: str) -> Callable[[Any], dict[str, Any]]:
    def node(_: Any) -> dict[str, Any]:
        return {"notes": [text]}

    return node


def _nested(saver: BaseCheckpointSaver[Any] | None = None) -> Any:
    """Compile a graph with a delta channel, around one with two, around one with one."""
    deepest = _chain(_Notes, {"write": _note("deep")})
    inner = _chain(_More, {"write": _note("inner"), "deeper": deepest})
    return _chain(_Notes, {"write": _note("outer"), "sub": inner}, saver)


def _delta_channels(graph: Any) -> list[tuple[str, int]]:
    graphs = [graph, *(part for _, part in graph.get_subgraphs(recurse=True))]
    return [
        (name, channel.snapshot_frequency)
        for part in graphs
        for name, channel in part.channels.items()
        if isinstance(channel, DeltaChannel)
    ]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_deep_agents_have_what_was_asked_for(policy: Policy) -> None:
    """Every delta channel of Deep Agents is switched, and the readback is the live graph."""
    subject = build_subject(small_workload(), 0, policy, InMemorySaver())
    found = {channel.name: channel for channel in subject.channels}
    assert {"messages", "files"} <= found.keys()
    for name, channel in found.items():
        live = subject.graph.channels[name]
        assert channel.class_name == type(live).__name__
        assert channel.snapshot_frequency == policy.snapshot_frequency
        assert type(live) is (BinaryOperatorAggregate if policy.is_full else DeltaChannel)
    live_deltas = _delta_channels(subject.graph)
    assert live_deltas == [
        (name, policy.snapshot_frequency) for name in found if not policy.is_full
    ]
    assert len({channel.reducer for channel in found.values()}) == len(found)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_subgraphs_are_switched_too(policy: Policy) -> None:
    """Delta channels of graphs in nodes, however deep, follow the policy; others stay."""
    graph = _nested()
    assert len(_delta_channels(graph)) == 4
    readback = apply_policy(graph, policy)
    assert [channel.name for channel in readback] == ["notes", "notes", "marks", "notes"]
    assert {channel.reducer for channel in readback} == {"_join"}
    expected = [] if policy.is_full else [policy.snapshot_frequency] * 4
    assert [frequency for _, frequency in _delta_channels(graph)] == expected
    assert graph.channels["log"].operator is operator.add


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_own_graphs_run_under_every_policy(policy: Policy) -> None:
    """A plain graph gives the same state as unswitched, now, read again and by history."""
    states = []
    for switch in (False, True):
        graph = _nested(InMemorySaver())
        if switch:
            apply_policy(graph, policy)
        config = {"configurable": {"thread_id": "t"}}
        live = [graph.invoke({"notes": [f"turn {n}"], "log": ["x"]}, config) for n in range(4)]
        history = [each.values for each in graph.get_state_history(config)]
        states.append((live, graph.get_state(config).values, history))
    assert states[0] == states[1]
    assert states[0][0][-1]["notes"][-1] == "deep"


def test_switching_again_follows_the_last_policy() -> None:
    """Going from one K to another sets the other everywhere, with the same reducer."""
    graph = _nested()
    apply_policy(graph, delta(3))
    apply_policy(graph, delta(5))
    assert [frequency for _, frequency in _delta_channels(graph)] == [5] * 4
    assert graph.channels["notes"].reducer is _join


@pytest.mark.parametrize("switched_before", [False, True])
def test_a_graph_without_delta_channels_is_refused(*, switched_before: bool) -> None:
    """Where there is nothing to compare, the reason is told in one line."""
    graph = _nested() if switched_before else _chain(_Plain, {"write": _note("x")})
    if switched_before:
        apply_policy(graph, FULL)
    with pytest.raises(DeltabenchError, match=r"no delta channel.*nothing can be compared"):
        apply_policy(graph, FULL)


class _Ignoring(dict[str, Any]):
    """A mapping that takes an assignment and forgets it."""

    def __setitem__(self, key: str, value: Any) -> None:
        """Do nothing."""


class _Substituting(dict[str, Any]):
    """A mapping that stores a channel of another class than it is given."""

    def __setitem__(self, key: str, value: Any) -> None:
        """Store a subclass of what is given, which langgraph does not make."""
        value.__class__ = type("Other", (type(value),), {"__slots__": ()})
        super().__setitem__(key, value)


def _sabotage(graph: Any, mapping: type[dict[str, Any]], depth: int) -> None:
    parts = [graph, *(part for _, part in graph.get_subgraphs(recurse=True))]
    parts[depth].channels = mapping(parts[depth].channels)


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("mapping", [_Ignoring, _Substituting])
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_a_switch_that_did_not_happen_is_caught(
    policy: Policy, mapping: type[dict[str, Any]], depth: int
) -> None:
    """A channel that is not what was put there fails the cell, in any graph of the agent."""
    graph = _nested()
    _sabotage(graph, mapping, depth)
    with pytest.raises(DeltabenchError, match=f"policy {policy.label} was asked for") as caught:
        apply_policy(graph, policy)
    assert caught.value.exit_code == ExitCode.CELL_FAILED


def test_a_channel_put_back_is_caught() -> None:
    """A delta channel that stands again where full snapshots were asked for is named."""
    graph = _nested()
    (inner,) = (part for _, part in graph.get_subgraphs())
    before = inner.channels["marks"]
    apply_policy(graph, FULL)
    inner.channels["marks"] = before
    with pytest.raises(DeltabenchError, match="channel sub:marks is still DeltaChannel with K=9"):
        read_back(graph, FULL, [])


@pytest.mark.parametrize("policy", [FULL, delta(3)], ids=lambda policy: policy.label)
def test_another_channel_in_its_place_is_caught(policy: Policy) -> None:
    """A switched channel that has become something else again is named with its class."""
    graph = _nested()
    apply_policy(graph, policy)
    graph.channels["notes"] = LastValue(list)
    with pytest.raises(DeltabenchError, match="channel notes is LastValue"):
        read_back(graph, policy, [(graph, "notes")])


@pytest.mark.parametrize("frequency", [1, 2, 4])
def test_another_frequency_is_caught(frequency: int) -> None:
    """A delta channel at another K than asked for is named with its K."""
    graph = _nested()
    apply_policy(graph, delta(frequency))
    with pytest.raises(DeltabenchError, match=f"notes is still DeltaChannel with K={frequency}"):
        read_back(graph, delta(3), [])


@pytest.mark.parametrize("name", ["messages", "files"])
def test_full_snapshots_hold_the_whole_value_at_each_update(name: str) -> None:
    """Each stored version of a channel is all of its value there, one per update."""
    saver = InMemorySaver()
    driven = drive(saver, FULL, turns=3)
    config = driven.subject.config()
    states = [each.values for each in driven.subject.graph.get_state_history(config)][::-1]
    keys = sorted(key for key in saver.blobs if key[1:3] == ("", name))
    stored = [saver.serde.loads_typed(saver.blobs[key]) for key in keys]
    seen: list[Any] = []
    for state in states:
        if state.get(name) and seen[-1:] != [state[name]]:
            seen.append(state[name])
    assert [value for value in stored if value] == seen
    assert len(seen) == driven.tracker.updates[name]
    sizes = [len(value) for value in seen]
    assert sizes == sorted(set(sizes))


def test_binary_form_keeps_the_name_of_the_reducer() -> None:
    """The name in the readback is the reducer's own, or its class when it has none."""
    assert BinaryForm(_join).__name__ == "_join"
    assert BinaryForm(functools.partial(_join)).__name__ == "partial"


SUBJECT = build_subject(small_workload(), 0, delta(10), InMemorySaver())


def _fold(name: str, batches: list[list[Any]]) -> tuple[Any, Any]:
    """Update one channel of Deep Agents under both policies with the same supersteps."""
    channel = SUBJECT.graph.channels[name]
    assert isinstance(channel, DeltaChannel)
    whole = channel.from_checkpoint([] if name == "messages" else {})
    full = BinaryOperatorAggregate(channel.typ, BinaryForm(channel.reducer))
    for batch in batches:
        whole.update(batch)
        full.update(batch)
    return full.get(), whole.get()


IDS = st.sampled_from(["a", "b", "c", "d"])
MESSAGES = st.one_of(
    st.builds(lambda i, text: HumanMessage(text, id=i), IDS, st.text(max_size=2)),
    st.builds(lambda i, text: AIMessage(text, id=i), IDS, st.text(max_size=2)),
    st.builds(lambda i: RemoveMessage(id=i), IDS),
    st.just(RemoveMessage(id=REMOVE_ALL_MESSAGES)),
)
MESSAGE_WRITES = st.one_of(st.lists(MESSAGES, max_size=3), MESSAGES)
FILE_WRITES = st.dictionaries(
    st.sampled_from(["/a", "/b", "/c"]),
    st.one_of(st.none(), st.builds(lambda text: {"content": text}, st.text(max_size=2))),
    max_size=3,
)


@given(batches=st.lists(st.lists(MESSAGE_WRITES, max_size=4), max_size=5))
@settings(max_examples=150, deadline=None)
def test_binary_form_of_messages_is_the_batch_reducer(batches: list[list[Any]]) -> None:
    """Messages written, replaced and removed in any batches end alike under both policies."""
    full, whole = _fold("messages", batches)
    assert full == whole


@given(batches=st.lists(st.lists(FILE_WRITES, max_size=4), max_size=5), reset=FILE_WRITES)
@settings(max_examples=100, deadline=None)
def test_binary_form_of_files_is_the_batch_reducer(
    batches: list[list[Any]], reset: dict[str, Any]
) -> None:
    """Files written, deleted and overwritten as a whole end alike under both policies."""
    full, whole = _fold("files", [*batches, [Overwrite(reset)], *batches])
    assert full == whole
