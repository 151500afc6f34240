"""Results with a name, and the same once they are summarized and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from deltabench.report.plots.drawing import Plot
    from deltabench.results.file import Results
    from deltabench.results.values import Summary


@dataclass(frozen=True)
class Source:
    """Results and the name that a report with several of them calls them by."""

    name: str
    results: Results


@dataclass(frozen=True)
class Rendered:
    """A summary with its name, and for the label of each group what was drawn of it."""

    name: str
    summary: Summary
    plots: tuple[tuple[str, Sequence[Plot]], ...] = ()


def source_names(paths: Sequence[Path]) -> list[str]:
    """Name each file by itself or by the directory it is in; the same name twice is numbered."""
    names: list[str] = []
    for path in paths:
        absolute = path.absolute()
        name = absolute.name if path.is_dir() else absolute.stem
        if name == "results" and absolute.parent.name:
            name = absolute.parent.name
        number, numbered = 1, name
        while numbered in names:
            number += 1
            numbered = f"{name} ({number})"
        names.append(numbered)
    return names
