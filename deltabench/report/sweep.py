"""The rows of the sweep table: one policy each, the price beside the saving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.lines import timed
from deltabench.report.units import format_bytes, format_seconds, ratio_words

if TYPE_CHECKING:
    from deltabench.results.values import Column, Group

HEADER = ("", "stored", "", "snaps", "turn", "resume", "", "hist. 50", "memory")
NO_FIGURES = "no result"


def sweep_rows(group: Group) -> list[tuple[str, ...]]:
    """One row per planned policy, in the order of `HEADER`; failed ones say so."""
    return [_row(column) for column in group.columns]


def _row(column: Column) -> tuple[str, ...]:
    this = column.figures
    if this is None:
        state = "not run" if column.pending and not column.problems else NO_FIGURES
        return (column.policy.label, state, *[""] * (len(HEADER) - 2))
    worst, history = this.reads.worst_warm, this.reads.history_50
    ratio = worst.seconds.ratio if worst else None
    return (
        column.policy.label,
        format_bytes(this.total_bytes.this),
        ratio_words(this.total_bytes.ratio),
        "" if column.policy.is_full else "never" if this.never_snapshots
        else f"{sum(this.snapshots.values()):,}",
        format_seconds(this.turn_p50_seconds.this.median),
        format_seconds(worst.seconds.this.median) if worst else "",
        ratio_words(ratio.value, less="faster", more="slower") if ratio else "",
        format_seconds(history.seconds.this.median) if history else "",
        format_bytes(this.memory_peak_bytes.this.median),
    )  # fmt: skip
