"""The sentences around the tables: the claim, the warnings, and how far they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.units import format_bytes, format_ratio, plain, ratio_words, three_digits
from deltabench.results.statistics import ENOUGH_SAMPLES, FEWEST_FOR_INTERVAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.results.values import Column, Group, Point, Summary

KINDS = {
    "error": "error",
    "timeout": "timed out",
    "killed": "killed",
    "differs": "not a result",
    "missing": "missing",
}
NOT_MEASURED = (
    "One session at a time, one process, no network; the scripted model answers at once, so a "
    "share of turn time is the most that checkpointing can cost. Cold resumes find a warm page "
    "cache. Savings depend on message size, updates per turn and checkpointer."
)


def heading(group: Group) -> str:
    """Name the session and where it was stored."""
    title = f", {plain(group.title)}" if group.title else ""
    where = f"{group.turns:,} turns, {plain(group.checkpointer)}"
    return f"Workload {plain(group.workload)}{title}: {where}"


def conditions(group: Group, summary: Summary) -> str:
    """Name everything else that the figures below depend on."""
    return f"  durability {group.durability}, seed {group.seed}, {versions(summary)}"


def versions(summary: Summary) -> str:
    """Name the versions that the figures depend on most."""
    packages = summary.environment.packages
    names = [name for name in ("langgraph", "deepagents") if name in packages]
    return ", ".join(f"{name} {packages[name]}" for name in names)


def claim(group: Group, column: Column) -> str:
    """Say in one sentence what this policy saves and what it costs; empty if unknown."""
    this = column.figures
    if this is None or this.total_bytes.full is None or this.total_bytes.ratio is None:
        return ""
    sizes = f"{format_bytes(this.total_bytes.this)} against {format_bytes(this.total_bytes.full)}"
    where = f"Workload {plain(group.workload)} over {group.turns:,} turns on "
    saved = f"{where}{plain(group.checkpointer)}: delta channels at {column.policy.label} store "
    worst = this.reads.worst_warm
    ratio = worst.seconds.ratio if worst else None
    cost = f"; the slowest resume takes {format_ratio(1 / ratio.value)} as long" if ratio else ""
    return f"{saved}{ratio_words(this.total_bytes.ratio)} than full snapshots ({sizes}){cost}."


def overall_claim(summaries: Sequence[Summary]) -> str:
    """Say it in one sentence for all groups: the only claim, or the range; empty if unknown."""
    found = [
        (claim(group, column), column.figures)
        for summary in summaries
        for group in summary.groups
        if (column := headline_column(group)) and column.figures
    ]
    claims = [(text, figures) for text, figures in found if text]
    if len(claims) <= 1:
        return claims[0][0] if claims else ""
    saved = sorted(f.total_bytes.ratio for _, f in claims if f.total_bytes.ratio)
    text = f"In {len(claims)} comparisons delta channels store {_range(saved)} than full snapshots"
    worst = [f.reads.worst_warm for _, f in claims if f.reads.worst_warm]
    slower = sorted(1 / r.seconds.ratio.value for r in worst if r.seconds.ratio)
    if slower:
        ends = " to ".join(dict.fromkeys(format_ratio(end) for end in (slower[0], slower[-1])))
        text += f"; the slowest resume takes {ends} as long"
    return f"{text}."


def _range(ratios: Sequence[float]) -> str:
    low, high = ratio_words(ratios[0]), ratio_words(ratios[-1])
    return low if low == high else f"{low.removesuffix(' less')} to {high}"


def headline_column(group: Group) -> Column | None:
    """Choose the policy that one sentence is about: the only K, or the one advised."""
    if len(group.deltas) == 1:
        return group.deltas[0]
    advised = group.frontier.advised if group.frontier else None
    return next((column for column in group.deltas if column.policy == advised), None)


def problem_lines(summary: Summary) -> Iterator[str]:
    """Tell what failed or has not run, most serious first; nothing if all is well."""
    if summary.problems:
        count = len(summary.problems)
        verb = "cell gave" if count == 1 else "cells gave"
        yield f"FAILED: {count} {verb} no result ({summary.cells} planned)"
        for problem in summary.problems:
            yield f"  {plain(problem.label)}: {KINDS[problem.kind]}: {plain(problem.reason)}"
    if summary.pending:
        verb = "has" if summary.pending == 1 else "have"
        yield (
            f"NOT FINISHED: {summary.pending} of {summary.cells} cells {verb} not run; "
            "--resume goes on"
        )


def sampling(group: Group) -> str:
    """Say how many samples the times rest on, and what would give more certainty."""
    repeats = min((column.repeats for column in group.columns if column.figures), default=0)
    if repeats == 1:
        return "One sample each; --repeat 9 adds intervals."
    if repeats < FEWEST_FOR_INTERVAL:
        return f"Medians of {repeats} repeats, too few for intervals; --repeat 9 adds them."
    if repeats < ENOUGH_SAMPLES:
        return f"Medians of {repeats} repeats with 95% intervals; n too small below 9."
    return f"Medians of {repeats} repeats with 95% bootstrap intervals of the paired ratio."


def derived_note(summary: Summary) -> str:
    """Explain derived latencies; empty where none are shown."""
    if summary.rtt_ms is None:
        return ""
    rtt = three_digits(summary.rtt_ms)
    return f"derived = round trips x {rtt} ms, one after another, + the measured local median."


def frontier_lines(group: Group) -> Iterator[str]:
    """Say which K lie on the frontier, which are beaten and by what, and what to take."""
    if group.frontier is None:
        return
    frontier = group.frontier
    best = ", ".join(_name(point) for point in frontier.points if point.on_frontier)
    yield f"Frontier (bytes against slowest resume, {frontier.cost_unit}): {best}"
    for point in frontier.points:
        if not point.on_frontier:
            by = ", ".join(policy.label for policy in point.beaten_by)
            doubt = " (resume within noise)" if point.within_noise else ""
            yield f"Beaten: {_name(point)} by {by}{doubt}"
    yield frontier.advice
    if any(not column.policy.is_full for column in group.columns):
        yield (
            "Bytes at one length depend on how it falls on multiples of K; compare several --turns."
        )


def _name(point: Point) -> str:
    return (
        f"{point.policy.label} (never snapshots)" if point.never_snapshots else point.policy.label
    )


def notes(group: Group) -> list[str]:
    """Collect what the lab noted about the cells of this group, each once."""
    texts = (note for column in group.columns if column.figures for note in column.figures.notes)
    return [plain(text) for text in dict.fromkeys(texts)]
