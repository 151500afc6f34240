"""The gate on GitHub Actions: annotations for the log, Markdown for the job summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.gate.words import headline, open_findings
from deltabench.report.units import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.gate.verdicts import Finding, Judgement

# GitHub shows ten annotations of a level per step and drops the others in silence.
MOST_ANNOTATIONS = 9


def render(judgement: Judgement) -> str:
    """Workflow commands, one a line: errors, warnings, and the headline as the last."""
    return "\n".join(_lines(judgement)) + "\n"


def error_line(message: str) -> str:
    """An annotation for an error that left nothing to judge."""
    return f"::error title=deltabench check::{_data(message)}"


def _lines(judgement: Judgement) -> Iterator[str]:
    yield from _some("error", list(judgement.blocking))
    yield from _some("warning", open_findings(judgement))
    for notice in judgement.notices:
        yield f"::notice title=deltabench::{_data(notice)}"
    level = "notice" if judgement.passed else "error"
    yield f"::{level} title=deltabench check::{_data(headline(judgement))}"


def _some(level: str, findings: list[Finding]) -> Iterator[str]:
    most = MOST_ANNOTATIONS if len(findings) <= MOST_ANNOTATIONS else MOST_ANNOTATIONS - 1
    for finding in findings[:most]:
        title = f"{finding.metric} {finding.rule}: {finding.words}"
        text = f"{finding.place}: expected {finding.expected}, found {finding.found}"
        step = f"; {finding.next_step}" if finding.next_step else ""
        yield f"::{level} title={_property(title)}::{_data(text + step)}"
    if len(findings) > most:
        yield f"::{level} title=deltabench::{len(findings) - most} more, see the job summary"


def _data(text: str) -> str:
    return plain(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
