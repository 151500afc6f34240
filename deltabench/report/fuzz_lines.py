"""What `deltabench verify --fuzz` found, as text and as JSON."""

from __future__ import annotations

import json
from textwrap import wrap
from typing import TYPE_CHECKING

from deltabench.report.verdicts import COLUMNS, reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from deltabench.verify.fuzz.vocabulary import Finding, FuzzOutcome
    from deltabench.verify.known import Known


def fuzz_json(outcomes: Iterable[FuzzOutcome]) -> str:
    """Every outcome with its findings and their scripts, and the versions they are about."""
    from deltabench.verify.document import versions

    entries = [outcome.model_dump(mode="json") for outcome in outcomes]
    return json.dumps({"versions": versions(), "fuzz": entries}, indent=2)


def fuzz_lines(outcomes: Sequence[FuzzOutcome], known: Iterable[Known]) -> list[str]:
    """Findings first, then what is known, and in the end what was tried and came of it."""
    lines = []
    for outcome in outcomes:
        for number, finding in enumerate(outcome.findings, 1):
            lines += [f"Finding {number} on {outcome.checkpointer}", *_finding(finding), ""]
    for entry in known:
        counts = {o.checkpointer: o.known[entry.id] for o in outcomes if entry.id in o.known}
        if counts:
            where = ", ".join(f"{count:,} on {name}" for name, count in counts.items())
            lines += [f"Differs, known ({where}): {entry.id}"]
            lines += _indented(entry.text)
            lines += [*_indented(reference(entry)), ""]
    return [*lines, *map(summary, outcomes)]


def summary(outcome: FuzzOutcome) -> str:
    """One line: how much was tried, and what it came to."""
    count = len(outcome.findings)
    found = f"{_counted(count, 'finding')}" if count else "nothing unknown found"
    alike = f", {outcome.raised_alike:,} refused by both twins alike" * bool(outcome.raised_alike)
    broken = f"; ended early: {outcome.broken}" if outcome.broken else ""
    return (
        f"{outcome.checkpointer}, seed {outcome.seed}: "
        f"{_counted(outcome.sequences, 'sequence')}, "
        f"{_counted(outcome.operations, 'operation')}{alike}: {found}{broken}."
    )


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _finding(finding: Finding) -> Iterator[str]:
    difference = finding.difference
    k = finding.snapshot_frequency
    start = f"K={k}" if k else "full snapshots at first"
    yield f"  {_counted(len(finding.operations), 'operation')}, {finding.mode} calls, {start}"
    yield from (f"    {operation}" for operation in finding.operations)
    step = "" if difference.checkpoint is None else f", checkpoint {difference.checkpoint}"
    yield f"  then {difference.observed}{step}"
    yield f"    at        {difference.path}"
    yield f"    expected  {difference.expected}"
    yield f"    found     {difference.found}"
    if finding.times > 1:
        yield f"  {finding.times:,} sequences ended like this; this is the shortest"
    if not finding.repeats:
        yield "  it did not occur again when the same was done again"
    elif not finding.reproduced:
        yield from _indented("the script does not show it: it needs what only deltabench looks at")


def _indented(text: str) -> list[str]:
    return wrap(text, COLUMNS, initial_indent="  ", subsequent_indent="  ")
