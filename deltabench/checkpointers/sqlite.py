"""The SQLite checkpointer: langgraph's own saver on a file of its own."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from deltabench.checkpointers.interface import Backend, OpenCheckpointer
from deltabench.checkpointers.places import prepared, temporary_directory
from deltabench.checkpointers.sqlite_connection import CountingConnection, Ledger
from deltabench.checkpointers.sqlite_count import count_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from langgraph.checkpoint.sqlite import SqliteSaver

    from deltabench.cells import StoredBytes

DIRECTORY = "DELTABENCH_SQLITE_DIRECTORY"
FILE_NAME = "checkpoints.sqlite"


class OpenSqlite(OpenCheckpointer):
    """A real `SqliteSaver` with its pragmas as it sets them."""

    saver: SqliteSaver

    def __init__(self, connection: CountingConnection, path: Path) -> None:
        from langgraph.checkpoint.sqlite import SqliteSaver

        self._connection = connection
        self._path = path
        self._ledger = connection.ledger = Ledger()
        self.saver = SqliteSaver(connection)
        self.saver.setup()
        self._ledger.statements = 0  # creating the tables is no part of a session

    def count(self, turn: int) -> StoredBytes:
        """Count both tables with SQL; no large value is loaded."""
        with self.saver.lock, closing(self._connection.plain_cursor()) as cursor:
            return count_sqlite(cursor, self._ledger, turn)

    def physical_bytes(self) -> dict[str, int]:
        """Size of the files: the database with its WAL folded in, and the WAL before that.

        Raises OperationalError when another connection keeps the WAL from being folded in.
        """
        wal = self._path.with_name(self._path.name + "-wal")
        with self.saver.lock, closing(self._connection.plain_cursor()) as cursor:
            wal_bytes = wal.stat().st_size if wal.exists() else 0
            busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise sqlite3.OperationalError("the WAL could not be folded into the database")
        return {"database_bytes": self._path.stat().st_size, "wal_bytes": wal_bytes}

    def statements(self) -> int:
        """Statements sent since opening, a batch being one; COMMIT and setup not counted."""
        return self._ledger.statements


class SqliteBackend(Backend):
    """langgraph's `SqliteSaver`."""

    name: ClassVar[str] = "sqlite"
    outlives_process: ClassVar[bool | None] = True
    keeps_file: ClassVar[bool] = True

    @contextmanager
    def prepare(self) -> Iterator[dict[str, str]]:
        """Make an empty directory for the database file."""
        with temporary_directory("deltabench-sqlite-") as directory:
            yield {DIRECTORY: directory}

    def copy_database(self, place: Mapping[str, str], file: Path) -> None:
        """Copy the database, its WAL folded in, to a file; what that held is gone."""
        source = Path(place[DIRECTORY]) / FILE_NAME
        with closing(sqlite3.connect(source)) as ours, closing(sqlite3.connect(file)) as copy:
            ours.backup(copy)

    @contextmanager
    def open(self) -> Iterator[OpenSqlite]:
        """Open the database file, or create it."""
        path = Path(prepared(DIRECTORY)) / FILE_NAME
        # As in SqliteSaver.from_conn_string: the saver brings its own lock.
        connection = sqlite3.connect(path, check_same_thread=False, factory=CountingConnection)
        with closing(connection):
            yield OpenSqlite(connection, path)
