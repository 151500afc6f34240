"""Results side by side: as text, Markdown and JSON."""

from __future__ import annotations

import json
import textwrap
from string import ascii_uppercase
from typing import TYPE_CHECKING

from deltabench.report.units import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.gate.comparing import Block, Comparison, Entry
    from deltabench.gate.formats.registry import ComparisonFormat

WIDTH = 80
TIMES = "Times and memory are multiples of full in the same run, with their 95 % interval."


def render(comparison: Comparison, name: ComparisonFormat) -> str:
    """The comparison in a format, ending in a line break."""
    if name == "json":
        document = comparison.model_dump(mode="json")
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    lines = _markdown(comparison) if name == "markdown" else _text(comparison)
    return "\n".join(lines) + "\n"


def letters(count: int) -> list[str]:
    """Short names for files: A to Z, then numbers."""
    return [ascii_uppercase[n] if n < len(ascii_uppercase) else str(n + 1) for n in range(count)]


def _text(comparison: Comparison) -> Iterator[str]:
    for line in _problems(comparison):
        yield from _wrapped(line)
    for letter, name, versions in _files(comparison):
        yield from _wrapped(f"{letter} = {name} ({versions})")
    for block in comparison.blocks:
        yield ""
        yield plain(block.key.label)
        yield from _table(_rows(comparison, block))
    yield ""
    yield TIMES
    for notice in comparison.notices:
        yield from _wrapped(f"Note: {plain(notice)}")


def _markdown(comparison: Comparison) -> Iterator[str]:
    for line in _problems(comparison):
        yield f"- {_escaped(line)}"
    for letter, name, versions in _files(comparison):
        yield f"- {letter} = {_escaped(name)} ({_escaped(versions)})"
    for block in comparison.blocks:
        header, *rows = _rows(comparison, block)
        yield from ("", f"**{_escaped(plain(block.key.label))}**", "")
        yield f"| {' | '.join(header)} |"
        yield f"|---|{'---:|' * (len(header) - 1)}"
        for row in rows:
            yield f"| {' | '.join(_escaped(cell) for cell in row)} |"
    yield from ("", TIMES)
    for notice in comparison.notices:
        yield from ("", f"> {_escaped(plain(notice))}")


def _problems(comparison: Comparison) -> Iterator[str]:
    for problem in comparison.problems:
        text = f"{problem.place}: {problem.found}; {problem.next_step}"
        yield f"{problem.verdict.upper()}: {plain(text)}"


def _files(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    names = letters(len(comparison.names))
    pairs = zip(names, comparison.names, comparison.versions, strict=True)
    return ((letter, plain(name), plain(versions)) for letter, name, versions in pairs)


def _rows(comparison: Comparison, block: Block) -> list[tuple[str, ...]]:
    first, *others = letters(len(comparison.names))
    header = ("", first, *(name for letter in others for name in (letter, f"{letter} is")))
    rows = []
    for line in block.lines:
        base, *rest = line.entries
        cells = (text for entry in rest for text in (_figure(entry), _verdict(entry)))
        rows.append((line.metric, _figure(base), *cells))
    return [header, *rows]


def _figure(entry: Entry) -> str:
    return "-" if entry.figure is None else entry.figure


def _verdict(entry: Entry) -> str:
    return "" if entry.verdict is None else entry.verdict.value


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}"]
        for place in range(1, len(row)):
            figure = place == 1 or place % 2 == 0
            cells.append(f"{row[place]:{'>' if figure else '<'}{widths[place]}}")
        yield f"  {'  '.join(cells)}".rstrip()


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
