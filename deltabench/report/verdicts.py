"""The verdict table of `deltabench verify`, as text and as Markdown."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from deltabench.results.statistics import median

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from deltabench.verify.known import Known
    from deltabench.verify.vocabulary import CaseResult, Difference, Verdict

# Below this many samples a median says nothing.
FEWEST_SAMPLES = 9
COLUMNS = 79
WORDS = {"holds": "holds", "differs": "differs", "fails": "FAILS", "not_tried": "not tried"}


def table(verdicts: Sequence[Verdict]) -> list[list[str]]:
    """Rows of cells: a head, then one line for each guarantee."""
    checkpointers = list(dict.fromkeys(verdict.checkpointer for verdict in verdicts))
    names = list(dict.fromkeys(verdict.guarantee for verdict in verdicts))
    found = {(v.guarantee, v.checkpointer): WORDS[v.status] for v in verdicts}
    rows = [
        [name, *(found[name, checkpointer] for checkpointer in checkpointers)] for name in names
    ]
    return [["Guarantee", *checkpointers], *rows]


def verdict_lines(
    verdicts: Sequence[Verdict], known: Iterable[Known], gone: Iterable[Known]
) -> list[str]:
    """The table, then what differs: failures first, each with what was expected and found."""
    lines = _aligned(table(verdicts)) + _latencies(verdicts)
    for verdict in verdicts:
        if failing := failure_lines(verdict):
            lines += ["", f"FAILS: {verdict.guarantee} on {verdict.checkpointer}", *failing]
    for head, *rest in explained_lines(verdicts, known):
        lines += ["", head]
        for text in rest:
            lines += wrap(text, COLUMNS, initial_indent="  ", subsequent_indent="  ")
    lines += _facts(verdicts)
    if lines[-1]:
        lines.append("")
    lines += _not_tried(verdicts)
    lines += [f"No longer seen: {entry.id}; it can go from known.toml" for entry in gone]
    cases = sum(case.not_tried is None for verdict in verdicts for case in verdict.cases)
    failed = sum(verdict.status == "fails" for verdict in verdicts)
    summary = f"{failed} of {len(verdicts)} verdicts {_verb(failed)}" if failed else "nothing fails"
    if lines[-1]:
        lines.append("")
    return [*lines, f"{cases:,} {'case' if cases == 1 else 'cases'} tried: {summary}."]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _latencies(verdicts: Sequence[Verdict]) -> list[str]:
    """What the same calls took under delta, times full: medians of both twins, taken in turn."""
    checkpointers = list(dict.fromkeys(verdict.checkpointer for verdict in verdicts))
    ratios: dict[str, dict[str, str]] = {}
    for verdict in verdicts:
        latency = verdict.latency
        if latency and min(len(latency.full_seconds), len(latency.delta_seconds)) >= FEWEST_SAMPLES:
            ratio = median(latency.delta_seconds) / median(latency.full_seconds)
            row = ratios.setdefault(f"{verdict.guarantee}: {latency.what}", {})
            row[verdict.checkpointer] = f"{ratio:.2f}x"
    if not ratios:
        return []
    rows = [[name, *(row.get(c, "-") for c in checkpointers)] for name, row in ratios.items()]
    return ["", *_aligned([["Median time, delta to full", *checkpointers], *rows])]


def _verb(count: int) -> str:
    return "fails" if count == 1 else "fail"


def failure_lines(verdict: Verdict) -> list[str]:
    """What failed of a verdict, with what was expected and found; what is alike is told once."""
    alike: dict[tuple[object, ...], list[CaseResult]] = {}
    for case in (case for case in verdict.cases if case.fails):
        alike.setdefault(_told(case), []).append(case)
    return [line for cases in alike.values() for line in _failure(cases)]


def _told(case: CaseResult) -> tuple[object, ...]:
    return tuple((d.observed, d.path, d.expected, d.found) for d in case.differences)


def _failure(cases: Sequence[CaseResult]) -> list[str]:
    """The first of some cases that failed alike, and how many there are."""
    first, *others = cases
    names = dict.fromkeys(case.case for case in others if case.case != first.case)
    more = f"; {len(others)} more alike" if others else ""
    lines = [f"  {first.case} ({first.variant.label}){more}"]
    if names:
        text = f"also in {', '.join(names)}"
        lines += wrap(text, COLUMNS, initial_indent="    ", subsequent_indent="    ")
    for difference in first.differences:
        lines += [
            f"    after {difference.operation}, {difference.observed}{_step(difference)}",
            f"      at        {difference.path}",
            f"      expected  {difference.expected}",
            f"      found     {difference.found}",
        ]
    return lines


def _step(difference: Difference) -> str:
    return "" if difference.checkpoint is None else f", checkpoint {difference.checkpoint}"


def _not_tried(verdicts: Iterable[Verdict]) -> list[str]:
    """What was not tried: whole pairs, and single cases of pairs of which others were."""
    lines = []
    for verdict in verdicts:
        where = f"{verdict.guarantee} on {verdict.checkpointer}"
        if verdict.status == "not_tried":
            lines.append(f"{where} was not tried: {verdict.reason}")
            continue
        reasons: dict[str, dict[str, None]] = {}
        for case in (case for case in verdict.cases if case.not_tried):
            reasons.setdefault(str(case.not_tried), {})[f"{case.case} ({case.variant.mode})"] = None
        for reason, cases in reasons.items():
            text = f"{where}, not tried: {', '.join(cases)}: {reason}"
            lines += wrap(text, COLUMNS, subsequent_indent="  ")
    return lines


def _facts(verdicts: Iterable[Verdict]) -> list[str]:
    """What cases found worth telling: each fact once, with the checkpointers it was found on."""
    where: dict[tuple[str, str], dict[str, None]] = {}
    for verdict in verdicts:
        for fact in (fact for case in verdict.cases for fact in case.facts):
            where.setdefault((verdict.guarantee, fact), {})[verdict.checkpointer] = None
    lines = []
    for (guarantee, fact), checkpointers in where.items():
        text = f"{guarantee}, {', '.join(checkpointers)}: {fact}"
        lines += wrap(text, COLUMNS, subsequent_indent="  ")
    return ["", "Beside the verdicts", *lines] if lines else []


def explained_lines(verdicts: Iterable[Verdict], known: Iterable[Known]) -> list[list[str]]:
    """Of each known difference that was seen: where, what it is, and the upstream reference."""
    found = []
    for entry in known:
        seen = [v for v in verdicts if any(entry.id in case.known for case in v.cases)]
        if seen:
            guarantees = dict.fromkeys(verdict.guarantee for verdict in seen)
            checkpointers = dict.fromkeys(verdict.checkpointer for verdict in seen)
            where = ", ".join([*guarantees, *checkpointers])
            head = f"Differs, known ({where}): {entry.id}"
            found.append([head, entry.text, reference(entry)])
    return found


def reference(entry: Known) -> str:
    """With which versions a difference was seen, and what upstream says of it."""
    return f"seen with langgraph {', '.join(entry.langgraph)}; upstream: {entry.upstream}"
