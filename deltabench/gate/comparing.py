"""Any results side by side, in the words of the gate: each against the first."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate import rules, timed_rules
from deltabench.gate.environments import machine_differences, version_differences
from deltabench.gate.judge import cell_findings, refuse_other_sessions
from deltabench.gate.metrics import Kind, all_metrics
from deltabench.gate.rules import Case
from deltabench.gate.verdicts import Finding, Key, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.gate.metrics import Metric
    from deltabench.gate.sides import Column, Side

FEWEST = 2
# Sizes on disk repeat within this share.
_PHYSICAL_SHARE = Fraction(2, 100)
# What the default policy takes for a regression of a time.
_LARGE = Fraction(25, 100)
_ALWAYS = frozenset({"savings", "total_bytes", "resume_warm", "turn_p50", "history_50"})


class Entry(Value):
    """One figure of one file; `verdict` is None for the first and where there is none."""

    figure: str | None
    verdict: Verdict | None


class Line(Value):
    """One metric across the files; times are ratios to full of the same run."""

    metric: str
    entries: tuple[Entry, ...]

    @property
    def differs(self) -> bool:
        """Whether any file is not like the first."""
        alike = {None, Verdict.EQUAL, Verdict.WITHIN_NOISE, Verdict.INCONCLUSIVE}
        return any(entry.verdict not in alike for entry in self.entries)


class Block(Value):
    """One policy of one group across the files."""

    key: Key
    lines: tuple[Line, ...]


class Comparison(Value):
    """Everything that the files have, and what kept some of it from being compared."""

    names: tuple[str, ...]
    versions: tuple[str, ...]
    blocks: tuple[Block, ...]
    problems: tuple[Finding, ...]
    notices: tuple[str, ...]

    @property
    def exit_code(self) -> ExitCode:
        """Passed unless a planned cell of one of the files has no result."""
        return ExitCode.CELL_FAILED if self.problems else ExitCode.PASSED


def compare(sides: Sequence[Side], *, everything: bool = False) -> Comparison:
    """Put results side by side; without `everything`, main figures and what differs.

    DeltabenchError with NOT_COMPARABLE if sessions of one name differ in digest or seed,
    or if no policy is in two of the files.
    """
    if len(sides) < FEWEST:
        raise DeltabenchError("one file alone has no other to compare with", hint="give two")
    for one, two in combinations(sides, 2):
        hint = "measure all of them with one workload file and one seed"
        refuse_other_sessions(two, one, hint)
    keys = dict.fromkeys(key for side in sides for key in side.columns)
    common = [key for key in keys if sum(key in side.columns for side in sides) >= FEWEST]
    if not common:
        raise DeltabenchError(
            "nothing is in two of the files",
            hint="the same workload, turns, checkpointer, durability and K are needed",
            exit_code=ExitCode.NOT_COMPARABLE,
        )
    return Comparison(
        names=tuple(side.name for side in sides),
        versions=tuple(_versions(side) for side in sides),
        blocks=tuple(_block(key, sides, everything=everything) for key in keys),
        problems=tuple(finding for side in sides for finding in cell_findings(side)),
        notices=tuple(_notices(sides)),
    )


def _versions(side: Side) -> str:
    packages = side.environment.packages
    names = ("langgraph", "langgraph-checkpoint", "deepagents")
    return ", ".join(f"{name} {packages[name]}" for name in names if name in packages)


def _block(key: Key, sides: Sequence[Side], *, everything: bool) -> Block:
    lines = []
    for metric in all_metrics().values():
        if key.policy.is_full and metric.kind in {Kind.RATIO, Kind.TIMED}:
            continue
        line = _line(metric, key, sides)
        has_figures = any(entry.figure is not None for entry in line.entries)
        if has_figures and (everything or line.differs or metric.name in _ALWAYS):
            lines.append(line)
    return Block(key=key, lines=tuple(lines))


def _line(metric: Metric, key: Key, sides: Sequence[Side]) -> Line:
    first, *others = sides
    base = first.columns.get(key)
    entries = [Entry(figure=rules.told(metric, base), verdict=None)]
    for side in others:
        column = side.columns.get(key)
        entries.append(
            Entry(
                figure=rules.told(metric, column),
                verdict=_verdict(metric, column, base, side, first),
            )
        )
    return Line(metric=metric.name, entries=tuple(entries))


def _verdict(
    metric: Metric, now: Column | None, then: Column | None, side: Side, first: Side
) -> Verdict | None:
    if now is None or then is None or not now.complete or not then.complete:
        return Verdict.MISSING
    finding: Finding | None
    if metric.kind is Kind.RATIO:
        finding = rules.max_drop(_case(metric, "max_drop", Fraction(0), now), then)
    elif metric.kind is Kind.PHYSICAL:
        finding = rules.max_rise(_case(metric, "max_rise", _PHYSICAL_SHARE, now), then)
    elif metric.kind is Kind.COUNTED:
        finding = rules.exact(_case(metric, "exact", Fraction(1), now), then)
    elif machine_differences(side.environment, first.environment):
        return Verdict.NOT_COMPARABLE
    else:
        finding = timed_rules.max_rise_of_cost(_case(metric, "max_rise", Fraction(0), now), then)
        if finding and finding.verdict is Verdict.INCONCLUSIVE:
            # No difference can be claimed; inconclusive is only what may hide a large one.
            finding = timed_rules.max_rise_of_cost(_case(metric, "max_rise", _LARGE, now), then)
    return finding.verdict if finding else None


def _case(metric: Metric, rule: str, limit: Fraction, now: Column) -> Case:
    return Case(metric=metric, rule=rule, limit=limit, now=now)


def _notices(sides: Sequence[Side]) -> Iterator[str]:
    first, *others = sides
    for side in others:
        checkpointers = sorted({key.checkpointer for key in side.columns})
        differing = [
            text
            for checkpointer in checkpointers
            for text in version_differences(side.environment, first.environment, checkpointer)
        ]
        if differing:
            yield f"{side.name} is of other versions: {'; '.join(dict.fromkeys(differing))}."
        machine = machine_differences(side.environment, first.environment)
        if machine:
            yield f"{side.name} is of another machine, times not compared: {'; '.join(machine)}."
