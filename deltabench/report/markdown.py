"""Results as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.report.lines import pair_lines
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
    from collections.abc import Iterator, Mapping, Sequence

    from deltabench.report.lines import Line
    from deltabench.results.environment import Environment
    from deltabench.results.values import Column, Group, Summary

METHOD = (
    "Each cell is one session in a fresh process, driven through the installed deepagents and "
    "langgraph by a deterministic scripted model. Bytes, rows, updates and round trips are "
    "counted, so they are exact; times are medians, compared with full snapshots of the same run "
    "at the same place of the thread. Every raw sample is in `results.json`."
)


class Plot(Value):
    """A plot that was drawn, by its file beside the report; or the reason why it was not."""

    title: str
    file: str | None
    reason: str = ""


def markdown(summary: Summary, plots: Sequence[tuple[Group, Sequence[Plot]]] = ()) -> str:
    """Write the report; `plots` says for each group what was drawn beside it."""
    drawn: Mapping[str, Sequence[Plot]] = {group.label: found for group, found in plots}
    lines = ["# deltabench", ""]
    lines += _problems(summary)
    for group in summary.groups:
        column = headline_column(group)
        sentence = claim(group, column) if column else ""
        lines += [f"**{_text(sentence)}**", ""] if sentence else []
    for group in summary.groups:
        lines += _group(group, drawn.get(group.label, ()))
    if summary.rtt_ms is not None:
        lines += [_text(derived_note(summary)), ""]
    lines += ["## What was not measured", "", NOT_MEASURED, ""]
    lines += ["## Method", "", METHOD, ""]
    lines += ["## Versions and machine", "", *_environment(summary.environment)]
    lines += [f"- command: `{_code(summary.command)}`"]
    return "\n".join(lines).rstrip() + "\n"


def _problems(summary: Summary) -> Iterator[str]:
    for line in problem_lines(summary):
        indented = line.startswith(" ")
        yield f"> - {_text(line.strip())}" if indented else f"> **{_text(line)}**"
        if not indented:
            yield ">"
    if summary.problems or summary.pending:
        yield ""


def _group(group: Group, plots: Sequence[Plot]) -> Iterator[str]:
    yield f"## {_text(group.label)}"
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


def _environment(environment: Environment) -> Iterator[str]:
    packages = ", ".join(f"{name} {version}" for name, version in environment.packages.items())
    yield f"- {packages}"
    yield f"- {_text(environment.python)}, SQLite {environment.sqlite_version}"
    where = f" ({environment.virtualization})" if environment.virtualization else ""
    memory = format_bytes(environment.memory_bytes)
    machine = f"{environment.cpu_model}, {environment.cores} cores, {memory}"
    yield f"- {_text(environment.platform)}, {_text(machine)}{where}"
    if environment.load_average:
        loads = ", ".join(f"{load:.2f}" for load in environment.load_average)
        yield f"- load average at the start: {loads}"


def _text(text: str) -> str:
    """Keep text from outside from becoming markup or ending a cell of a table."""
    escaped = "".join(f"\\{char}" if char in "\\|*_`[]<>#" else char for char in plain(text))
    return escaped.replace("\\#", "#") if not escaped.startswith("\\#") else escaped


def _code(text: str) -> str:
    return plain(text).replace("`", "'")
