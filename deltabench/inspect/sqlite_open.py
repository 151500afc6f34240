"""Opens a SQLite file so that neither it nor its companions can change.

A database in WAL mode is the difficult case: its newest rows are in `-wal`, and even a
read-only connection would create `-wal` and `-shm`, or write its place into `-shm`. So:

- `-wal` holds rows: `mode=ro&readonly_shm=1`, which maps the existing `-shm` for reading.
- no `-wal`, or an empty one: everything is in the file, which is read as `immutable`.
- any other journal mode: `mode=ro` takes a shared lock and creates nothing.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from pathlib import Path

_MAGIC = b"SQLite format 3\x00"
_WRITE_VERSION = 18  # offset in the file's header
_WAL = 2
_BUSY_SECONDS = 2.0
COLUMNS = {
    "checkpoints": {
        "thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "type",
        "checkpoint", "metadata",
    },
    "writes": {
        "thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel", "type", "value",
    },
}  # fmt: skip


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the file in a transaction that reads one state of it.

    Raises DeltabenchError when it is not there, is no checkpoint database, is locked, or
    cannot be read without writing.
    """
    header = _header(path)
    connection = sqlite3.connect(
        f"file:{quote(str(path.resolve()))}?{_parameters(path, header)}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
    )
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        _require_tables(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise readable_error(path, error) from None
    except DeltabenchError:
        connection.close()
        raise
    return connection


def readable_error(path: Path, error: sqlite3.Error) -> DeltabenchError:
    """What SQLite says, in one line that names the file and what to do."""
    said = str(error)
    if "locked" in said or "busy" in said:
        return DeltabenchError(
            f"{path} is locked by another process",
            hint="try again when it is done",
            exit_code=ExitCode.REFUSED,
        )
    if "unable to open" in said:
        return DeltabenchError(
            f"{path} cannot be opened for reading only",
            hint="its -wal holds rows but its -shm is missing; copy all three files",
            exit_code=ExitCode.REFUSED,
        )
    return DeltabenchError(f"{path}: {said}", hint="is the copy complete?")


def _header(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise DeltabenchError(f"{path}: cannot be read: {error.strerror}") from None
    if header[: len(_MAGIC)] != _MAGIC:
        what = "is empty" if not header else "is not a SQLite database"
        raise DeltabenchError(f"{path} {what}", hint="a file or a postgresql:// address")
    return header


def _parameters(path: Path, header: bytes) -> str:
    if header[_WRITE_VERSION : _WRITE_VERSION + 1] != bytes([_WAL]):
        return "mode=ro"
    if is_immutable(path):
        return "mode=ro&immutable=1"
    return "mode=ro&readonly_shm=1"


def stamp(path: Path) -> tuple[int, int]:
    """What changes when a database that is read as immutable is written to; DeltabenchError."""
    try:
        found = path.stat()
    except OSError as error:
        raise DeltabenchError(f"{path}: cannot be read: {error.strerror}") from None
    return (found.st_size, found.st_mtime_ns) if is_immutable(path) else (0, 0)


def is_immutable(path: Path) -> bool:
    """Whether it is read as immutable: in WAL mode, with nothing in its WAL."""
    wal = path.with_name(path.name + "-wal")
    empty = not wal.exists() or wal.stat().st_size == 0
    return _header(path)[_WRITE_VERSION : _WRITE_VERSION + 1] == bytes([_WAL]) and empty


def _require_tables(connection: sqlite3.Connection, path: Path) -> None:
    for table, needed in COLUMNS.items():
        found = columns(connection, table)
        if not found:
            raise DeltabenchError(
                f"{path} is no checkpoint database: it has no table {table}",
                hint="written by langgraph-checkpoint-sqlite?",
            )
        if missing := sorted(needed - found):
            raise DeltabenchError(
                f"{path}: an old schema: {table} has no column {', '.join(missing)}",
                hint="langgraph-checkpoint-sqlite 2.0 or newer is read",
            )


def columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """Names of the columns of a table; empty if there is none."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return {name for (name,) in rows}
