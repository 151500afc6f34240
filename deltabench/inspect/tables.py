"""Plain tables of text: first column to the left, the others to the right, two blanks apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80
_SHORTEST = 12
_GAP = "  "


def table(title: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lay out rows under a title; names that do not fit into 80 columns lose their middle."""
    cells = [list(title), *([f"  {row[0]}", *row[1:]] for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(title))]
    others = sum(len(_GAP) + width for width in widths[1:])
    widths[0] = min(widths[0], max(_SHORTEST, WIDTH - others))
    lines = []
    for row in cells:
        first = shortened(row[0], widths[0]).ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append(_GAP.join((first, *rest)).rstrip())
    return lines


def shortened(text: str, most_chars: int) -> str:
    """A text of at most so many characters, its beginning and its end."""
    if len(text) <= most_chars:
        return text
    half = (most_chars - 3) // 2
    return f"{text[: most_chars - 3 - half]}...{text[-half:]}"
