"""What the gate says: one finding per rule, and the exit code they add up to.

A verdict tells where the found figure lies, a standing what that means for the gate: a
size that fell is `better`, and still breaks an exact rule.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from deltabench.cells import Durability, Policy, Value
from deltabench.errors import ExitCode

OTHER_VERSIONS = "baseline of other versions"
Versions = Literal["same versions", "other versions"]


class Verdict(StrEnum):
    """Where what was found lies, seen from what was expected."""

    BETTER = "better"
    EQUAL = "equal"
    WORSE = "worse"
    DIFFERENT = "different"  # not equal, where neither direction is better
    WITHIN_NOISE = "within noise"
    INCONCLUSIVE = "inconclusive"  # too few repeats, or an interval too wide to tell
    MISSING = "missing"  # a cell or a figure that should be there is not
    FAILED = "failed"  # a cell that gave no result
    NOT_COMPARABLE = "not comparable"  # nothing to hold it against


# holds, broken: the rule was judged. open: it could not be, which does not fail the gate
# unless the policy is strict. no result, not comparable: these block the gate.
Standing = Literal["holds", "broken", "open", "no result", "not comparable"]
Said = tuple[Verdict, Standing]
LOST: Said = (Verdict.MISSING, "no result")
UNMATCHED: Said = (Verdict.NOT_COMPARABLE, "not comparable")
JUDGED: tuple[Standing, ...] = ("holds", "broken")
# The most serious first: it gives the exit code.
SERIOUS: dict[Standing, ExitCode] = {
    "no result": ExitCode.CELL_FAILED,
    "broken": ExitCode.FAILED,
    "not comparable": ExitCode.NOT_COMPARABLE,
}


class Key(Value):
    """A policy in a group: what is found again in a baseline."""

    workload: str
    turns: int
    checkpointer: str
    durability: Durability
    policy: Policy

    @property
    def group(self) -> tuple[str, int, str, str]:
        """What full and delta share."""
        return (self.workload, self.turns, self.checkpointer, self.durability)

    @property
    def group_label(self) -> str:
        """The group in a few words."""
        return f"{self.workload}, {self.turns} turns, {self.checkpointer}, {self.durability}"

    @property
    def label(self) -> str:
        """The key in a few words."""
        return f"{self.group_label}, {self.policy.label}"


class Finding(Value):
    """One rule applied to one figure of one policy.

    `expected` and `found` are for people; `expected_value` and `found_value` are the
    numbers behind them in `unit`, None where there is none. `place` names what it is
    about: the column `key`, or the whole group of it.
    """

    place: str
    key: Key
    metric: str
    unit: str
    rule: str
    expected: str
    found: str
    expected_value: int | float | str | None = None
    found_value: int | float | str | None = None
    verdict: Verdict
    standing: Standing
    next_step: str = ""

    @property
    def blocks(self) -> bool:
        """Whether the gate cannot pass because of this."""
        return self.standing in SERIOUS

    @property
    def words(self) -> str:
        """The verdict, and the standing where the verdict alone would mislead."""
        if self.verdict is Verdict.WORSE and self.standing == "holds":
            return "worse, allowed"
        if self.verdict is Verdict.BETTER and self.standing == "broken":
            return "better, not equal"
        return self.verdict.value


class Judgement(Value):
    """Everything the gate found, and what it rests on.

    `versions` says whether exact rules could be applied; None without a baseline.
    """

    results: str
    baseline: str | None
    versions: Versions | None
    findings: tuple[Finding, ...]
    notices: tuple[str, ...]

    @property
    def exit_code(self) -> ExitCode:
        """Passed only if a rule was judged and nothing blocks; else the most serious."""
        standings = {finding.standing for finding in self.findings}
        for standing, code in SERIOUS.items():
            if standing in standings:
                return code
        return ExitCode.PASSED if standings & set(JUDGED) else ExitCode.NOT_COMPARABLE

    @property
    def passed(self) -> bool:
        """Whether the gate is open."""
        return self.exit_code is ExitCode.PASSED

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """What keeps the gate shut, most serious first."""
        order = list(SERIOUS)
        found = [finding for finding in self.findings if finding.blocks]
        return tuple(sorted(found, key=lambda finding: order.index(finding.standing)))

    @property
    def judged(self) -> int:
        """How many rules were judged."""
        return sum(finding.standing in JUDGED for finding in self.findings)


def cell_finding(key: Key, rule: str, found: str, said: Said, next_step: str) -> Finding:
    """A finding about a whole cell, which needs no figures."""
    return Finding(
        place=key.label,
        key=key,
        metric="cell",
        unit="",
        rule=rule,
        expected=rule,
        found=found,
        verdict=said[0],
        standing=said[1],
        next_step=next_step,
    )
