"""Metering: every call and byte is counted once, and nothing else is any different."""

from __future__ import annotations

import inspect
import random
import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from deltabench.errors import DeltabenchError
from deltabench.measure.metering import Meter, meter_saver, metered_serializer, round_trips
from deltabench.subject.agent import build_subject
from tests.subject.short_session import FULL, delta, drive, small_workload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.cells import Policy
    from tests.subject.short_session import Driven

SAVERS = ["memory", "sqlite"]
POLICIES = [FULL, delta(3)]
READS = ("get_tuple", "list", "get_delta_channel_history")


class _ByHand(JsonPlusSerializer):
    """A serializer that counts its calls and bytes in the plainest way."""

    lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def _count(self, direction: str, size_bytes: int) -> None:
        with self.lock:
            self.counts[f"{direction} calls"] += 1
            self.counts[f"{direction} bytes"] += size_bytes

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Count and dump."""
        typed = super().dumps_typed(obj)
        self._count("dump", len(typed[1]))
        return typed

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Count and load."""
        self._count("load", len(data[1]))
        return super().loads_typed(data)


@contextmanager
def _opened(name: str, serde: Any = None) -> Iterator[BaseCheckpointSaver[Any]]:
    with SqliteSaver.from_conn_string(":memory:") as sqlite:
        saver: BaseCheckpointSaver[Any] = InMemorySaver() if name == "memory" else sqlite
        if serde is not None:
            saver.serde = serde
        yield saver


def _uses(meter: Meter) -> dict[tuple[str, str], tuple[int, int]]:
    return {(u.direction, u.kind): (u.calls, u.size_bytes) for u in meter.serializer()}


def _read(driven: Driven) -> None:
    graph, config = driven.subject.graph, driven.subject.config()
    graph.get_state(config)
    list(graph.get_state_history(config, limit=5))


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
@pytest.mark.parametrize("saver", SAVERS)
def test_totals_are_those_counted_by_hand(saver: str, policy: Policy) -> None:
    """Over all kinds, calls and bytes of each direction are what the serializer itself saw."""
    serde = _ByHand()
    with _opened(saver, serde) as opened:
        driven = drive(opened, policy, turns=3)
        _read(driven)
        found: Counter[str] = Counter()
        for use in driven.meter.serializer():
            found[f"{use.direction} calls"] += use.calls
            found[f"{use.direction} bytes"] += use.size_bytes
            assert use.seconds >= 0
        assert found == serde.counts
        assert found["load calls"] > 0
        assert driven.meter.dumped_bytes() == serde.counts["dump bytes"] > 0
        assert sum(use.seconds for use in driven.meter.serializer()) > 0


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_kinds_in_memory_are_those_of_the_stored_rows(policy: Policy) -> None:
    """Each kind that was dumped is, in calls and bytes, what lies in its table of the saver."""
    saver = InMemorySaver()
    driven = drive(saver, policy, turns=3)
    blobs = [blob for blob in saver.blobs.values() if blob[0] != "empty"]
    snapshots = [
        blob for blob in blobs if "Snapshot" in type(saver.serde.loads_typed(blob)).__name__
    ]
    writes = [row[2] for rows in saver.writes.values() for row in rows.values()]
    rows = [
        part
        for spaces in saver.storage.values()
        for space in spaces.values()
        for checkpoint, metadata, _ in space.values()
        for part in (checkpoint, metadata)
    ]
    expected = {
        ("dump", kind): (len(found), sum(len(data) for _, data in found))
        for kind, found in {
            "value": [blob for blob in blobs if blob not in snapshots],
            "snapshot": snapshots,
            "write": writes,
            "checkpoint": rows,
        }.items()
        if found
    }
    dumped = {key: use for key, use in _uses(driven.meter).items() if key[0] == "dump"}
    assert dumped == expected
    assert bool(snapshots) is not policy.is_full


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_kinds_in_sqlite_are_those_of_the_stored_rows(policy: Policy) -> None:
    """There whole values lie inside the checkpoints, so only writes are a kind of their own."""
    with _opened("sqlite") as saver:
        assert isinstance(saver, SqliteSaver)
        driven = drive(saver, policy, turns=3)
        query = "SELECT COUNT(*), SUM(LENGTH({})) FROM {}"
        for kind, column, table in (
            ("write", "value", "writes"),
            ("checkpoint", "checkpoint", "checkpoints"),
        ):
            stored = saver.conn.execute(query.format(column, table)).fetchone()
            assert _uses(driven.meter)["dump", kind] == stored
        assert {kind for direction, kind in _uses(driven.meter) if direction == "dump"} == {
            "write",
            "checkpoint",
        }


def _loads(driven: Driven) -> dict[str, tuple[int, int]]:
    """Calls and bytes of each kind that reading the state once more loads."""
    before = _uses(driven.meter)
    assert driven.values == driven.live
    differences = {}
    for (direction, kind), (calls, size_bytes) in _uses(driven.meter).items():
        then = before.get((direction, kind), (0, 0))
        if calls > then[0]:
            assert direction == "load"
            differences[kind] = (calls - then[0], size_bytes - then[1])
    return differences


def _sum(typed: list[tuple[str, bytes]]) -> tuple[int, int]:
    return len(typed), sum(len(data) for _, data in typed)


@pytest.mark.parametrize("frequency", [4, 1000])
def test_loads_of_replayed_writes_are_writes(frequency: int) -> None:
    """Reading a delta thread loads each write since the snapshot, and the snapshot if any."""
    saver = InMemorySaver()
    driven = drive(saver, delta(frequency), workload=small_workload(rounds=[]), turns=3)
    # One write an update, in the order of the checkpoints that they belong to.
    writes = [
        row[2]
        for key in sorted(saver.writes)
        for row in saver.writes[key].values()
        if row[1] == "messages"
    ]
    assert len(writes) == driven.tracker.updates["messages"] == 6
    loads = _loads(driven)
    assert loads["write"] == _sum(writes[6 // frequency * frequency :])
    assert loads.get("snapshot", (0, 0))[0] == driven.tracker.snapshots["messages"]
    assert "value" not in loads


def test_loads_of_whole_values_are_values() -> None:
    """Reading a full thread loads every value of the newest checkpoint, and no write."""
    saver = InMemorySaver()
    driven = drive(saver, FULL)
    newest = saver.get_tuple(driven.subject.config())
    assert newest is not None
    versions = newest.checkpoint["channel_versions"].items()
    blobs = [saver.blobs["deltabench-thread", "", name, version] for name, version in versions]
    loads = _loads(driven)
    assert loads["value"] == _sum([blob for blob in blobs if blob[0] != "empty"])
    assert "write" not in loads


class _Walking(InMemorySaver):
    """A saver that walks back as savers do by default: by one `get_tuple` a checkpoint."""

    get_delta_channel_history = BaseCheckpointSaver.get_delta_channel_history


def test_reads_inside_of_a_read_are_counted_for_themselves() -> None:
    """A history that is read by many `get_tuple` loads the writes of all these checkpoints."""
    saver, serde = _Walking(), _ByHand()
    saver.serde = serde
    driven = drive(saver, delta(1000))
    writes = [row[2] for rows in saver.writes.values() for row in rows.values()]
    before = Counter(serde.counts)
    calls = driven.meter.calls()
    loads = _loads(driven)
    assert loads["write"] == _sum(writes)
    assert sum(calls for calls, _ in loads.values()) == (serde.counts - before)["load calls"]
    assert sum(size for _, size in loads.values()) == (serde.counts - before)["load bytes"]
    walked = (driven.meter.calls() - calls)["get_tuple"]
    assert walked == 1 + driven.tracker.checkpoints  # the newest one for its state, then all


def test_loads_outside_of_a_read_are_values() -> None:
    """What is loaded without a reading method of the saver is no write."""
    meter = Meter()
    saver = InMemorySaver()
    meter_saver(saver, meter)
    saver.serde.loads_typed(saver.serde.dumps_typed(["x"]))
    assert {key: use[0] for key, use in _uses(meter).items()} == {
        ("dump", "value"): 1,
        ("load", "value"): 1,
    }


def test_many_threads_lose_no_count() -> None:
    """Threads that dump, load and call at once add up exactly, while totals are read."""
    meter, rounds, threads = Meter(), 200, 8
    saver = InMemorySaver()
    meter_saver(saver, meter)
    typed = saver.serde.dumps_typed("x" * 100)
    start = threading.Barrier(threads + 1)

    def work(number: int) -> None:
        config: Any = {"configurable": {"thread_id": str(number), "checkpoint_ns": ""}}
        start.wait()
        for _ in range(rounds):
            saver.serde.dumps_typed("x" * 100)
            saver.serde.loads_typed(typed)
            saver.get_tuple(config)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    start.wait()
    seen = 0
    while any(worker.is_alive() for worker in workers):
        calls = meter.calls()["get_tuple"]
        assert calls >= seen
        seen = calls
    for worker in workers:
        worker.join()
    total = rounds * threads
    assert meter.calls() == {"get_tuple": total}
    assert _uses(meter) == {
        ("dump", "value"): (total + 1, len(typed[1]) * (total + 1)),
        ("load", "value"): (total, len(typed[1]) * total),
    }


@pytest.mark.parametrize("name", SAVERS)
def test_a_metered_saver_is_what_it_was(name: str) -> None:
    """Class, state and signatures stay; langgraph looks at them."""
    with _opened(name) as saver:
        cls = type(saver)
        signatures = {each: inspect.signature(getattr(saver, each)) for each in (*READS, "put")}
        held = dict(vars(saver))
        meter_saver(saver, Meter())
        assert isinstance(saver, cls)
        assert isinstance(saver.serde, JsonPlusSerializer)
        for each, signature in signatures.items():
            assert inspect.signature(getattr(saver, each)) == signature
        assert "task_path" in inspect.signature(saver.put_writes).parameters
        assert {key: vars(saver)[key] for key in held if key != "serde"} == {
            key: value for key, value in held.items() if key != "serde"
        }


def test_other_savers_are_not_metered() -> None:
    """Another saver of the same class, and the serializer that both had, count nothing."""
    metered, other, meter = InMemorySaver(), InMemorySaver(), Meter()
    other.serde = metered.serde
    meter_saver(metered, meter)
    drive(other, FULL, turns=1)
    assert meter.serializer() == ()
    assert meter.calls() == {}


class _SlottedSerializer:
    """A serializer without a `__dict__`, whose class cannot be extended in place."""

    __slots__ = ("inner",)

    def __init__(self) -> None:
        self.inner = JsonPlusSerializer()

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        return self.inner.dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        return self.inner.loads_typed(data)


class _SlottedSaver:
    """A saver without a `__dict__`."""

    __slots__ = ("serde",)

    def __init__(self) -> None:
        self.serde = JsonPlusSerializer()


def test_slots_are_refused_in_one_line() -> None:
    """A saver or serializer whose instances cannot get another class is told by its name."""
    saver = InMemorySaver()
    saver.serde = _SlottedSerializer()
    slotted: Any = _SlottedSaver()
    for refused in (saver, slotted):
        name = type(refused).__name__
        with pytest.raises(DeltabenchError, match="__slots__ are not supported") as caught:
            meter_saver(refused, Meter())
        assert str(caught.value).startswith(f"checkpointer {name} cannot be metered")
        assert "\n" not in str(caught.value)


def test_slots_beside_a_dict_are_no_matter() -> None:
    """A saver that only adds slots to one with a `__dict__` is metered like any other."""

    class Slotted(InMemorySaver):
        __slots__ = ("extra",)
        extra: int

    saver, meter = Slotted(), Meter()
    saver.extra = 1
    meter_saver(saver, meter)
    saver.get_tuple({"configurable": {"thread_id": "t"}})
    assert (saver.extra, meter.calls()) == (1, {"get_tuple": 1})


@pytest.mark.parametrize("saver", SAVERS)
def test_methods_are_counted_as_they_are_called(saver: str) -> None:
    """Reading a state is one `get_tuple`, a page of history one `list` and what that needs."""
    with _opened(saver) as opened:
        driven = drive(opened, FULL)
        graph, config, meter = driven.subject.graph, driven.subject.config(), driven.meter
        assert meter.calls()["put"] == driven.tracker.checkpoints
        before = meter.calls()
        graph.get_state(config)
        assert round_trips(before, meter.calls(), (3, 5)).calls == {"get_tuple": 1}
        before = meter.calls()
        assert len(list(graph.get_state_history(config, limit=4))) == 4
        assert round_trips(before, meter.calls(), (3, 5)).calls == {"list": 1}


@pytest.mark.parametrize("saver", SAVERS)
def test_delta_reads_ask_for_the_history_of_channels(saver: str) -> None:
    """Reading a delta state also asks the saver for the writes since the snapshot."""
    with _opened(saver) as opened:
        driven = drive(opened, delta(1000))
        before = driven.meter.calls()
        assert driven.values == driven.live
        trips = round_trips(before, driven.meter.calls(), (None, 4))
        assert trips.calls["get_delta_channel_history"] == 1
        assert trips.statements is None


def test_round_trips_are_what_lies_between() -> None:
    """Calls and statements are differences; without a count there is no difference."""
    before, after = Counter(put=2, list=1), Counter(put=5, list=1, get_tuple=1)
    trips = round_trips(before, after, (10, 17))
    assert (trips.calls, trips.statements) == ({"get_tuple": 1, "put": 3}, 7)
    assert round_trips(before, after, (10, None)).statements is None


def test_an_interrupted_list_ends_its_read() -> None:
    """After a listing that was given up, the next read is counted for itself."""
    saver = InMemorySaver()
    driven = drive(saver, FULL)
    before = _loads(driven)
    next(saver.list(driven.subject.config()))
    assert _loads(driven) == before


def test_a_failing_read_leaves_nothing_behind() -> None:
    """An error of the saver passes through, and later reads are counted as ever."""
    meter = Meter()

    class Failing(InMemorySaver):
        def get_tuple(self, config: Any) -> Any:
            if config["configurable"]["thread_id"] == "bad":
                raise LookupError("no such thread")
            return super().get_tuple(config)

    saver = Failing()
    meter_saver(saver, meter)
    with pytest.raises(LookupError, match="no such thread"):
        saver.get_tuple({"configurable": {"thread_id": "bad"}})
    assert meter.tally().loads is None
    assert saver.get_tuple({"configurable": {"thread_id": "good"}}) is None
    assert meter.calls() == {"get_tuple": 2}


def _sizes(name: str, policy: Policy, *, metered: bool) -> list[Any]:
    """Sizes of all that a session stores, and what it returned."""
    workload = small_workload()
    with _opened(name) as saver:
        if metered:
            meter_saver(saver, Meter())
        subject = build_subject(workload, 7, policy, saver)
        random.seed(7)
        live = [subject.turn(turn, "sync")["messages"][-1] for turn in (1, 2)]
        if isinstance(saver, SqliteSaver):
            # Not in order of arrival: tasks of one superstep end in any order.
            query = "SELECT type, LENGTH({}) FROM {}"
            rows: list[Any] = sorted(saver.conn.execute(query.format("value", "writes")))
            rows += sorted(saver.conn.execute(query.format("checkpoint", "checkpoints")))
        else:
            assert isinstance(saver, InMemorySaver)
            rows = sorted((*key[1:], blob[0], len(blob[1])) for key, blob in saver.blobs.items())
            rows += sorted(
                (row[1], row[2][0], len(row[2][1]))
                for task in saver.writes.values()
                for row in task.values()
            )
            rows += [
                (len(checkpoint[1]), len(metadata[1]))
                for checkpoint, metadata, _ in next(iter(saver.storage.values()))[""].values()
            ]
        return [live, rows]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
@pytest.mark.parametrize("saver", SAVERS)
def test_the_meter_changes_nothing(saver: str, policy: Policy) -> None:
    """With and without it a seeded session returns the same and stores rows of the same size."""
    plain = _sizes(saver, policy, metered=False)
    assert _sizes(saver, policy, metered=True) == plain
    assert len(plain[1]) > 20


def test_a_copy_of_the_serializer_counts_to_the_same_meter() -> None:
    """LangGraph may go on with a shallow copy of the saver or serializer: both still count."""
    meter = Meter()
    serde = metered_serializer(JsonPlusSerializer(), meter)
    serde.with_msgpack_allowlist([("a", "B")]).dumps_typed("x")
    assert _uses(meter)["dump", "value"][0] == 1
    saver = InMemorySaver()
    meter_saver(saver, meter)
    saver.with_allowlist({("a", "B")}).get_tuple({"configurable": {"thread_id": "t"}})
    assert meter.calls() == {"get_tuple": 1}
