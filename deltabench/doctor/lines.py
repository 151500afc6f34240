"""What the doctor says, for people."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from deltabench.report.units import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.doctor.findings import Finding, Part

COLUMNS = 79
_WORDS = {"fault": "FAULT", "unsure": "unsure", "fine": "ok"}


def doctor_lines(parts: Sequence[Part]) -> list[str]:
    """Part by part, and in the end how many faults there are."""
    lines: list[str] = []
    for part in parts:
        lines += [f"{part.title} {plain(part.name)}".rstrip()]
        for fact in part.facts:
            lines += _wrapped(plain(fact), "  ", "    ")
        for finding in part.findings:
            lines += _finding(finding)
        if part.remedy:
            lines += _wrapped(f"-> {part.remedy}", "  ", "     ")
        lines.append("")
    faults = sum(part.faults for part in parts)
    counted = "1 fault" if faults == 1 else f"{faults} faults"
    return [*lines, f"{counted}." if faults else "No fault found."]


def _finding(finding: Finding) -> Iterator[str]:
    mark = f"  {_WORDS[finding.level]:<7}"
    yield from _wrapped(plain(finding.text), mark, " " * len(mark))
    if finding.remedy:
        yield from _wrapped(f"-> {finding.remedy}", " " * len(mark), " " * (len(mark) + 3))


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return wrap(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
