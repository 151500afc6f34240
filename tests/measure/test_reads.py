"""Timed reads: how many samples are taken, of which read, and what goes with them."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.cells import ReadPosition
from deltabench.checkpointers.registry import backend_named
from deltabench.measure import reads
from deltabench.measure.reads import ENOUGH_SECONDS, FEWEST_SAMPLES, HISTORY_PAGES, Reader
from deltabench.measure.tracking import Place
from deltabench.subject.agent import build_subject
from tests.subject.short_session import delta, drive, small_workload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deltabench.cells import Policy, Read, RoundTrips
    from deltabench.subject.interface import Subject
    from tests.subject.short_session import Driven

POSITION = ReadPosition(update=4, snapshot_frequency=4, phase="after_snapshot")
PLACE = Place("some-id", 3, 5)


@pytest.fixture(autouse=True)
def _frozen_heap() -> Iterator[None]:
    """Take what other tests hold out of the collection before each read, as a cell does."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


class _Clock:
    """A clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.now_ns = 0

    def perf_counter_ns(self) -> int:
        return self.now_ns


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    """Put a still clock in the place of the real one."""
    clock = _Clock()
    monkeypatch.setattr(reads, "time", clock)
    return clock


class _Session:
    """A driven session on a real saver, with a reader of it."""

    def __init__(self, opened: Any, samples: int, policy: Policy) -> None:
        self.driven: Driven = drive(opened.saver, policy, turns=3, wanted=(3, 4))
        self.built: list[Subject] = []
        self.steps = 0
        self.reader = Reader(self._build, opened, self.driven.meter, samples, self._step)

    def _build(self) -> Subject:
        policy = delta(4)
        saver: Any = self.driven.subject.graph.checkpointer
        self.built.append(build_subject(small_workload(), 7, policy, saver))
        return self.built[-1]

    def _step(self) -> None:
        self.steps += 1

    @property
    def place(self) -> Place:
        return self.driven.tracker.places[3]


@contextmanager
def _session(
    monkeypatch: pytest.MonkeyPatch, name: str = "memory", samples: int = 5
) -> Iterator[_Session]:
    backend = backend_named(name)
    with backend.prepare() as environment:
        for variable, value in environment.items():
            monkeypatch.setenv(variable, value)
        with backend.open() as opened:
            yield _Session(opened, samples, delta(4))


def _timed(
    monkeypatch: pytest.MonkeyPatch, clock: _Clock, samples: int, seconds: list[float]
) -> tuple[Read, list[float]]:
    """Time a read that takes the given seconds on the fake clock, the warm-up first."""
    with _session(monkeypatch, samples=samples) as session:
        left = list(seconds)

        def read() -> None:
            clock.now_ns += int(left.pop(0) * 1e9)

        return session.reader._timed("time_travel", PLACE, None, read), left


def test_quick_reads_are_sampled_as_often_as_asked(
    monkeypatch: pytest.MonkeyPatch, clock: _Clock
) -> None:
    """Each sample is the time of one read, in order; the first read of all is none of them."""
    read, left = _timed(monkeypatch, clock, 5, [9.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert read.seconds == (0.1, 0.2, 0.3, 0.4, 0.5)
    assert left == [0.6]


def test_slow_reads_are_sampled_until_it_is_enough(
    monkeypatch: pytest.MonkeyPatch, clock: _Clock
) -> None:
    """After enough seconds no further sample is taken, but not before the fewest are there."""
    third = ENOUGH_SECONDS / FEWEST_SAMPLES
    for each, expected in (
        (ENOUGH_SECONDS * 2, FEWEST_SAMPLES),
        (third * 1.01, FEWEST_SAMPLES),
        (third * 0.99, FEWEST_SAMPLES + 1),
        (third / 2, 2 * FEWEST_SAMPLES + 1),
        (third / 9, 9),
    ):
        read, _ = _timed(monkeypatch, clock, 9, [each] * 11)
        assert len(read.seconds) == expected, each


def test_few_samples_are_no_fewer(monkeypatch: pytest.MonkeyPatch, clock: _Clock) -> None:
    """Who asks for two samples gets two, however slow they are."""
    read, _ = _timed(monkeypatch, clock, 2, [ENOUGH_SECONDS * 5] * 4)
    assert len(read.seconds) == 2


def test_nothing_but_the_read_is_timed(monkeypatch: pytest.MonkeyPatch, clock: _Clock) -> None:
    """Time that passes in building the agent and in telling progress is in no sample."""
    with _session(monkeypatch) as session:
        build, step = session.reader._build, session.reader._progress

        def slow(call: Callable[[], Any]) -> Callable[[], Any]:
            def slowly() -> Any:
                clock.now_ns += 10**9
                return call()

            return slowly

        session.reader._build, session.reader._progress = slow(build), slow(step)
        read = session.reader.resume(POSITION, session.place)
    assert set(read.seconds) == {0.0}
    built, warm_up = 1, 1
    assert clock.now_ns == (built + warm_up + 5) * 10**9


def test_resume_reads_the_state_of_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """`get_state` is asked for exactly that checkpoint, of a graph that was built for it."""
    with _session(monkeypatch) as session:
        seen: list[Any] = []
        _watch(monkeypatch, "get_state", seen)
        read = session.reader.resume(POSITION, session.place)
        place = session.place
    assert (read.what, read.position, len(read.seconds)) == ("resume_warm", POSITION, 5)
    assert (read.updates_since_snapshot, read.supersteps_since_snapshot) == (
        place.updates_since_snapshot,
        place.supersteps_since_snapshot,
    )
    assert (place.updates_since_snapshot, session.steps, len(session.built)) == (3, 6, 1)
    assert len(seen) == 1 + 5
    for graph, state in seen:
        assert graph is session.built[0].graph
        assert len(state.values["messages"]) == 3
        assert state.config["configurable"]["checkpoint_id"] == place.checkpoint_id
    assert all(seconds > 0 for seconds in read.seconds)


def _watch(monkeypatch: pytest.MonkeyPatch, name: str, seen: list[Any]) -> None:
    """Take note of what a reading method of every graph gives."""
    from langgraph.pregel import Pregel

    plain = getattr(Pregel, name)

    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = plain(self, *args, **kwargs)
        if name == "get_state_history":
            result = list(result)
        seen.append((self, result))
        return iter(result) if isinstance(result, list) else result

    monkeypatch.setattr(Pregel, name, watched)


def test_time_travel_has_no_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Going back to a checkpoint is a read of its own kind, of that checkpoint."""
    with _session(monkeypatch) as session:
        seen: list[Any] = []
        _watch(monkeypatch, "get_state", seen)
        read = session.reader.time_travel(session.place)
    assert (read.what, read.position, len(read.seconds)) == ("time_travel", None, 5)
    assert {len(state.values["messages"]) for _, state in seen} == {3}


def test_history_reads_whole_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sample goes through as many of the newest checkpoints as the page has."""
    with _session(monkeypatch, samples=2) as session:
        seen: list[Any] = []
        _watch(monkeypatch, "get_state_history", seen)
        for what, limit in HISTORY_PAGES:
            read = session.reader.history(what, limit, session.place)
            assert (read.what, read.position, len(read.seconds)) == (what, None, 2)
        stored = session.driven.tracker.checkpoints
    assert 10 < stored < 50
    assert [len(page) for _, page in seen] == [10] * 3 + [stored] * 3
    assert all(state.values["messages"] for state in seen[0][1])


def _trips(session: _Session) -> list[RoundTrips]:
    reader = session.reader
    found = [reader.resume(POSITION, session.place), reader.time_travel(session.place)]
    found += [reader.history(what, limit, session.place) for what, limit in HISTORY_PAGES]
    return [read.round_trips for read in found]


@pytest.mark.parametrize("name", ["memory", "sqlite"])
def test_round_trips_are_those_of_one_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls and statements do not grow with the samples, and a longer page needs more."""
    with _session(monkeypatch, name, samples=1) as one, _session(monkeypatch, name) as many:
        trips = _trips(one)
        assert trips == _trips(many)
    resume, travel, short, long = trips
    assert resume == travel
    assert resume.calls == {"get_delta_channel_history": 1, "get_tuple": 1}
    assert (short.calls["list"], long.calls["list"]) == (1, 1)
    if name == "memory":
        assert {each.statements for each in trips} == {None}
    else:
        assert resume.statements is not None
        assert short.statements is not None
        assert long.statements is not None
        assert 2 <= resume.statements < short.statements < long.statements
