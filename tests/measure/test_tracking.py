"""Following a session: what was stored at which update, and what a policy left behind."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import pytest
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

from deltabench.errors import DeltabenchError
from deltabench.lab.measurement import _check_evidence
from deltabench.measure.metering import Meter, meter_saver
from deltabench.measure.tracking import Place, Tracker
from deltabench.session.model import ScriptedModel
from deltabench.session.script import Script
from deltabench.subject.agent import AgentSubject
from deltabench.subject.policy import apply_policy
from tests.fakes import fake_cell
from tests.subject.short_session import FULL, WRITE, delta, drive, small_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.cells import Durability, Policy
    from tests.subject.short_session import Driven

SEARCH = {"tool": "search", "chars": 50}
MIXED = small_workload(rounds=[{"calls": [SEARCH]}, {"calls": [WRITE]}])  # six updates a turn


def _counters(driven: Driven, checkpoint_id: str) -> dict[str, tuple[int, int]]:
    config = driven.subject.config(checkpoint_id=checkpoint_id)
    state = driven.subject.graph.get_state(config)
    found: dict[str, tuple[int, int]] = (state.metadata or {}).get(
        "counters_since_delta_snapshot", {}
    )
    return found


def _stored_messages(driven: Driven, checkpoint_id: str) -> int:
    config = driven.subject.config(checkpoint_id=checkpoint_id)
    return len(driven.subject.graph.get_state(config).values["messages"])


@pytest.mark.parametrize("saver", ["memory", "sqlite"])
def test_places_are_the_checkpoints_of_their_updates(saver: str) -> None:
    """Each place is where the wanted update was stored, as its own counters and state say."""
    with SqliteSaver.from_conn_string(":memory:") as sqlite:
        opened = InMemorySaver() if saver == "memory" else sqlite
        driven = drive(opened, delta(4), workload=MIXED, turns=2, wanted=range(1, 14))
        places = driven.tracker.places
        assert sorted(places) == list(range(1, 13))
        for update, place in places.items():
            counters = _counters(driven, place.checkpoint_id)
            assert counters.get("messages", (0, 0))[0] == update % 4
            assert place.updates_since_snapshot == update % 4
            assert place.supersteps_since_snapshot == max(walked for _, walked in counters.values())
            # One message an update: none of them is written twice.
            assert _stored_messages(driven, place.checkpoint_id) == update


def test_phases_of_the_period_are_where_they_should_be() -> None:
    """Just before a snapshot lie K - 1 updates, right after it none, and the end is the end."""
    driven = drive(InMemorySaver(), delta(4), workload=MIXED, turns=2, wanted=(7, 8, 12))
    depths = [driven.tracker.places[update].updates_since_snapshot for update in (7, 8, 12)]
    assert depths == [3, 0, 0]
    newest = driven.subject.graph.get_state(driven.subject.config())
    assert driven.tracker.newest is not None
    assert driven.tracker.newest.checkpoint_id == newest.config["configurable"]["checkpoint_id"]


def test_supersteps_are_those_of_the_longest_chain() -> None:
    """A channel that was never snapshotted decides how far a read must walk."""
    driven = drive(InMemorySaver(), delta(4), workload=MIXED, turns=2, wanted=(8,))
    place = driven.tracker.places[8]
    counters = _counters(driven, place.checkpoint_id)
    assert "messages" not in counters
    assert place.supersteps_since_snapshot == counters["files"][1] > 8


def test_wanted_places_are_kept_once_each() -> None:
    """The checkpointer is asked to keep each wanted place once, in order, and no other."""
    driven = drive(InMemorySaver(), delta(4), workload=MIXED, turns=2, wanted=(11, 3, 99))
    assert sorted(driven.tracker.places) == [3, 11]
    assert driven.kept == [driven.tracker.places[at].checkpoint_id for at in (3, 11)]


@pytest.mark.parametrize("policy", [FULL, delta(7)], ids=["full", "delta"])
def test_exit_places_are_ends_of_turns(policy: Policy) -> None:
    """With durability `exit` the one checkpoint of a turn stands for all of its updates."""
    driven = drive(
        InMemorySaver(), policy, workload=MIXED, turns=3, wanted=range(1, 30), durability="exit"
    )
    assert sorted(driven.tracker.places) == [6, 12, 18]
    # Delta channels need one more, empty, that holds the writes of the first turn.
    assert driven.tracker.checkpoints == (3 if policy.is_full else 4)
    for update, place in driven.tracker.places.items():
        assert _stored_messages(driven, place.checkpoint_id) == update
    places = driven.tracker.places.values()
    assert driven.kept == [place.checkpoint_id for place in places]
    depths = [place.updates_since_snapshot for place in places]
    # The snapshot of K = 7 comes at the first end of a turn after it.
    assert depths == ([0, 0, 0] if policy.is_full else [6, 0, 6])


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_counts_are_those_of_the_store(durability: Durability) -> None:
    """Checkpoints, updates and snapshots are as many as are found in the saver afterwards."""
    saver = InMemorySaver()
    driven = drive(saver, delta(4), workload=MIXED, turns=3, durability=durability)
    stored = list(saver.list(driven.subject.config()))[::-1]
    assert driven.tracker.checkpoints == len(stored)
    values = [saver.serde.loads_typed(blob) for blob in saver.blobs.values() if blob[1]]
    snapshots = sum(isinstance(value, _DeltaSnapshot) for value in values)
    assert sum(driven.tracker.snapshots.values()) == snapshots > 0
    versions = [{}, *(each.checkpoint["channel_versions"] for each in stored)]
    for name in ("messages", "files"):
        changes = sum(one.get(name) != two.get(name) for one, two in itertools.pairwise(versions))
        assert driven.tracker.updates[name] == changes > 0


def test_full_sessions_have_no_trace_of_delta_channels() -> None:
    """Where all is stored whole there are no snapshots, and no read walks back."""
    driven = drive(InMemorySaver(), FULL, workload=MIXED, wanted=(5,))
    assert driven.tracker.snapshots == {}
    place = driven.tracker.places[5]
    assert (place.updates_since_snapshot, place.supersteps_since_snapshot) == (0, 0)


def _tracker(wanted: Sequence[int] = ()) -> tuple[Tracker, list[str]]:
    kept: list[str] = []
    tracker = Tracker(
        channels=frozenset({"messages"}),
        wanted=wanted,
        durability="sync",
        updates_through=lambda turn: 2 * turn,
        keep=kept.append,
    )
    return tracker, kept


def _put(tracker: Tracker, checkpoint_id: str, namespace: str = "", **values: Any) -> None:
    tracker.after_put(
        {"configurable": {"thread_id": "t", "checkpoint_ns": namespace}},
        {"id": checkpoint_id, "channel_values": values},
        {},
        {"messages": "1"},
    )


def test_other_namespaces_have_no_places() -> None:
    """Checkpoints of subgraphs are neither counted nor places, but their snapshots are."""
    tracker, kept = _tracker(wanted=(1, 2))
    _put(tracker, "inner", "sub:1", notes=_DeltaSnapshot([]))
    assert (tracker.checkpoints, tracker.newest, kept) == (0, None, [])
    assert tracker.snapshots == {"notes": 1}
    _put(tracker, "outer")
    assert (tracker.checkpoints, dict(tracker.updates), kept) == (1, {"messages": 1}, ["outer"])


def test_the_middle_is_kept_where_it_is_marked() -> None:
    """Time travel goes to the newest checkpoint at the mark, and to none before the first."""
    tracker, kept = _tracker()
    tracker.mark_middle()
    assert (tracker.middle, kept) == (None, [])
    for checkpoint_id in ("first", "second"):
        _put(tracker, checkpoint_id)
    tracker.mark_middle()
    _put(tracker, "third")
    assert tracker.middle == Place("second", 0, 0)
    assert kept == ["second"]


def _join(state: list[str], batches: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for batch in batches for item in batch)]


class _Inner(TypedDict):
    notes: Annotated[list[str], DeltaChannel(_join, snapshot_frequency=2)]


class _Outer(TypedDict):
    messages: Annotated[list[str], DeltaChannel(_join, snapshot_frequency=2)]


def _graph(state: type, node: Any, saver: Any) -> Any:
    builder: StateGraph[Any] = StateGraph(state)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    return builder.compile(checkpointer=saver)


def _hiding(saver: InMemorySaver, inner_frequency: int, *, own_saver: bool) -> Any:
    """Compile a graph whose node runs another one that langgraph cannot find in it."""
    inner = _graph(_Inner, lambda _: {"notes": ["noted"]}, saver if own_saver else None)
    apply_policy(inner, delta(inner_frequency))
    hidden = [inner]

    def call(_: Any) -> dict[str, Any]:
        return {"messages": hidden[0].invoke({"notes": ["asked"]})["notes"]}

    return _graph(_Outer, call, saver)


@pytest.mark.parametrize("own_saver", [False, True])
@pytest.mark.parametrize("inner_frequency", [1, 1000])
def test_a_delta_graph_hidden_in_a_full_cell_is_detected(
    inner_frequency: int, *, own_saver: bool
) -> None:
    """A full cell fails when anything in it stores deltas, be it without any snapshot."""
    saver, meter = InMemorySaver(), Meter()
    meter_saver(saver, meter)
    graph = _hiding(saver, inner_frequency, own_saver=own_saver)
    assert list(graph.get_subgraphs(recurse=True)) == []
    tracker, _ = _tracker()
    meter.after_put = tracker.after_put
    channels = apply_policy(graph, FULL)
    graph.invoke({"messages": ["go"]}, {"configurable": {"thread_id": "t"}})
    assert [channel.name for channel in channels] == ["messages"]
    assert (tracker.snapshots["notes"] > 0) is (inner_frequency == 1)
    model = ScriptedModel(Script(workload=small_workload(), seed=0))
    with pytest.raises(DeltabenchError, match=r"a full-snapshot cell stored deltas of .*notes"):
        _check_evidence(fake_cell(None), AgentSubject(graph, channels, model), tracker)


def test_a_delta_graph_that_stores_nothing_is_no_matter() -> None:
    """With durability `exit` langgraph stores no checkpoint of a graph inside a node."""
    saver, meter = InMemorySaver(), Meter()
    meter_saver(saver, meter)
    graph = _hiding(saver, 1, own_saver=False)
    tracker, _ = _tracker()
    meter.after_put = tracker.after_put
    apply_policy(graph, FULL)
    graph.invoke({"messages": ["go"]}, {"configurable": {"thread_id": "t"}}, durability="exit")
    assert tracker.snapshots == {}
    assert {namespace for _, namespace, *_ in saver.blobs} == {""}


def test_an_honest_full_cell_passes_the_check() -> None:
    """A full session of the real agent has all the evidence that it was one."""
    driven = drive(InMemorySaver(), FULL)
    _check_evidence(fake_cell(None), driven.subject, driven.tracker)
    delta_driven = drive(InMemorySaver(), delta(1000))
    with pytest.raises(DeltabenchError, match="a full-snapshot cell stored delta"):
        _check_evidence(fake_cell(None), delta_driven.subject, delta_driven.tracker)


def test_a_session_that_wrote_nothing_is_refused() -> None:
    """A cell whose messages were never updated has measured nothing."""
    driven = drive(InMemorySaver(), FULL, turns=0)
    with pytest.raises(DeltabenchError, match="messages was never written"):
        _check_evidence(fake_cell(None), driven.subject, driven.tracker)
