"""Judges results by a policy, with a baseline or without: findings that add up to a verdict.

Cells that failed or are missing come first and block. What the baseline does not have
cannot be compared and blocks, too; and so does a group in which no rule was judged, for
a gate that compared nothing must not pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.applying import UPDATE_HINT, Comparison
from deltabench.gate.policy import NEEDS_BASELINE
from deltabench.gate.timed_rules import MORE_REPEATS
from deltabench.gate.verdicts import (
    JUDGED,
    LOST,
    UNMATCHED,
    Finding,
    Judgement,
    Key,
    Verdict,
    cell_finding,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.gate.policy import GatePolicy
    from deltabench.gate.sides import Side
    from deltabench.gate.verdicts import Versions

GroupKey = tuple[str, int, str, str]
_DIGEST_CHARS = 12


def judge(now: Side, then: Side | None, policy: GatePolicy, *, whole: bool = True) -> Judgement:
    """Judge results; with `whole`, what only the baseline has counts as missing.

    DeltabenchError with NOT_COMPARABLE if the baseline is of other workloads, and with
    USAGE if there is no rule that could be judged.
    """
    if not now.columns:
        message = f"{now.name} has no cells"
        raise DeltabenchError(message, hint="measure again", exit_code=ExitCode.CELL_FAILED)
    refuse_without_rules(policy, baseline=then is not None)
    if then is not None:
        refuse_unlike(now, then)
    comparison = Comparison(now, then, policy)
    findings = [*cell_findings(now), *comparison.findings()]
    if then is not None and whole:
        findings += _dropped(now, then)
    findings += _groups_without_a_verdict(now, findings)
    if policy.strict:
        findings = [_strict(finding) for finding in findings]
    versions: Versions = "same versions" if comparison.same_versions else "other versions"
    return Judgement(
        results=now.name,
        baseline=then.name if then else None,
        versions=versions if then else None,
        findings=tuple(findings),
        notices=tuple(comparison.notices()),
    )


def refuse_unlike(now: Side, then: Side) -> None:
    """Refuse to hold results against a baseline that lacks one of their workloads."""
    theirs = {key.workload for key in then.columns}
    for workload in sorted({key.workload for key in now.columns} - theirs):
        has = ", ".join(sorted(theirs)) or "no cells"
        message = f"{then.name} has no workload {workload!r} (it has {has})"
        raise DeltabenchError(message, hint=UPDATE_HINT, exit_code=ExitCode.NOT_COMPARABLE)
    refuse_other_sessions(now, then, UPDATE_HINT)


def refuse_other_sessions(now: Side, then: Side, hint: str) -> None:
    """Refuse workloads of one name and another digest or seed: they store other bytes."""
    ours = {key.workload for key in now.columns}
    for workload in sorted(ours & {key.workload for key in then.columns}):
        for what in ("digest", "seed"):
            here, there = _distinct(now, workload, what), _distinct(then, workload, what)
            if here != there:
                message = (
                    f"workload {workload!r} has another {what} in {then.name} "
                    f"({', '.join(there)}) than in {now.name} ({', '.join(here)})"
                )
                raise DeltabenchError(message, hint=hint, exit_code=ExitCode.NOT_COMPARABLE)


def _distinct(side: Side, workload: str, what: str) -> list[str]:
    columns = (column for key, column in side.columns.items() if key.workload == workload)
    return sorted({str(getattr(column, what))[:_DIGEST_CHARS] for column in columns})


def refuse_without_rules(policy: GatePolicy, *, baseline: bool) -> None:
    """Refuse a policy that demands nothing, or without a baseline what needs one."""
    if baseline:
        return
    useless = [rule for rule in policy.asked() if rule.partition(".")[2] in NEEDS_BASELINE]
    if useless:
        message = f"{', '.join(dict.fromkeys(useless))} can only be judged against a baseline"
        raise DeltabenchError(message, hint="give --baseline, or leave the rule out")
    if not policy.asked():
        hint = "give --baseline, --policy or a rule such as --min-ratio 25"
        raise DeltabenchError("there is nothing to judge by", hint=hint)


def cell_findings(side: Side) -> Iterator[Finding]:
    """Cells that gave no result, and groups that have nothing to compare with full."""
    for key, column in side.columns.items():
        for problem in column.problems:
            verdict = Verdict.MISSING if problem.kind == "missing" else Verdict.FAILED
            found = f"{problem.label}: {problem.kind}: {problem.reason}"
            step = "mend the cause and measure again"
            yield cell_finding(key, "measured", found, (verdict, "no result"), step)
        if column.pending:
            found = f"{column.pending} not run"
            step = "finish it: the same command with --resume"
            yield cell_finding(key, "measured", found, LOST, step)
    for key in _groups(side).values():
        policies = [other.policy for other in side.columns if other.group == key.group]
        if all(policy.is_full for policy in policies):
            step = "the gate judges delta channels: measure with a K"
            yield cell_finding(key, "a delta cell", "full only", LOST, step)


def _dropped(now: Side, then: Side) -> Iterator[Finding]:
    for key in then.columns:
        if key not in now.columns:
            step = "measure it, or judge a part on purpose with --subset"
            yield cell_finding(key, "as in the baseline", "not there", LOST, step)


def _groups_without_a_verdict(now: Side, findings: Sequence[Finding]) -> Iterator[Finding]:
    """A group passes only if something in it was judged."""
    settled = {f.key.group for f in findings if f.blocks or f.standing in JUDGED}
    for group, key in _groups(now).items():
        if group not in settled:
            tried = any(finding.key.group == group for finding in findings)
            step = MORE_REPEATS if tried else "give a rule that can be judged here"
            finding = cell_finding(key, "a rule that was judged", "none", UNMATCHED, step)
            yield finding.model_copy(update={"metric": "rules", "place": key.group_label})


def _groups(side: Side) -> dict[GroupKey, Key]:
    """The first column of each group."""
    groups: dict[GroupKey, Key] = {}
    for key in side.columns:
        groups.setdefault(key.group, key)
    return groups


def _strict(finding: Finding) -> Finding:
    """With a strict policy, what cannot be told is not let through."""
    if finding.standing == "open":
        return finding.model_copy(update={"standing": "broken"})
    return finding
