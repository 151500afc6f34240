"""The page itself: results in, one HTML text out that needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.report.comparison import HEADER
from deltabench.report.html.texts import HOW, TERMS
from deltabench.report.html.view import GroupView, group_view
from deltabench.report.machine import machine_lines
from deltabench.report.safety import HEADING, Safety, safety
from deltabench.report.units import plain
from deltabench.report.words import NOT_MEASURED, derived_note, overall_claim, problem_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.report.comparison import Comparison
    from deltabench.report.source import Rendered
    from deltabench.verify.document import Document

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class _Section:
    """One results file on the page."""

    name: str
    anchor: str
    problems: list[str]
    groups: list[GroupView]
    derived: str
    machine: list[str]
    command: str


def html(
    rendered: Sequence[Rendered],
    comparison: Comparison | None = None,
    verdicts: Document | None = None,
) -> str:
    """Lay out results; with several, `comparison` stands on top, then come the verdicts.

    Verdicts alone make a page as well.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found = safety(verdicts) if verdicts is not None else None
    sections = [_section(each, f"r{number}") for number, each in enumerate(rendered, 1)]
    return environment.get_template("page.html.j2").render(
        style=_style(),
        claim=_claim(rendered, found),
        safety=found,
        safety_heading=HEADING,
        sections=sections,
        comparison=comparison,
        comparison_header=HEADER,
        terms=TERMS,
        how=HOW,
        not_measured=NOT_MEASURED,
    )


def _claim(rendered: Sequence[Rendered], found: Safety | None) -> str:
    if not rendered and found is not None:
        return found.claim
    return overall_claim([each.summary for each in rendered])


def _style() -> str:
    return (_FOLDER / "page.css").read_text(encoding="utf-8")


def _section(rendered: Rendered, anchor: str) -> _Section:
    summary = rendered.summary
    drawn = dict(rendered.plots)
    return _Section(
        name=plain(rendered.name),
        anchor=anchor,
        problems=list(problem_lines(summary)),
        groups=[
            group_view(group, drawn.get(group.label, ()), f"{anchor}g{number}")
            for number, group in enumerate(summary.groups, 1)
        ],
        derived=derived_note(summary),
        machine=machine_lines(summary.environment),
        command=plain(summary.command),
    )
