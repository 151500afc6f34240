"""What the lab needs to know of a checkpointer; one file per backend implements it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.cells import StoredBytes


class OpenCheckpointer(ABC):
    """A real saver that is open, and a way to count what it holds."""

    saver: BaseCheckpointSaver[Any]

    @abstractmethod
    def count(self, turn: int) -> StoredBytes:
        """Count the logical bytes that the saver holds now, after `turn` turns."""

    @abstractmethod
    def physical_bytes(self) -> dict[str, int]:
        """Physical sizes by name (`database_bytes`, `index_bytes`, ...); {} if none."""

    @abstractmethod
    def statements(self) -> int | None:
        """Statements sent to the database so far; None where there is no database."""

    def keep(self, checkpoint_id: str) -> None:  # noqa: B027 - most backends keep everything
        """Promise that the values of this checkpoint stay readable to the end."""

    def keep_newest(self, checkpoints: int) -> None:  # noqa: B027 - so do they here
        """Promise that this many newest checkpoints stay readable; the rest may be let go."""


class Backend(ABC):
    """How to open one kind of checkpointer."""

    name: ClassVar[str]
    outlives_process: ClassVar[bool | None]  # None: only trying tells
    keeps_file: ClassVar[bool] = False  # whether `copy_database` has something to copy

    @abstractmethod
    def prepare(self) -> AbstractContextManager[dict[str, str]]:
        """In the controlling process: make a fresh, empty place for one cell.

        Yields the environment variables by which `open` finds that place in any process
        (a directory, a database schema). Leaving the context removes the place whatever
        happened, also when the cell's process was killed. Secrets travel only here.
        """

    def copy_database(self, place: Mapping[str, str], file: Path) -> None:
        """In the controlling process: copy the database of a prepared place to a file.

        Only where `keeps_file`.
        """
        raise NotImplementedError

    @abstractmethod
    def open(self) -> AbstractContextManager[OpenCheckpointer]:
        """In the cell's process: open the prepared place (again, for cold reads)."""
