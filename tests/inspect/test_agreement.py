"""What-if figures against real runs of the same session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deltabench.inspect.scan import open_source
from deltabench.inspect.series import thread_series
from deltabench.model.derive import effects
from tests.inspect.conftest import THREAD, look

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.inspect.conftest import Recorded

POLICIES = (None, 5, 20)
_ONE_PERCENT = 0.01


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("workload", ["A", "B"])
@pytest.mark.parametrize("k", [None, 5])
def test_one_policy_predicts_the_others(
    recorded: Callable[[str, str, int | None], Recorded], kind: str, workload: str, k: int | None
) -> None:
    """Full and delta predict each other, and themselves, within 1 % of the counted bytes."""
    found = look(recorded(kind, workload, k).database, POLICIES)
    assert found.summed("total").value == recorded(kind, workload, k).total_bytes
    for policy in POLICIES:
        real = recorded(kind, workload, policy).total_bytes
        assert found.total(policy).value == pytest.approx(real, rel=_ONE_PERCENT)
    assert found.total(k).value == pytest.approx(recorded(kind, workload, k).total_bytes, abs=100)
    assert not found.found.problems
    assert not found.found.reasons


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("workload", ["A", "B"])
def test_a_full_thread_tells_what_ids_will_take(
    recorded: Callable[[str, str, int | None], Recorded], kind: str, workload: str
) -> None:
    """Messages get ids under delta: with these the forecast is right to a thousandth."""
    found = look(recorded(kind, workload, None).database, (5, 20))
    for k in (5, 20):
        real = recorded(kind, workload, k).total_bytes
        assert found.total(k).value == pytest.approx(real, rel=0.001)


@pytest.mark.parametrize("workload", ["A", "B"])
def test_delta_predicts_delta_to_the_byte(
    recorded: Callable[[str, str, int | None], Recorded], workload: str
) -> None:
    """In SQLite nothing but snapshots and counters changes with K, and both are known."""
    found = look(recorded("sqlite", workload, 5).database, POLICIES)
    assert found.total(20).value == recorded("sqlite", workload, 20).total_bytes


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_cost_model_can_work_from_a_thread(
    recorded: Callable[[str, str, int | None], Recorded], kind: str
) -> None:
    """The series of a full thread gives the model what it needs to derive a delta run."""
    with open_source(recorded(kind, "A", None).database) as source:
        series = thread_series(source, THREAD)
    assert series.turns == 12
    assert not series.estimated
    derived = series.fixed[-1].size_bytes + effects(series, 5, (series.turns,))[0].total_bytes
    assert derived == pytest.approx(recorded(kind, "A", 5).total_bytes, rel=_ONE_PERCENT)
    (lane,) = series.lanes
    messages = next(c for c in lane.channels if c.channel == "messages")
    assert len(messages.checkpoints) == 48
    assert messages.write_bytes[0] == messages.value_bytes[0]
    assert sum(messages.write_bytes) == pytest.approx(messages.value_bytes[-1], rel=_ONE_PERCENT)


def test_the_replay_is_that_of_the_counters(
    recorded: Callable[[str, str, int | None], Recorded],
) -> None:
    """48 updates of `messages` leave 3 after the snapshot at 45, and 4 just before it."""
    found = look(recorded("sqlite", "A", 5).database, (5,))
    assert found.largest[0].replayed_updates == 3
    assert found.found.tops["head", "", "messages", 5] == 3
    assert found.found.tops["worst", "", "messages", 5] == 4
    assert found.change(("", "messages"), 5, "snapshots").value == 9
