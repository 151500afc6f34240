"""Plants regressions into fake results, and puts results under a policy."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from deltabench.gate.judge import judge
from deltabench.gate.policy_file import load_policy
from deltabench.gate.sides import Side
from tests.fakes import fake_results, replace_measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.cells import Measurement
    from deltabench.gate.verdicts import Finding, Judgement
    from deltabench.results.file import Results

TURNS = 20
FLAG = "--rule"


def results_of(repeats: int = 1, **options: object) -> Results:
    """A short run of full and K=50, with so many updates that snapshots are taken."""
    return fake_results(**{"turns": TURNS, "repeats": repeats, **options})  # type: ignore[arg-type]


def judged(now: Results, then: Results | None = None, *rules: str, whole: bool = True) -> Judgement:
    """Judge by the defaults and these rules."""
    policy = load_policy(None, [(FLAG, rule) for rule in rules])
    baseline = Side("baseline.json", then) if then else None
    return judge(Side("results.json", now), baseline, policy, whole=whole)


def found(judgement: Judgement, metric: str, rule: str = "", label: str = "K=50") -> Finding:
    """The only finding of a metric of one policy; `rule` is how its title starts."""
    (finding,) = [
        finding
        for finding in judgement.findings
        if finding.metric == metric
        and finding.rule.startswith(rule)
        and finding.key.policy.label == label
    ]
    return finding


def each(
    results: Results, change: Callable[[Measurement], dict[str, object]], *, k: int | None = 50
) -> Results:
    """Change every measurement of one policy."""
    for number, row in enumerate(results.rows):
        if row.measurement and row.cell.policy.snapshot_frequency == k:
            results = replace_measured(results, number, **change(row.measurement))
    return results


def grown(results: Results, percent: int, k: int | None = 50) -> Results:
    """The values that one policy stores grow until its total has grown by so much."""

    def change(measurement: Measurement) -> dict[str, object]:
        end = measurement.storage[-1]
        more_bytes = end.total_bytes * percent // 100
        new = end.model_copy(update={"value_bytes": end.value_bytes + more_bytes})
        return {"storage": (*measurement.storage[:-1], new)}

    return each(results, change, k=k)


def without(results: Results, number: int) -> Results:
    """A row is not there."""
    return results.model_copy(
        update={"rows": (*results.rows[:number], *results.rows[number + 1 :])}
    )


def with_packages(results: Results, **versions: str) -> Results:
    """The same figures from other package versions; `_` in a name stands for `-`."""
    packages = {name.replace("_", "-"): version for name, version in versions.items()}
    environment = results.environment.model_copy(
        update={"packages": {**results.environment.packages, **packages}}
    )
    return results.model_copy(update={"environment": environment})


def on_another_machine(results: Results) -> Results:
    """The same figures from another processor."""
    environment = results.environment.model_copy(update={"cpu_model": "Other CPU"})
    return results.model_copy(update={"environment": environment})


def noisy(results: Results, seed: int, spread: float, slower: float = 1.0) -> Results:
    """Every process is faster or slower by chance; delta also by a factor.

    `spread` is the standard deviation of the logarithm between processes.
    """
    random = Random(seed)
    for number, row in enumerate(results.rows):
        if row.measurement is None:
            continue
        factor = random.lognormvariate(0, spread)
        if not row.cell.policy.is_full:
            factor *= slower
        reads = tuple(
            read.model_copy(update={"seconds": tuple(s * factor for s in read.seconds)})
            for read in row.measurement.reads
        )
        turns = tuple(s * factor for s in row.measurement.turn_seconds)
        results = replace_measured(results, number, reads=reads, turn_seconds=turns)
    return results
