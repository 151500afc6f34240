"""Where the database of a cell is kept, for those who want to look into it afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.checkpointers.registry import backend_named
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.output import report_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from deltabench.cells import Cell


def kept_file(directory: Path, cell: Cell) -> Path:
    """The file of a cell, such as `a-20-k50.sqlite`; a second repeat has its number."""
    frequency = cell.policy.snapshot_frequency
    policy = "full" if frequency is None else f"k{frequency}"
    repeat = [cell.repeat + 1] if cell.repeat else []
    name = report_name([cell.workload], [cell.turns], [policy], repeat)
    return directory / f"{name}.sqlite"


def prepare_directory(directory: Path, cells: Iterable[Cell], *, resume: bool) -> None:
    """Make the directory for the databases of these cells.

    Raises DeltabenchError when a checkpointer has no file, or when a database would be
    overwritten that no earlier part of the same run left there.
    """
    for cell in cells:
        if not backend_named(cell.checkpointer).keeps_file:
            raise DeltabenchError(
                f"a {cell.checkpointer} checkpointer has no database file to keep",
                hint="--keep-database goes with --checkpointer sqlite",
            )
        if not resume and (file := kept_file(directory, cell)).exists():
            raise DeltabenchError(f"{file} exists", hint="another directory for --keep-database")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DeltabenchError(
            f"cannot make {directory}: {error.strerror}", exit_code=ExitCode.REFUSED
        ) from error
