"""Results on a terminal: failures first, then the answer and its price.

Everything fits 80 columns and reads the same without colour, in a pipe and in a log.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from deltabench.report.comparison import HEADER as COMPARISON_HEADER
from deltabench.report.comparison import compare_results
from deltabench.report.derived import DERIVED_K_HEADER, derived_k_lines, derived_k_rows
from deltabench.report.lines import Line, pair_lines
from deltabench.report.source import Rendered
from deltabench.report.sweep import (
    DERIVED_HEADER,
    HEADER,
    LEGEND,
    derived_rows,
    sweep_rows,
)
from deltabench.report.units import format_bytes, plain
from deltabench.report.words import (
    conditions,
    derived_note,
    frontier_lines,
    heading,
    notes,
    problem_lines,
    sampling,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from deltabench.report.comparison import Comparison
    from deltabench.report.source import Source
    from deltabench.results.file import Results
    from deltabench.results.values import Column, Group, Summary

WIDTH = 80
_LABEL, _VALUE = 22, 15
_NOTE = _LABEL + 2 * _VALUE + 2
Styled = tuple[str, str]


def print_results(results: Results, console: Console, *, rtt_ms: float | None = None) -> None:
    """Print every group of the results; with `rtt_ms`, also derived remote latencies."""
    from rich.text import Text

    from deltabench.results.summary import summarize

    for line, style in summary_lines(summarize(results, rtt_ms=rtt_ms)):
        # A Text takes no markup, so nothing that a user named can style or break a line.
        console.print(Text(line, style=style), soft_wrap=True)


def print_several(
    sources: Sequence[Source], console: Console, *, rtt_ms: float | None = None
) -> None:
    """Print what several results have in common, then each of them under its name."""
    from rich.text import Text

    from deltabench.results.summary import summarize

    rendered = [
        Rendered(name=source.name, summary=summarize(source.results, rtt_ms=rtt_ms))
        for source in sources
    ]
    for line, style in comparison_lines(compare_results(rendered)):
        console.print(Text(line, style=style), soft_wrap=True)
    for each in rendered:
        console.print()
        console.print(Text(f"== {plain(each.name)}", style="bold"), soft_wrap=True)
        for line, style in summary_lines(each.summary):
            console.print(Text(line, style=style), soft_wrap=True)


def comparison_lines(comparison: Comparison) -> Iterator[Styled]:
    """Lay out what several results have in common, as lines of at most 80 columns."""
    for block in comparison.blocks:
        yield from _wrapped(block.label, "bold")
        yield "", ""
        yield from _table([COMPARISON_HEADER, *block.rows])
        yield "", ""
    for note in comparison.notes:
        yield from _wrapped(note)


def summary_lines(summary: Summary) -> Iterator[Styled]:
    """Lay the summary out as lines of at most 80 columns, each with a style."""
    problems = list(problem_lines(summary))
    for line in problems:
        headline = not line.startswith(" ")
        yield from _wrapped(line, "bold red" if headline else "red")
    if problems:
        yield "", ""
    for number, group in enumerate(summary.groups):
        if number:
            yield "", ""
        yield from _wrapped(heading(group), "bold")
        yield from _wrapped(conditions(group, summary))
        yield "", ""
        shown = [column for column in group.columns if column.figures]
        yield from _sweep(group) if len(group.deltas) > 1 else _pair(group, shown)
        yield "", ""
        yield from _derived(group)
        for text in frontier_lines(group):
            yield from _wrapped(text, "bold" if text.startswith("Take ") else "")
        for text in (sampling(group), derived_note(summary)):
            yield from _wrapped(text)
        for text in notes(group):
            yield from _wrapped(f"Note: {text}")


def _pair(group: Group, shown: list[Column]) -> Iterator[Styled]:
    if not shown:
        yield "No figures: every cell failed or has not run.", "bold"
        return
    column = shown[-1]
    full = "full snapshots" if not column.policy.is_full and group.full else ""
    name = "full snapshots" if column.policy.is_full else f"delta {column.policy.label}"
    yield f"{'':{_LABEL}}{full:>{_VALUE}}{name:>{_VALUE}}", "bold"
    for line in pair_lines(group, column):
        yield from _pair_line(line, "bold" if line.label == "Stored" else "")


def _pair_line(line: Line, style: str) -> Iterator[Styled]:
    label = f"    {line.label}" if line.detail else f"  {line.label}"
    if not line.full and len(line.delta) > _VALUE:  # a sentence, not a figure
        yield from _wrapped(f"{label:<{_LABEL + 2}}{line.delta}", style, indent=_LABEL + 2)
        return
    start = f"{label:<{_LABEL}}{line.full:>{_VALUE}}{line.delta:>{_VALUE}}"
    after = "; ".join(text for text in (line.ratio, line.note) if text)
    if line.ratio and _NOTE + len(after) > WIDTH:
        yield f"{start}  {line.ratio}", style
        start, after = " " * (_NOTE - 2), line.note
    yield from _wrapped(f"{start}  {after}".rstrip(), style, indent=_NOTE)


def _sweep(group: Group) -> Iterator[Styled]:
    yield from _table([HEADER, *sweep_rows(group)])
    derived = derived_rows(group)
    if derived:
        yield "", ""
        yield from _table([DERIVED_HEADER, *derived])
    yield "", ""
    shown = [column.figures for column in group.columns if column.figures]
    if shown:
        floor = format_bytes(min(figures.floor_bytes for figures in shown))
        yield from _wrapped(f"Floor: no K goes below {floor} (writes, rows and keys).")
        state = shown[0].state
        same = "Final state identical" if any(f.state.equal for f in shown) else "Final state"
        yield from _wrapped(f"{same}: {state.messages:,} messages, {state.files:,} files.")
    yield from _wrapped(LEGEND)


def _derived(group: Group) -> Iterator[Styled]:
    if group.derived:
        yield from _table([DERIVED_K_HEADER, *derived_k_rows(group)])
        yield "", ""
        for text in derived_k_lines(group):
            yield from _wrapped(text)
        yield "", ""


def _table(rows: list[tuple[str, ...]]) -> Iterator[Styled]:
    widths = [max(len(text) for text in column) for column in zip(*rows, strict=True)]
    while sum(widths) + len(widths) > WIDTH:
        widths.pop()  # the least important quantity stands last; results.csv has them all
    ratios = [place for place, name in enumerate(rows[0]) if name == "vs full"]
    for number, row in enumerate(rows):
        cells = (
            f"{text:<{width}}" if place == 0 or place in ratios else f"{text:>{width}}"
            for place, (text, width) in enumerate(zip(row, widths, strict=False))
        )
        yield f" {' '.join(cells)}".rstrip(), "" if number else "bold"


def _wrapped(text: str, style: str = "", *, indent: int = 2) -> Iterator[Styled]:
    for line in textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent) if text else ():
        yield line, style
