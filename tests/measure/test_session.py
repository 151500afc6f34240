"""Driving a session: every turn once, storage at its marks, and nothing else on the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.checkpointers.memory import OpenMemory
from deltabench.measure import session as module
from deltabench.measure.metering import Meter, meter_saver
from deltabench.measure.session import Session, drive, middle_turn
from deltabench.measure.tracking import Tracker
from deltabench.subject.agent import AgentSubject, build_subject
from tests.fakes import fake_cell
from tests.subject.short_session import FULL, small_workload

if TYPE_CHECKING:
    from deltabench.cells import StoredBytes

TURNS = 4


class _Counting(OpenMemory):
    """A real saver that takes note of when it was counted."""

    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self._log = log

    def count(self, turn: int) -> StoredBytes:
        self._log.append(f"count {turn}")
        return super().count(turn)


def _drive(marks: tuple[int, ...] = (1, 4)) -> tuple[Session, Tracker, list[str], _Counting]:
    log: list[str] = []
    opened = _Counting(log)
    cell = fake_cell(None, turns=TURNS).model_copy(update={"marks": marks})
    tracker = Tracker(
        channels=frozenset({"messages"}),
        wanted=(),
        durability=cell.durability,
        updates_through=lambda turn: 4 * turn,
        keep=lambda _: log.append("keep"),
    )
    subject = build_subject(small_workload(), 7, FULL, opened.saver)
    meter = Meter()
    meter.after_put = tracker.after_put
    meter_saver(opened.saver, meter)

    def progress(turn: int) -> None:
        log.append(f"turn {turn}")

    return drive(subject, cell, opened, tracker, progress), tracker, log, opened


def test_every_turn_is_driven_once_and_in_order() -> None:
    """The thread has the messages of all turns, and the live state is the last one."""
    session, tracker, log, _ = _drive()
    users = [each.id for each in session.live["messages"] if each.type == "human"]
    assert users == ["user-1", "user-2", "user-3", "user-4"]
    assert [entry for entry in log if entry.startswith("turn")] == [
        "turn 1",
        "turn 2",
        "turn 3",
        "turn 4",
    ]
    assert tracker.turn == TURNS
    assert len(session.turn_seconds) == TURNS


@pytest.mark.parametrize("marks", [(), (4,), (1, 3, 4), (2, 9)])
def test_storage_is_counted_at_the_marks_and_at_the_end(marks: tuple[int, ...]) -> None:
    """Each mark in reach has its count, the end always has, and the last count is final."""
    session, _, _, opened = _drive(marks)
    assert [stored.turn for stored in session.storage] == sorted({*marks, TURNS} - {9})
    totals = [stored.total_bytes for stored in session.storage]
    assert totals == sorted(set(totals))
    assert session.storage[-1] == opened.count(TURNS)


def test_the_middle_is_kept_after_its_turn() -> None:
    """Time travel has the last checkpoint of the turn in the middle, counted as it is."""
    _, tracker, log, opened = _drive((2,))
    assert log == ["turn 1", "count 2", "turn 2", "keep", "turn 3", "count 4", "turn 4"]
    assert tracker.middle is not None
    config: Any = {
        "configurable": {
            "thread_id": "deltabench-thread",
            "checkpoint_ns": "",
            "checkpoint_id": tracker.middle.checkpoint_id,
        }
    }
    held = opened.saver.get_tuple(config)
    assert held is not None
    assert held.checkpoint["channel_values"]["messages"][-1].id == "ai-2-1"


def test_counting_is_on_no_clock_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn lasts as long as its `invoke`; counting storage is in the session only."""

    class Clock:
        """Both clocks tell the number of seconds that were let pass."""

        seconds = 0

        def perf_counter_ns(self) -> int:
            return self.seconds * 10**9

        process_time_ns = perf_counter_ns

    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    plain = _Counting.count

    def slow_count(self: _Counting, turn: int) -> StoredBytes:
        clock.seconds += 100
        return plain(self, turn)

    monkeypatch.setattr(_Counting, "count", slow_count)
    turn = AgentSubject.turn

    def slow_turn(self: Any, number: int, durability: Any) -> Any:
        clock.seconds += number
        return turn(self, number, durability)

    monkeypatch.setattr(AgentSubject, "turn", slow_turn)
    session, *_ = _drive((1, 4))
    assert session.turn_seconds == (1.0, 2.0, 3.0, 4.0)
    assert session.session_seconds == session.session_cpu_seconds == 210.0


@given(turns=st.integers(1, 10_000))
def test_the_middle_lies_in_the_thread(turns: int) -> None:
    """The middle is a turn of the session, as far from its begin as from its end."""
    middle = middle_turn(turns)
    assert 1 <= middle <= turns
    assert turns == 1 or abs(turns - 2 * middle) <= 1
