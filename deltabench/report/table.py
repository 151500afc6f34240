"""The table of all cells as CSV, fit for a spreadsheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.units import plain
from deltabench.results.frame import to_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.report.source import Source

_RESULT_COLUMN = "result"
# A spreadsheet takes a cell that begins so for a formula and may run it.
_FORMULA = ("=", "+", "-", "@")


def csv_text(sources: Sequence[Source]) -> str:
    """One row per cell under one header; with several results, the first column names each.

    Text is on one line each and never begins like a formula. A byte order mark stands in
    front only where something is not ASCII: a spreadsheet needs it then, and nothing else
    wants it.
    """
    import pandas as pd

    frames = []
    for source in sources:
        frame = to_frame(source.results)
        if len(sources) > 1:
            frame.insert(0, _RESULT_COLUMN, source.name)
        frames.append(frame)
    # Each frame has all columns; one without rows would change the types of the others.
    table = pd.concat([frame for frame in frames if len(frame)] or frames[:1], ignore_index=True)
    text = table.map(_harmless).to_csv(index=False, lineterminator="\n")
    return text if text.isascii() else f"\ufeff{text}"


def _harmless(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = plain(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
