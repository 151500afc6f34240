"""Published and measured figures side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.reproduce import Finding
    from deltabench.results.file import Results

_WIDTHS = (44, 10, 10, 8)


def published_lines(findings: Sequence[Finding], results: Results) -> Iterator[str]:
    """A table of 80 columns at most: published, measured, difference, verdict."""
    packages = results.environment.packages
    versions = ", ".join(f"{name} {packages[name]}" for name in ("langgraph", "deepagents"))
    yield f"Published figures, measured again: InMemorySaver, K=50 ({versions})"
    yield ""
    yield _line("", "published", "measured", "differs")
    for finding in findings:
        difference = finding.difference
        yield _line(
            finding.figure,
            finding.published,
            _format(finding),
            "" if difference is None else f"{difference:+.1%}",
            "ok" if finding.holds else "OUT" if finding.measured is not None else "FAILED",
        )
    yield ""
    for row in results.rows:
        if row.failure is not None:
            yield f"{row.cell.label}: {row.failure.kind}: {row.failure.reason}"
    out = sum(not finding.holds for finding in findings)
    yield (
        "All published figures are reproduced."
        if not out
        else f"{out} of {len(findings)} published figures are not reproduced."
    )


def as_json(findings: Sequence[Finding]) -> str:
    """The findings as JSON: bytes and ratios as numbers."""
    return json.dumps(
        [
            {
                **finding.model_dump(mode="json"),
                "difference": finding.difference,
                "holds": finding.holds,
            }
            for finding in findings
        ],
        indent=2,
    )


def _format(finding: Finding) -> str:
    if finding.measured is None:
        return "-"
    if finding.unit == "bytes":
        return format_bytes(int(finding.measured))
    return f"{finding.measured:.1f}x"


def _line(figure: str, *rest: str) -> str:
    cells = [figure.ljust(_WIDTHS[0])]
    cells += [text.rjust(width) for text, width in zip(rest, _WIDTHS[1:], strict=False)]
    cells += rest[len(_WIDTHS) - 1 :]
    return "  ".join(cells[:4] + cells[4:]).rstrip()
