"""Rows that nothing ran: bytes of other K, worked out from a recorded delta run.

They are kept apart from measured rows, in a field of their own, and have no times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Durability, Policy, StoredBytes, Value
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from deltabench.cells import Cell, Measurement, Row
    from deltabench.model.series import Series


class DerivedRow(Value):
    """What a session would store under one K, or the reason why that cannot be told.

    `updates_since_snapshot` is the replay depth at the end, of the channel with the
    longest chain; `supersteps_since_snapshot` how far a read then walks.
    """

    workload: str
    turns: int
    checkpointer: str
    durability: Durability
    policy: Policy
    stored: StoredBytes | None
    snapshots: dict[str, int]
    updates_since_snapshot: int
    supersteps_since_snapshot: int
    reason: str = ""

    @property
    def group(self) -> tuple[str, int, str, str]:
        """The group of measured cells that this row belongs to."""
        return (self.workload, self.turns, self.checkpointer, self.durability)

    @property
    def label(self) -> str:
        """One line for messages."""
        where = f"{self.workload} {self.turns} turns, {self.checkpointer}"
        return f"{where}, {self.policy.label}, derived"


def derive_rows(rows: Iterable[Row], frequencies: Sequence[int]) -> tuple[DerivedRow, ...]:
    """Derive every K from each recorded row; a recording that failed gives nothing."""
    return tuple(
        derived
        for row in rows
        if row.measurement and row.measurement.series
        for derived in _derive(row.cell, row.measurement, row.measurement.series, frequencies)
    )


def _derive(
    cell: Cell, recorded: Measurement, series: Series, frequencies: Sequence[int]
) -> Iterator[DerivedRow]:
    from deltabench.model.derive import depth, derived_storage, effects

    (its,) = effects(series, cell.policy.snapshot_frequency or 1, (cell.turns,))
    for frequency in frequencies:
        stored: StoredBytes | None = None
        snapshots: dict[str, int] = {}
        walked, reason = (0, 0), ""
        try:
            (own,) = effects(series, frequency, (cell.turns,))
        except DeltabenchError as error:
            reason = str(error)
        else:
            stored = derived_storage(recorded.stored, own, its)
            snapshots = {name: own.snapshots[name] for name in sorted(recorded.snapshots)}
            walked = depth(series, frequency)
        yield DerivedRow(
            workload=cell.workload,
            turns=cell.turns,
            checkpointer=cell.checkpointer,
            durability=cell.durability,
            policy=Policy(snapshot_frequency=frequency),
            stored=stored,
            snapshots=snapshots,
            updates_since_snapshot=walked[0],
            supersteps_since_snapshot=walked[1],
            reason=reason,
        )
