"""Exact on a graph with everything that K does not decide: overwrites, subgraphs, wide rows."""

from __future__ import annotations

import operator
import random
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import pytest
from langgraph.channels.delta import DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.measure.metering import Meter, meter_saver
from deltabench.model.attach import recorded_series
from deltabench.model.derive import derived_storage, effects
from deltabench.model.recording import Recorder, watched
from deltabench.plan import RECORDING_FREQUENCY
from tests.model.sessions import SMALL, cell_of, opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.cells import StoredBytes
    from deltabench.model.series import Series

TURNS = 7
CONFIG: Any = {"configurable": {"thread_id": "fäden"}}
# With these a row of the checkpoint has about as many values as a short msgpack map.
WIDE = [f"channel_{number}" for number in range(13)]


def _join(state: list[str], batches: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for batch in batches for item in batch)]


def _graph(saver: Any, k: int) -> Any:
    def channel(frequency: int) -> Any:
        return Annotated[list[str], DeltaChannel(_join, snapshot_frequency=frequency)]

    typed: Any = TypedDict  # as a function, since the names come from a list
    outer_state = typed(
        "outer_state",
        {
            "größe": int,
            "log": channel(k),
            "notes": channel(k),
            "never": channel(k),
            **dict.fromkeys(WIDE, Annotated[list[str], operator.add]),
        },
    )
    inner_state = typed("inner_state", {"größe": int, "notes": channel(k)})

    def work(state: dict[str, Any]) -> dict[str, Any]:
        size = state["größe"]
        notes: Any = [f"note {size} ü" * 20 * size]
        if size == TURNS // 2:
            notes = Overwrite(["begun again"])
        wide = {name: ["x"] for name in WIDE[: 2 * size]}
        return {"log": [f"schritt {size}"], "notes": notes, **wide}

    def think(state: dict[str, Any]) -> dict[str, Any]:
        return {"notes": [f"thought {state['größe']}" * 9]}

    def once_more(state: dict[str, Any]) -> dict[str, Any]:
        return {"log": ["wieder"] if state["größe"] % 2 else []}

    inner: Any = StateGraph(inner_state)
    inner.add_node("think", think)
    inner.add_edge(START, "think")
    inner.add_edge("think", END)
    outer: Any = StateGraph(outer_state)
    outer.add_node("work", work)
    outer.add_node("sub", inner.compile())
    outer.add_node("once_more", once_more)
    for start, end in (
        (START, "work"),
        ("work", "sub"),
        ("sub", "once_more"),
        ("once_more", END),
    ):
        outer.add_edge(start, end)
    return outer.compile(checkpointer=saver)


def _drive(
    checkpointer: str,
    k: int,
    monkeypatch: pytest.MonkeyPatch,
    *,
    records: bool = False,
    wrong_bytes: int = 0,
) -> tuple[list[StoredBytes], Series | None]:
    storage = []
    with opened(checkpointer, monkeypatch) as store:
        meter = Meter()
        dumps = _padded(store.saver.serde.dumps_typed, wrong_bytes)
        meter_saver(store.saver, meter)
        turns: list[int] = []
        graph = _graph(store.saver, k)
        recorder = Recorder(
            checkpointer=checkpointer,
            dumps=dumps,
            channels=frozenset({"log", "notes", "never"}),
            turn=lambda: turns[-1],
        )
        if records:
            meter.after_put, meter.after_put_writes = recorder.after_put, recorder.after_put_writes
            graph = watched(graph, recorder)
        random.seed(3)
        for turn in range(1, TURNS + 1):
            turns.append(turn)
            graph.invoke({"größe": turn, "log": [f"turn {turn}"]}, CONFIG, durability="sync")
            storage.append(store.count(turn))
        if not records:
            return storage, None
        cell = cell_of(SMALL, TURNS, checkpointer, k, records=True, durability="sync")
        return storage, recorded_series(cell, recorder, tuple(storage))


def _padded(dumps: Any, wrong_bytes: int) -> Any:
    def dumped(value: Any) -> tuple[str, bytes]:
        tag, data = dumps(value)
        return tag, data + b"x" * wrong_bytes

    return dumped


@pytest.mark.parametrize("checkpointer", ["memory", "sqlite", "postgres"])
def test_overwrites_subgraphs_and_wide_rows(
    checkpointer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every K is exact although some snapshots are forced, and each subgraph call has a chain."""
    storage, series = _drive(checkpointer, RECORDING_FREQUENCY, monkeypatch, records=True)
    assert series is not None
    assert len(series.lanes) > 1
    assert any(channel.forced for _, channel in series.channels())
    turns = tuple(range(1, TURNS + 1))
    its = effects(series, RECORDING_FREQUENCY, turns)
    for frequency in (1, 2, 3, 5, 50):
        real, _ = _drive(checkpointer, frequency, monkeypatch)
        own = effects(series, frequency, turns)
        derived = [derived_storage(*each) for each in zip(storage, own, its, strict=True)]
        assert real == derived, f"K={frequency}"


def test_values_of_another_size_than_stored_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A live value that was measured one byte too large does not fit the forced snapshots."""
    with pytest.raises(DeltabenchError, match=r"bytes, not the .* expected"):
        _drive("memory", RECORDING_FREQUENCY, monkeypatch, records=True, wrong_bytes=1)


def test_a_runtime_with_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """If langgraph does not snapshot where the rules say so, nothing is derived."""
    monkeypatch.setattr("deltabench.model.recording.RECORDING_FREQUENCY", 3)
    with pytest.raises(DeltabenchError, match="langgraph counted") as caught:
        _drive("memory", RECORDING_FREQUENCY, monkeypatch, records=True)
    assert caught.value.exit_code == ExitCode.CELL_FAILED


def test_a_session_beyond_the_bound_on_supersteps_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Langgraph, told of a lower bound, snapshots an idle channel under a new version."""
    for module in ("langgraph.pregel._checkpoint", "langgraph._internal._config"):
        monkeypatch.setattr(f"{module}.DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT", 4)
    with pytest.raises(DeltabenchError, match="bound of 4 supersteps"):
        _drive("memory", RECORDING_FREQUENCY, monkeypatch, records=True)
