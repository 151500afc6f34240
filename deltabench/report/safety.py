"""The verdicts of a verification, as a part of a report: what holds, what differs, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.report.verdicts import WORDS, explained_lines, failure_lines, table
from deltabench.verify.known import load_known

if TYPE_CHECKING:
    from deltabench.verify.document import Document

HEADING = "Is it safe?"


@dataclass(frozen=True)
class Safety:
    """The claim, the table (a head and rows), and what is to be said of single cells of it."""

    claim: str
    about: str
    header: list[str]
    rows: list[list[str]]
    failures: list[tuple[str, list[str]]]
    notes: list[str]


def safety(document: Document) -> Safety:
    """Lay out a document; the words of its cells are those of the terminal."""
    verdicts = document.verdicts
    header, *rows = table(verdicts)
    tried = [verdict for verdict in verdicts if verdict.status != "not_tried"]
    failing = [verdict for verdict in tried if verdict.status == "fails"]
    kept = f"{len(tried) - len(failing)} of {len(tried)} verdicts hold under delta channels"
    failures = [
        (f"{v.guarantee} on {v.checkpointer}", [line.strip() for line in failure_lines(v)])
        for v in failing
    ]
    notes = [" ".join(lines) for lines in explained_lines(verdicts, load_known())]
    notes += [
        f"{v.guarantee} on {v.checkpointer} was {WORDS['not_tried']}: {v.reason}"
        for v in verdicts
        if v.status == "not_tried"
    ]
    return Safety(
        claim=kept if tried else "Nothing could be tried",
        about=f"{document.words}. What differs does so in known ways.",
        header=header,
        rows=rows,
        failures=failures,
        notes=notes,
    )


def safety_markdown(document: Document) -> list[str]:
    """The same as lines of Markdown, under a heading of its own."""
    found = safety(document)
    rows = [found.header, ["---"] * len(found.header), *found.rows]
    lines = [f"## {HEADING}", "", f"**{found.claim}.** {found.about}", ""]
    lines += [f"| {' | '.join(cells)} |" for cells in rows]
    for where, failure in found.failures:
        lines += ["", f"**FAILS: {where}**", "", "```text", *failure, "```"]
    if found.notes:
        lines += ["", *(f"- {note}" for note in found.notes)]
    return [*lines, ""]
