"""What the lab tells while it works; whoever calls it decides what to show of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deltabench.cells import Cell, Row
    from deltabench.lab.job import Event


class Progress:
    """Told of everything that happens to a plan; this one keeps silent."""

    def plan_started(self, cells: tuple[Cell, ...], done: int) -> None:
        """A plan begins, `done` of its cells being there from an earlier run."""

    def cell_started(self, cell: Cell) -> None:
        """A cell begins in its own process."""

    def cell_event(self, cell: Cell, event: Event) -> None:
        """A turn of the cell has ended, or one of its reads begins."""

    def cell_finished(self, row: Row) -> None:
        """The cell has ended, and its row is saved."""

    def plan_finished(self) -> None:
        """Nothing more will come, whether the plan was finished or interrupted."""
