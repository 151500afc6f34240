"""The committed baseline: what it must hold, so that `make gate` means what it says."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from deltabench.api import load_workloads
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.judge import judge
from deltabench.gate.metrics import Kind
from deltabench.gate.policy import GatePolicy, metrics_for
from deltabench.gate.policy_file import load_policy
from deltabench.gate.sides import Side
from deltabench.results.environment import PACKAGES
from deltabench.results.file import Results, load_results
from tests.fakes import replace_measured

CHECKOUT = Path(__file__).resolve().parent.parent
CHECKPOINTERS = ("memory", "sqlite", "postgres")


@pytest.fixture(scope="module")
def baseline() -> Results:
    """Load the committed baseline."""
    return load_results(CHECKOUT / "reports" / "baseline.json")


@pytest.fixture(scope="module")
def policy() -> GatePolicy:
    """Load the committed policy."""
    return load_policy(CHECKOUT / "reports" / "gate.toml")


def test_baseline_has_every_checkpointer_under_both_policies(baseline: Results) -> None:
    """A and B are there on each checkpointer, full and delta, and each was measured."""
    cells = [row.cell for row in baseline.rows if row.measurement and not row.failure]
    found = sorted((c.workload, c.checkpointer, c.policy.is_full) for c in cells)

    assert found == sorted(product("AB", CHECKPOINTERS, (False, True)))
    assert len(cells) == len(baseline.rows)


def test_snapshots_happened_on_every_channel(baseline: Results) -> None:
    """The sessions are long enough to be of use: each delta channel was saved whole once."""
    for row in baseline.rows:
        assert row.measurement
        if not row.cell.policy.is_full:
            assert {"messages", "files"} <= set(row.measurement.snapshots)
            assert min(row.measurement.snapshots.values()) >= 1


def test_baseline_is_of_the_workloads_as_they_are(baseline: Results) -> None:
    """A change of a workload asks for a new baseline: `make baseline`."""
    digests = {name: workload.digest for name, workload in load_workloads(["A", "B"]).items()}

    assert {row.cell.workload: row.cell.workload_digest for row in baseline.rows} == digests


def test_baseline_is_of_the_locked_versions(baseline: Results) -> None:
    """A change of requirements.lock asks for a new baseline, too, or the gate would refuse."""
    lock = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^([\w.-]+)==(.+)$", lock, re.MULTILINE))
    names = [name for name in PACKAGES if name != "deltabench"]

    assert {name: baseline.environment.packages[name] for name in names} == {
        name: pins[name] for name in names
    }


def test_policy_is_exact_and_leaves_noise_out(baseline: Results, policy: GatePolicy) -> None:
    """Every counted quantity must be equal, and nothing that was timed has a say."""
    for key in Side("baseline", baseline).columns:
        rules = {metric.name: (metric.kind, rules) for metric, rules in metrics_for(policy, key)}
        kinds = {kind for kind, _ in rules.values()}
        counted = [rules for kind, rules in rules.values() if kind is Kind.COUNTED]

        assert kinds == {Kind.COUNTED, Kind.RATIO}
        assert len(counted) > 10
        assert counted == [{"exact": True}] * len(counted)


def test_one_byte_fails_the_gate(baseline: Results, policy: GatePolicy) -> None:
    """Against itself the baseline passes; with one byte more in any cell it does not."""
    then = Side("baseline", baseline)
    assert judge(then, then, policy).exit_code is ExitCode.PASSED

    for number, row in enumerate(baseline.rows):
        assert row.measurement
        *marks, end = row.measurement.storage
        grown = end.model_copy(update={"row_bytes": end.row_bytes + 1})
        now = replace_measured(baseline, number, storage=(*marks, grown))
        assert judge(Side("now", now), then, policy).exit_code is ExitCode.FAILED


def test_other_versions_are_refused(baseline: Results, policy: GatePolicy) -> None:
    """An upgrade of langgraph is not let through because its ratio happens to hold."""
    packages = baseline.environment.packages | {"langgraph": "99.0"}
    environment = baseline.environment.model_copy(update={"packages": packages})
    now = Side("now", baseline.model_copy(update={"environment": environment}))

    with pytest.raises(DeltabenchError, match=r"langgraph 99\.0 against") as caught:
        judge(now, Side("baseline", baseline), policy)
    assert caught.value.exit_code is ExitCode.NOT_COMPARABLE
