"""Results as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.comparison import HEADER as COMPARISON_HEADER
from deltabench.report.derived import DERIVED_K_HEADER, derived_k_lines, derived_k_rows
from deltabench.report.lines import pair_lines
from deltabench.report.machine import machine_lines
from deltabench.report.safety import safety_markdown
from deltabench.report.sweep import (
    DERIVED_HEADER,
    HEADER,
    LEGEND,
    derived_rows,
    sweep_rows,
)
from deltabench.report.units import format_bytes, plain
from deltabench.report.words import (
    NOT_MEASURED,
    claim,
    derived_note,
    frontier_lines,
    headline_column,
    notes,
    problem_lines,
    sampling,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.report.comparison import Comparison
    from deltabench.report.lines import Line
    from deltabench.report.plots.drawing import Plot
    from deltabench.report.source import Rendered
    from deltabench.results.values import Column, Group
    from deltabench.verify.document import Document

# A comment on GitHub holds 65,536 characters; this many bytes stay below it in any script.
MOST_BYTES = 64_000
# Of one kind of line outside the groups, such as failures, no more than these are told.
_MOST_LINES = 40
_MOST_CHARACTERS = 400
METHOD = (
    "Each cell is one session in a fresh process, driven through the installed deepagents and "
    "langgraph by a deterministic scripted model. Bytes, rows, updates and round trips are "
    "counted, so they are exact; times are medians, compared with full snapshots of the same run "
    "at the same place of the thread. Every raw sample is in `results.json`."
)


def markdown(
    rendered: Sequence[Rendered],
    comparison: Comparison | None = None,
    verdicts: Document | None = None,
) -> str:
    """Write the report of one or several results, below `MOST_BYTES` bytes.

    What does not fit is left out from the end, group by group, and the report says so.
    """
    several = len(rendered) > 1
    head = ["# deltabench", ""]
    for each in rendered:
        head += _problems(each, several=several)
    head += _claims(rendered)
    if comparison:
        head += _comparison(comparison)
    if verdicts is not None:
        head += safety_markdown(verdicts)
    groups = [block for each in rendered for block in _sections(each, several=several)]
    tail = ["## What was not measured", "", NOT_MEASURED, "", "## Method", "", METHOD, ""]
    for each in rendered:
        tail += _machine(each, several=several)
    return "\n".join([*head, *_fitting(groups, _size(head) + _size(tail)), *tail]).rstrip() + "\n"


def _fitting(blocks: Sequence[Sequence[str]], used_bytes: int) -> Iterator[str]:
    for number, block in enumerate(blocks):
        used_bytes += _size(block)
        if used_bytes > MOST_BYTES:
            yield (
                f"**{len(blocks) - number} of {len(blocks)} groups are left out here, "
                "to fit a comment; `report.html` and `results.csv` have all of them.**"
            )
            yield ""
            return
        yield from block


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _claims(rendered: Sequence[Rendered]) -> Iterator[str]:
    several = len(rendered) > 1
    sentences = [
        f"{each.name}: {sentence}" if several else sentence
        for each in rendered
        for group in each.summary.groups
        if (column := headline_column(group)) and (sentence := claim(group, column))
    ]
    for sentence in _few(sentences):
        yield f"**{_text(sentence)}**"
        yield ""


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield "## Side by side"
    yield ""
    for block in comparison.blocks[:_MOST_LINES]:
        yield f"### {_text(block.label)}"
        yield ""
        yield from _table(COMPARISON_HEADER, block.rows)
    if len(comparison.blocks) > _MOST_LINES:
        yield f"- and {len(comparison.blocks) - _MOST_LINES} more in `report.html`"
    for note in _few(comparison.notes):
        yield f"- {_text(note)}"
    yield ""


def _few(lines: Sequence[str]) -> list[str]:
    kept = [_short(line) for line in lines[:_MOST_LINES]]
    more = len(lines) - len(kept)
    return [*kept, f"and {more} more, in report.html"] if more else kept


def _short(line: str) -> str:
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS]} ..."


def _sections(rendered: Rendered, *, several: bool) -> Iterator[list[str]]:
    summary = rendered.summary
    drawn = dict(rendered.plots)
    for number, group in enumerate(summary.groups):
        title = [f"## {_text(rendered.name)}", ""] if several and not number else []
        block = [*title, *_group(group, drawn.get(group.label, ()), "###" if several else "##")]
        if number == len(summary.groups) - 1 and summary.rtt_ms is not None:
            block += [_text(derived_note(summary)), ""]
        yield block


def _machine(rendered: Rendered, *, several: bool) -> Iterator[str]:
    yield f"## Versions and machine{f': {_text(rendered.name)}' if several else ''}"
    yield ""
    for line in machine_lines(rendered.summary.environment):
        yield f"- {_text(line)}"
    yield f"- command: `{_code(rendered.summary.command)}`"
    yield ""


def _problems(rendered: Rendered, *, several: bool) -> Iterator[str]:
    summary = rendered.summary
    for line in _few(list(problem_lines(summary))):
        indented = line.startswith((" ", "and "))
        name = f"{rendered.name}: " if several else ""
        yield f"> - {_text(line.strip())}" if indented else f"> **{_text(f'{name}{line}')}**"
        if not indented:
            yield ">"
    if summary.problems or summary.pending:
        yield ""


def _group(group: Group, plots: Sequence[Plot], level: str) -> Iterator[str]:
    yield f"{level} {_text(group.label)}"
    yield ""
    shown = [column for column in group.columns if column.figures]
    if len(group.deltas) > 1:
        yield from _table(HEADER, sweep_rows(group))
        derived = derived_rows(group)
        if derived:
            yield from _table(DERIVED_HEADER, derived)
        if shown:
            floor = min(c.figures.floor_bytes for c in shown if c.figures)
            yield f"Floor: no K goes below {format_bytes(floor)} (writes, rows and keys). {LEGEND}"
            yield ""
        for line in frontier_lines(group):
            yield f"- {_text(line)}"
        yield ""
    elif shown:
        yield from _pair(group, shown[-1])
    else:
        yield "No figures: every cell failed or has not run."
        yield ""
    yield from _derived(group)
    yield sampling(group)
    yield ""
    for note in notes(group):
        yield f"- Note: {_text(note)}"
    for plot in plots:
        if plot.file:
            yield f"![{plot.title}]({plot.file})"
        else:
            yield f'- No plot "{plot.title}": {_text(plot.reason)}.'
        yield ""


def _derived(group: Group) -> Iterator[str]:
    if group.derived:
        yield from _table(DERIVED_K_HEADER, derived_k_rows(group))
        for line in derived_k_lines(group):
            yield f"- {_text(line)}"
        yield ""


def _pair(group: Group, column: Column) -> Iterator[str]:
    lines = pair_lines(group, column)
    if group.full is None or column.policy.is_full:
        yield from _table(
            ("", column.policy.label, ""),
            [(_label(line), line.delta, line.note) for line in lines],
        )
        return
    yield from _table(
        ("", "full snapshots", f"delta {column.policy.label}", "", ""),
        [(_label(line), line.full, line.delta, line.ratio, line.note) for line in lines],
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{'|'.join('---' if place == 0 else '--:' for place in range(len(header)))}|"
    for row in rows:
        yield f"| {' | '.join(_text(cell) for cell in row)} |"
    yield ""


def _label(line: Line) -> str:
    return f"- {line.label}" if line.detail else line.label


def _text(text: str) -> str:
    """Keep text from outside from becoming markup or ending a cell of a table."""
    escaped = "".join(f"\\{char}" if char in "\\|*_`[]<>#" else char for char in plain(text))
    return escaped.replace("\\#", "#") if not escaped.startswith("\\#") else escaped


def _code(text: str) -> str:
    return plain(text).replace("`", "'")
