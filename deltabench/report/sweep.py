"""The rows of the sweep table: one policy each, the price beside the saving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.lines import noisy_words
from deltabench.report.units import format_bytes, format_seconds, ratio_words

if TYPE_CHECKING:
    from deltabench.results.values import Column, Derived, Group

HEADER = ("", "stored", "vs full", "snaps", "turn", "resume", "vs full", "hist. 50", "memory")
LEGEND = "turn: median; resume: warm, slowest phase; hist. 50: last 50 checkpoints; memory: peak."
DERIVED_HEADER = ("derived", "turn", "vs full", "resume", "vs full", "hist. 50", "vs full")


def sweep_rows(group: Group) -> list[tuple[str, ...]]:
    """Give one row per planned policy, in the order of `HEADER`; failed ones say so."""
    return [_row(column) for column in group.columns]


def derived_rows(group: Group) -> list[tuple[str, ...]]:
    """Give one row per policy, in the order of `DERIVED_HEADER`; none without an rtt."""
    return [_derived_row(c) for c in group.columns if c.figures and c.figures.turn_derived]


def _row(column: Column) -> tuple[str, ...]:
    this = column.figures
    if this is None:
        state = "not run" if column.pending and not column.problems else "no result"
        return (column.policy.label, state, *[""] * (len(HEADER) - 2))
    worst, history = this.reads.worst_warm, this.reads.history_50
    snapshots = f"{sum(this.snapshots.values()):,}"
    return (
        column.policy.label,
        format_bytes(this.total_bytes.this),
        ratio_words(this.total_bytes.ratio),
        "" if column.policy.is_full else "never" if this.never_snapshots else snapshots,
        format_seconds(this.turn_p50_seconds.this.median),
        format_seconds(worst.seconds.this.median) if worst else "",
        noisy_words(worst.seconds, less="faster", more="slower", interval=False) if worst else "",
        format_seconds(history.seconds.this.median) if history else "",
        format_bytes(this.memory_peak_bytes.this.median),
    )


def _derived_row(column: Column) -> tuple[str, ...]:
    this = column.figures
    reads = this.reads if this else None
    kinds = (
        this.turn_derived if this else None,
        reads.worst_warm.derived if reads and reads.worst_warm else None,
        reads.history_50.derived if reads and reads.history_50 else None,
    )
    return (column.policy.label, *(text for derived in kinds for text in _derived(derived)))


def _derived(derived: Derived | None) -> tuple[str, str]:
    if derived is None:
        return "", ""
    words = ratio_words(derived.ratio, less="faster", more="slower")
    return format_seconds(derived.this_seconds), words
