"""Derived rows as people see them: marked in every line's head, exact, and without times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.units import format_bytes, ratio_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.results.values import DerivedColumn, Group

DERIVED_K_HEADER = ("derived", "stored", "vs full", "snaps", "values", "largest", "replay")
_MOST_ROWS = 20
_STEPS = (1, 2, 5)


def derived_k_rows(group: Group) -> list[tuple[str, ...]]:
    """One row per derived K, in the order of `DERIVED_K_HEADER`; of many K, a choice."""
    return [_row(column) for column in shown_columns(group)]


def shown_columns(group: Group) -> Sequence[DerivedColumn]:
    """All derived K, or of more than twenty the round ones, the first, the last, the best."""
    columns = group.derived
    if len(columns) <= _MOST_ROWS:
        return columns
    last = columns[-1].policy.snapshot_frequency or 1
    round_ks = {step * 10**power for power in range(len(str(last))) for step in _STEPS}
    named = round_ks | {columns[0].policy.snapshot_frequency, last}
    best = least(group)
    return [c for c in columns if c.policy.snapshot_frequency in named or c is best]


def least(group: Group) -> DerivedColumn | None:
    """The derived K that stores least, of those that snapshot at all."""
    found = [c for c in group.derived if not c.never_snapshots]
    return min(found, key=lambda column: column.total_bytes.this, default=None)


def derived_k_lines(group: Group) -> Iterator[str]:
    """Say what the derived rows are, how they were checked, and which K stores least."""
    if not group.derived:
        return
    yield (
        "derived = not run: bytes that follow from one recorded delta run, update by update; "
        "no times. replay: updates since the last snapshot, at the end."
    )
    shown, count = len(shown_columns(group)), len(group.derived)
    if shown < count:
        yield f"{shown} of {count} derived K are shown; results.csv has them all."
    checked = [
        abs(column.measured_bytes - column.total_bytes.this)
        for column in group.derived
        if column.measured_bytes is not None
    ]
    if checked:
        differs = f"{max(checked):,} bytes"
        yield f"{len(checked)} of them were run as well; they differ by {differs} at most."
    best = least(group)
    if best is not None:
        size = format_bytes(best.total_bytes.this)
        yield f"Least at this length: {best.policy.label} with {size} (derived)."


def _row(column: DerivedColumn) -> tuple[str, ...]:
    stored = column.stored
    return (
        column.policy.label,
        format_bytes(column.total_bytes.this),
        ratio_words(column.total_bytes.ratio),
        "never" if column.never_snapshots else f"{sum(column.snapshots.values()):,}",
        format_bytes(stored.value_bytes),
        format_bytes(stored.largest_value.size_bytes) if stored.largest_value else "",
        f"{column.updates_since_snapshot:,}",
    )
