"""The gate on a terminal: what blocks first, then what was judged, 80 columns where it can."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from deltabench.gate.words import (
    blocking_by_place,
    headline,
    next_steps,
    open_findings,
    place_lines,
)
from deltabench.report.units import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.gate.verdicts import Finding, Judgement

WIDTH = 80
_HEADER = ("Verdict", "Rule", "Expected", "Found")


def render(judgement: Judgement) -> str:
    """The judgement as plain text, ending in a line break."""
    return "\n".join(_lines(judgement)) + "\n"


def _lines(judgement: Judgement) -> Iterator[str]:
    yield from _wrapped(headline(judgement))
    for place, findings in blocking_by_place(judgement).items():
        yield ""
        yield plain(place)
        yield from _table([_HEADER, *(_row(finding) for finding in findings)])
        for step in next_steps(findings):
            yield from _wrapped(f"  next: {step}", indent=8)
    undecided = open_findings(judgement)
    if undecided:
        yield ""
        yield "Not decided"
        yield from _table([_HEADER, *(_row(finding) for finding in undecided)])
        for step in next_steps(undecided):
            yield from _wrapped(f"  next: {step}", indent=8)
    judged = list(place_lines(judgement))
    if judged:
        yield ""
        yield "Judged"
    for place, text in judged:
        yield from _wrapped(f"  {plain(place)}: {text}", indent=4)
    for notice in judgement.notices:
        yield from _wrapped(f"Note: {plain(notice)}")


def _row(finding: Finding) -> tuple[str, str, str, str]:
    rule = f"{finding.metric} {finding.rule}" if finding.metric != "cell" else "cell"
    return finding.words, plain(rule), plain(finding.expected), plain(finding.found)


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    for row in rows:
        cells = [f"{text:<{width}}" for text, width in zip(row, widths, strict=False)]
        start = f"  {'  '.join(cells)}  "
        # The last column may hold the reason of a failure, which is as long as it is.
        room = max(WIDTH - len(start), 24)
        for number, part in enumerate(textwrap.wrap(row[3], room) or [""]):
            yield f"{start if number == 0 else ' ' * len(start)}{part}".rstrip()


def _wrapped(text: str, *, indent: int = 2) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False
    )
