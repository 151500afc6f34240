"""The gate for a pull request comment or a job summary."""

from __future__ import annotations

import re
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
    from collections.abc import Iterator

    from deltabench.gate.verdicts import Finding, Judgement

_HEADER = ("| Verdict | Rule | Expected | Found |", "|---|---|---|---|")


def render(judgement: Judgement) -> str:
    """The judgement as GitHub Markdown, ending in a line break."""
    return "\n".join(_lines(judgement)) + "\n"


def _lines(judgement: Judgement) -> Iterator[str]:
    outcome, _, rest = headline(judgement).partition(":")
    yield f"### deltabench: {outcome.lower()}"
    yield ""
    yield _text(rest.strip())
    for place, findings in blocking_by_place(judgement).items():
        yield from _section(place, findings)
    undecided = open_findings(judgement)
    if undecided:
        yield from _section("Not decided", undecided)
    judged = list(place_lines(judgement))
    if judged:
        yield from ("", "| Judged | |", "|---|---|")
    for place, text in judged:
        yield f"| {_text(place)} | {_text(text)} |"
    for notice in judgement.notices:
        yield ""
        yield f"> {_text(notice)}"


def _section(title: str, findings: list[Finding]) -> Iterator[str]:
    yield ""
    yield f"**{_text(title)}**"
    yield ""
    yield from _HEADER
    for finding in findings:
        rule = finding.metric if finding.metric == "cell" else f"{finding.metric} {finding.rule}"
        cells = (finding.words, rule, finding.expected, finding.found)
        yield f"| {' | '.join(_text(cell) for cell in cells)} |"
    yield ""
    for step in next_steps(findings):
        yield f"- Next: {_text(step)}"


def _text(text: str) -> str:
    """Text from outside that can neither break a table nor become markup."""
    return re.sub(r"([\\`*_\[\]<>|~#@])", r"\\\1", plain(text))
