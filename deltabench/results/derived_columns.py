"""Derived rows beside the measured ones of their group, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.results.values import DerivedColumn, Exact, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.cells import Row
    from deltabench.results.derived import DerivedRow
    from deltabench.results.values import Group


def derived_columns(group: Group, derived: Sequence[DerivedRow]) -> Group:
    """Add the derived K that belong to a group, by rising K, each compared with full."""
    key = (group.workload, group.turns, group.checkpointer, group.durability)
    full = group.full.figures if group.full else None
    full_bytes = full.total_bytes.this if full else None
    measured = {c.policy: c.figures.total_bytes.this for c in group.columns if c.figures}
    columns = []
    for row in derived:
        if row.group != key or row.stored is None:
            continue
        this = row.stored.total_bytes
        ratio = full_bytes / this if full_bytes and this else None
        columns.append(
            DerivedColumn(
                policy=row.policy,
                total_bytes=Exact(this=this, full=full_bytes, ratio=ratio),
                stored=row.stored,
                snapshots=row.snapshots,
                never_snapshots=not any(row.snapshots.values()),
                updates_since_snapshot=row.updates_since_snapshot,
                supersteps_since_snapshot=row.supersteps_since_snapshot,
                measured_bytes=measured.get(row.policy),
            )
        )
    columns.sort(key=lambda column: column.policy.snapshot_frequency or 0)
    return group.model_copy(update={"derived": tuple(columns)})


def derived_problems(
    recorded: Sequence[Row], derived: Sequence[DerivedRow], groups: Sequence[Group]
) -> Iterator[Problem]:
    """Tell which recordings failed, which K could not be derived, and which came out wrong."""
    for row in recorded:
        if row.failure:
            yield Problem(
                label=row.cell.label,
                policy=row.cell.policy,
                kind=row.failure.kind,
                reason=row.failure.reason,
            )
    for each in derived:
        if each.reason:
            yield Problem(label=each.label, policy=each.policy, kind="error", reason=each.reason)
    for group in groups:
        for column in group.derived:
            measured = column.measured_bytes
            if measured is not None and measured != column.total_bytes.this:
                yield Problem(
                    label=f"{group.label}, {column.policy.label}, derived",
                    policy=column.policy,
                    kind="differs",
                    reason=f"{column.total_bytes.this:,} bytes, but {measured:,} were measured",
                )
