"""Every rule of a policy on every complete column, and what could not be applied and why."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate import rules, timed_rules
from deltabench.gate.environments import machine_differences, version_differences
from deltabench.gate.metrics import Kind
from deltabench.gate.policy import metrics_for
from deltabench.gate.rules import Case
from deltabench.gate.verdicts import OTHER_VERSIONS, UNMATCHED, Verdict, cell_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.gate.metrics import Metric
    from deltabench.gate.policy import GatePolicy, Limit
    from deltabench.gate.sides import Column, Side
    from deltabench.gate.verdicts import Finding

UPDATE_HINT = (
    "measure the same as the baseline, or accept these results: deltabench baseline update"
)


class Comparison:
    """Results under a policy, beside a baseline if there is one.

    DeltabenchError with NOT_COMPARABLE if the policy refuses other versions.
    """

    def __init__(self, now: Side, then: Side | None, policy: GatePolicy) -> None:
        self._now = now
        self._then = then
        self._policy = policy
        self._machine = machine_differences(now.environment, then.environment) if then else []
        self._skipped_times = False
        self._other_versions = _other_versions(now, then) if then else {}
        if self._other_versions and policy.other_versions == "refuse":
            message = f"{OTHER_VERSIONS}: {'; '.join(self._differing())}"
            raise DeltabenchError(message, hint=UPDATE_HINT, exit_code=ExitCode.NOT_COMPARABLE)

    @property
    def same_versions(self) -> bool:
        """Whether exact rules could be applied everywhere."""
        return not self._other_versions

    def _differing(self) -> list[str]:
        every = (text for texts in self._other_versions.values() for text in texts)
        return list(dict.fromkeys(every))

    def findings(self) -> Iterator[Finding]:
        """Every rule on every complete column."""
        for key, column in self._now.columns.items():
            if not column.complete:
                continue
            then = self._then.columns.get(key) if self._then else None
            if self._then is not None and (then is None or not then.complete):
                yield _not_in_baseline(column, then)
                then = None
            for metric, limits in metrics_for(self._policy, key):
                for rule, limit in limits.items():
                    finding = self._apply(metric, rule, limit, column, then)
                    if finding is not None:
                        yield finding

    def _apply(
        self, metric: Metric, rule: str, limit: Limit, now: Column, then: Column | None
    ) -> Finding | None:
        if now.key.policy.is_full and metric.kind in {Kind.RATIO, Kind.TIMED}:
            return None  # full is what these are ratios to
        case = Case(metric=metric, rule=rule, limit=Fraction(limit), now=now)
        if rule == "min_ratio":
            return rules.min_ratio(case)
        if rule == "max_ratio":
            return timed_rules.max_ratio(case)
        return None if then is None else self._against(case, then)

    def _against(self, case: Case, then: Column) -> Finding | None:
        kind = case.metric.kind
        if kind is Kind.RATIO:
            return rules.max_drop(case, then)
        if kind is Kind.TIMED and self._machine:
            self._skipped_times = True
            return None
        if kind is Kind.TIMED:
            return timed_rules.max_rise_of_cost(case, then)
        same_versions = case.now.key.checkpointer not in self._other_versions
        if case.rule == "exact":
            return rules.exact(case, then) if same_versions else None
        # A tolerance for counted bytes was asked for, so it holds across versions.
        return rules.max_rise(case, then) if same_versions or kind is Kind.COUNTED else None

    def notices(self) -> Iterator[str]:
        """What was not applied and why, in sentences."""
        if self._other_versions:
            where = ", ".join(self._other_versions)
            yield (
                f"Baseline of other versions ({'; '.join(self._differing())}): on {where}, exact "
                "rules and sizes on disk are not applied, ratio rules are."
            )
        if self._then is not None:
            here, there = self._now.results.tool_version, self._then.results.tool_version
            if here != there:
                yield f"deltabench {here} judges a baseline made with {there}."
        if self._skipped_times:
            yield (
                "Timed figures of the baseline are of another machine "
                f"({'; '.join(self._machine)}) and are not compared; the byte rules are."
            )
        for where in self._policy.unmatched(list(self._now.columns)):
            yield f"An override of the policy fits no cell here: {where}."


def _other_versions(now: Side, then: Side) -> dict[str, list[str]]:
    """By checkpointer, the packages that store for it and differ."""
    names = sorted({key.checkpointer for key in now.columns})
    found = {name: version_differences(now.environment, then.environment, name) for name in names}
    return {name: differences for name, differences in found.items() if differences}


def _not_in_baseline(column: Column, then: Column | None) -> Finding:
    return cell_finding(
        column.key,
        "in the baseline",
        "not there" if then is None else "failed or not finished there",
        (Verdict.MISSING, "not comparable") if then is None else UNMATCHED,
        UPDATE_HINT,
    )
