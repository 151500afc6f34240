"""Tests of timed rules: clear differences are found, and noise never is one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from deltabench.cells import Policy
from deltabench.errors import ExitCode
from deltabench.gate.judge import judge
from deltabench.gate.metrics import all_metrics
from deltabench.gate.noise import noise
from deltabench.gate.policy_file import load_policy
from deltabench.gate.rules import Case
from deltabench.gate.sides import Column, Side
from deltabench.gate.timed import TIME_FLOOR
from deltabench.gate.timed_rules import max_rise_of_cost
from deltabench.gate.verdicts import Key, Verdict
from tests.fakes import fake_cell, fake_measurement
from tests.gate.plants import each, found, judged, noisy, results_of

if TYPE_CHECKING:
    from deltabench.cells import Measurement

REPEATS = 9
# The strictest that can be written: only noise is allowed.
NO_RISE = "timed.max_rise=0"


def test_too_few_repeats_are_inconclusive() -> None:
    """Below nine repeats nothing is decided, and the way out is named."""
    finding = found(judged(results_of(8), results_of(8)), "resume_warm")
    assert (finding.verdict, finding.standing) == (Verdict.INCONCLUSIVE, "open")
    assert "--repeat 9" in finding.next_step


def test_a_baseline_with_too_few_repeats_is_inconclusive() -> None:
    """It is the baseline that has to be made anew, and it says so."""
    finding = found(judged(results_of(REPEATS), results_of()), "resume_warm")
    assert finding.verdict is Verdict.INCONCLUSIVE
    assert finding.next_step.startswith("the baseline")


def test_a_resume_that_got_slower_fails() -> None:
    """Half as slow again, beyond policy and noise, is worse and ends in 1."""
    now = noisy(results_of(REPEATS), 1, 0.03, slower=1.6)
    judgement = judged(now, noisy(results_of(REPEATS), 2, 0.03))
    finding = found(judgement, "resume_warm")
    assert (finding.verdict, finding.standing) == (Verdict.WORSE, "broken")
    assert judgement.exit_code is ExitCode.FAILED


def test_a_resume_that_got_faster_is_better() -> None:
    """Directions are built in: less time holds every rule."""
    now = noisy(results_of(REPEATS), 1, 0.03, slower=0.5)
    finding = found(judged(now, noisy(results_of(REPEATS), 2, 0.03)), "resume_warm")
    assert (finding.verdict, finding.standing) == (Verdict.BETTER, "holds")


def test_a_rise_below_the_noise_is_no_rise() -> None:
    """A policy without tolerance is widened to the noise of the run, and shows it."""
    results = noisy(results_of(REPEATS), 1, 0.02)
    finding = found(judged(results, results, NO_RISE), "resume_warm")
    assert finding.standing in {"holds", "open"}
    assert finding.expected.endswith("% (noise)")


@pytest.mark.parametrize(
    ("limit", "verdict", "standing"),
    [("100", Verdict.BETTER, "holds"), ("0.1", Verdict.WORSE, "broken")],
)
def test_max_ratio_needs_no_baseline(limit: str, verdict: Verdict, standing: str) -> None:
    """A resume is held against full of the same run; the whole interval decides."""
    results = noisy(results_of(REPEATS), 1, 0.02)
    finding = found(judged(results, None, f"resume_warm.max_ratio={limit}"), "resume_warm")
    assert (finding.verdict, finding.standing) == (verdict, standing)


def test_a_limit_inside_the_interval_is_inconclusive() -> None:
    """When the interval lies on both sides of the limit, nothing is decided."""
    results = noisy(results_of(REPEATS), 1, 0.2)
    side = Side("r", results)
    column = list(side.columns.values())[1]
    cost = column.cost(all_metrics()["resume_warm"])
    assert cost is not None
    rule = f"resume_warm.max_ratio={cost.value:.3f}"
    finding = found(judged(results, None, rule), "resume_warm")
    assert (finding.verdict, finding.standing) == (Verdict.INCONCLUSIVE, "open")


def test_a_time_of_zero_has_no_ratio() -> None:
    """A zero is missing, not infinitely better, on either side."""
    for k in (None, 50):
        zero = each(results_of(REPEATS), lambda _: {"session_seconds": 0.0}, k=k)
        finding = found(judged(zero, None, "session.max_ratio=2"), "session")
        assert (finding.verdict, finding.standing) == (Verdict.MISSING, "no result")


def test_a_read_that_is_gone_is_missing() -> None:
    """What the baseline timed must still be there."""
    bare = each(results_of(REPEATS), lambda m: {"reads": tuple(r for r in m.reads if r.position)})
    finding = found(judged(bare, results_of(REPEATS)), "history_50", "max_rise")
    assert (finding.verdict, finding.standing) == (Verdict.MISSING, "no result")


def test_noise_is_measured_between_repeats_of_one_cell() -> None:
    """It grows with the spread of processes, never falls below the floor, and needs nine."""
    metric = all_metrics()["turn_p50"]

    def of(repeats: int, spread: float) -> float | None:
        side = Side("r", noisy(results_of(repeats), 3, spread))
        return noise(list(side.columns.values())[1], metric)

    quiet, loud = of(REPEATS, 0.0), of(REPEATS, 0.3)
    assert quiet is not None
    assert loud is not None
    assert TIME_FLOOR <= quiet < loud
    assert of(8, 0.0) is None


def test_noise_of_equal_samples_is_the_floor() -> None:
    """A run cannot talk itself into more precision than was ever seen."""
    equal = results_of(REPEATS)
    for k in (None, 50):
        equal = each(equal, lambda _: {"session_seconds": 1.0}, k=k)
    column = list(Side("r", equal).columns.values())[1]
    assert noise(column, all_metrics()["session"]) == TIME_FLOOR


def test_twenty_a_a_runs_in_a_row_never_fail() -> None:
    """Runs of one program, noisier than any machine seen, pass under the strictest policy."""
    results = results_of(REPEATS, turns=2)
    runs = [Side(str(seed), noisy(results, seed, 0.02 + 0.01 * (seed % 10))) for seed in range(21)]
    policy = load_policy(None, [("", "timed.max_rise=false"), ("", "turn_p50.max_rise=0")])
    for then, now in pairwise(runs):
        judgement = judge(now, then, policy)
        assert judgement.passed, judgement.blocking
        assert found(judgement, "turn_p50").standing in {"holds", "open"}


def _column(seed: int, spread: float) -> Column:
    """Nine repeats of equal cells, every process faster or slower by chance."""
    random = Random(seed)
    measurement = fake_measurement(fake_cell(turns=1))

    def repeats() -> dict[int, Measurement]:
        times = (random.lognormvariate(0, spread) for _ in range(REPEATS))
        return {
            repeat: measurement.model_copy(update={"session_seconds": seconds})
            for repeat, seconds in enumerate(times)
        }

    key = Key(
        workload="B",
        turns=1,
        checkpointer="memory",
        durability="async",
        policy=Policy(snapshot_frequency=50),
    )
    return Column(
        key=key, digest="", seed=0, mine=repeats(), full=repeats(), problems=(), pending=0
    )


@pytest.mark.parametrize("spread", [0.005, 0.02, 0.1, 0.3])
def test_noise_alone_is_never_worse(spread: float) -> None:
    """Over many seeds and at any noise, the strictest rules find nothing in equal cells."""
    for seed in range(50):
        now, then = _column(2 * seed, spread), _column(2 * seed + 1, spread)
        metric = all_metrics()["session"]
        rise = Case(metric=metric, rule="max_rise", limit=Fraction(0), now=now)
        finding = max_rise_of_cost(rise, then)
        assert finding is not None
        assert finding.verdict is not Verdict.WORSE


def test_a_difference_beyond_any_noise_is_found() -> None:
    """The same rules are not blind: twice the time is worse at the usual noise, every time."""
    for seed in range(20):
        now, then = _column(2 * seed, 0.02), _column(2 * seed + 1, 0.02)
        slow = {
            repeat: m.model_copy(update={"session_seconds": 2 * m.session_seconds})
            for repeat, m in now.mine.items()
        }
        case = Case(
            metric=all_metrics()["session"],
            rule="max_rise",
            limit=Fraction(1, 4),
            now=replace(now, mine=slow),
        )
        finding = max_rise_of_cost(case, then)
        assert finding is not None
        assert finding.verdict is Verdict.WORSE
