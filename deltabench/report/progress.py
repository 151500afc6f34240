"""Progress on standard error: live on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import (
    BarColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import (
    Progress as Bars,
)

from deltabench.lab.progress import Progress
from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from rich.console import Console

    from deltabench.cells import Cell, Row
    from deltabench.lab.job import Event

LINE_SECONDS = 30.0


def progress_on(console: Console) -> Progress:
    """The progress display that suits a console."""
    return LiveProgress(console) if console.is_terminal else LineProgress(console)


def outcome_line(row: Row) -> str:
    """One line about a finished cell."""
    if row.failure is not None:
        return f"{row.cell.label}: {row.failure.kind}: {row.failure.reason}"
    if row.measurement is None:
        return f"{row.cell.label}: not run"
    stored = format_bytes(row.measurement.stored.total_bytes)
    return f"{row.cell.label}: {stored} in {row.measurement.session_seconds:.1f} s"


def _work(turn: int, turns: int) -> int:
    """Work done after a turn: later turns carry a longer thread and take longer."""
    return turn * (turns + turn)


class LineProgress(Progress):
    """A line for each finished cell, and one every half minute within a long one."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last_seconds = time.monotonic()
        self._done = 0
        self._cells = 0

    def plan_started(self, cells: tuple[Cell, ...], done: int) -> None:
        """Remember how many cells there are."""
        self._cells, self._done = len(cells), done

    def cell_event(self, cell: Cell, event: Event) -> None:
        """Say where a long cell is."""
        if time.monotonic() - self._last_seconds > LINE_SECONDS:
            written = f", {format_bytes(event.written_bytes)} written"
            doing = "reading back" if event.kind == "reading" else f"turn {event.turn}/{cell.turns}"
            self._say(f"{cell.label}: {doing}{written if event.written_bytes else ''}")

    def cell_finished(self, row: Row) -> None:
        """Say what became of a cell."""
        self._done += 1
        self._say(f"[{self._done}/{self._cells}] {outcome_line(row)}")

    def _say(self, line: str) -> None:
        self._last_seconds = time.monotonic()
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class LiveProgress(Progress):
    """A bar for the cell that runs, and a line for each one that has finished."""

    def __init__(self, console: Console) -> None:
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[where]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=console,
            transient=True,
        )
        self._cells: tuple[Cell, ...] = ()
        self._done = 0
        self._task: TaskID | None = None

    def plan_started(self, cells: tuple[Cell, ...], done: int) -> None:
        """Begin to draw."""
        self._cells, self._done = cells, done
        self._bars.start()

    def cell_started(self, cell: Cell) -> None:
        """Show a new bar."""
        if self._task is not None:
            self._bars.remove_task(self._task)
        number = f"{self._done + 1}/{len(self._cells)} " if len(self._cells) > 1 else ""
        self._task = self._bars.add_task(
            f"{number}{escape(cell.label)}", total=_work(cell.turns, cell.turns), where="starting"
        )

    def cell_event(self, cell: Cell, event: Event) -> None:
        """Move the bar."""
        if self._task is None:
            return
        turns = f"{event.turn}/{cell.turns} turns"
        where = "reading back" if event.kind == "reading" else turns
        if event.written_bytes:
            where += f"  {format_bytes(event.written_bytes)}"
        self._bars.update(self._task, completed=_work(event.turn, cell.turns), where=where)

    def cell_finished(self, row: Row) -> None:
        """Leave a line."""
        self._done += 1
        self._bars.console.print(outcome_line(row), markup=False, highlight=False, soft_wrap=True)

    def plan_finished(self) -> None:
        """Stop drawing."""
        self._bars.stop()
