"""What must hold on both ends: the newest langgraph and deepagents, and the oldest supported.

The writes of a turn are kept in order with durability `sync`: before langgraph 1.2.15 the
default can hang in a plain `invoke`, which is a failed row of a result and no figure.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deltabench.api import load_workloads
from deltabench.lab.lab import Lab
from deltabench.lab.process import DEFAULT_STALL_SECONDS
from deltabench.lab.progress import Progress
from deltabench.plan import Matrix, plan_cells

if TYPE_CHECKING:
    from deltabench.cells import Measurement
    from deltabench.results.file import Results

pytestmark = [pytest.mark.oldest, pytest.mark.timeout(DEFAULT_STALL_SECONDS)]

TURNS = 2
FREQUENCY = 5


@pytest.fixture(scope="module", params=["memory", "sqlite", "postgres"])
def results(request: pytest.FixtureRequest) -> Results:
    """Measure a short session of B under both policies; cold reads are left to other tests."""
    workloads = load_workloads(["B"])
    matrix = Matrix(
        workloads=tuple(workloads.values()),
        turns=(TURNS,),
        frequencies=(FREQUENCY,),
        checkpointers=(request.param,),
        durability="sync",
        cold_samples=0,
    )
    return Lab(progress=Progress()).run(plan_cells(matrix), workloads, command="test")


@pytest.fixture
def full(results: Results) -> Measurement:
    """What full snapshots gave."""
    return _measured(results, is_full=True)


@pytest.fixture
def delta(results: Results) -> Measurement:
    """What delta channels gave."""
    return _measured(results, is_full=False)


def _measured(results: Results, *, is_full: bool) -> Measurement:
    (row,) = [row for row in results.rows if row.cell.policy.is_full is is_full]
    assert row.failure is None, row.failure
    assert row.measurement is not None
    return row.measurement


def test_channels_are_what_the_policy_says(full: Measurement, delta: Measurement) -> None:
    """Read back from the graph, full has no delta channel and delta has K on every one."""
    assert {each.class_name for each in full.channels} == {"BinaryOperatorAggregate"}
    assert {each.class_name for each in delta.channels} == {"DeltaChannel"}
    assert {each.snapshot_frequency for each in delta.channels} == {FREQUENCY}
    assert {"messages", "files"} <= {each.name for each in delta.channels}


def test_state_is_identical(full: Measurement, delta: Measurement) -> None:
    """Delta channels rebuild the state that full snapshots hold, parallel tool calls included."""
    assert delta.state.content == full.state.content
    assert delta.state.messages == full.state.messages > TURNS
    assert delta.state.files == full.state.files >= TURNS


def test_delta_stores_less_in_values_and_the_same_in_writes(
    full: Measurement, delta: Measurement
) -> None:
    """Delta channels save whole values; they save none of the writes."""
    assert delta.stored.value_bytes < full.stored.value_bytes / 2
    assert delta.stored.write_rows == full.stored.write_rows
    assert delta.stored.checkpoint_rows == full.stored.checkpoint_rows


def test_snapshots_come_every_k_updates(delta: Measurement) -> None:
    """With nothing overwritten there are as many snapshots as whole periods of K updates."""
    for name in ("messages", "files"):
        assert delta.updates[name] >= FREQUENCY
        assert delta.snapshots[name] == delta.updates[name] // FREQUENCY


def test_messages_without_id_are_told(delta: Measurement) -> None:
    """Versions that give tool messages no id in a delta channel are shown to do so."""
    from langgraph.pregel import _messages

    assert bool(delta.state.missing_ids) is not hasattr(_messages, "ensure_message_ids")


def test_command_line_answers(tmp_path: Path) -> None:
    """`deltabench run` ends with 0 and saves a row with a measurement for both policies."""
    program = Path(sys.executable).with_name("deltabench")
    options = ["--workload", "B", "--turns", "1", "--durability", "sync", "--out", str(tmp_path)]
    subprocess.run([program, "run", *options], check=True, capture_output=True)

    rows = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["rows"]
    policies = {row["cell"]["policy"]["snapshot_frequency"] is None for row in rows}
    assert policies == {True, False}
    assert all(row["measurement"] for row in rows)
