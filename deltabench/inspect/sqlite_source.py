"""A SQLite checkpoint database, streamed: one row in memory at a time.

Sizes of writes are asked for with `length()`, which SQLite answers without reading the
value. Key bytes are all text columns, as in `checkpointers/sqlite_count.py`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.inspect.counters import counters_of
from deltabench.inspect.names import NO_ID
from deltabench.inspect.rows import (
    Checkpoint,
    Group,
    Kind,
    PendingWrite,
    Source,
    Unnamed,
    WriteSums,
)
from deltabench.inspect.sqlite_checkpoint import DamagedValueError, Parts, Splitter
from deltabench.inspect.sqlite_open import columns, open_read_only, readable_error, stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# One step through the index to each next thread, instead of reading the whole index.
_THREADS = """
    WITH RECURSIVE thread(id) AS (
        SELECT min(thread_id) FROM {table}
        UNION ALL
        SELECT (SELECT min(thread_id) FROM {table} WHERE thread_id > thread.id) FROM thread
        WHERE thread.id IS NOT NULL
    ) SELECT id FROM thread WHERE id IS NOT NULL
"""
_INPUT = b'"source": "input"'
_WRITE_KEYS = ("checkpoint_id", "task_id", "task_path", "type")  # beside those of the group


# Grouping would carry whole values through its sorter, were their lengths not taken first.
_SUM_WRITES = """
    WITH sizes AS MATERIALIZED (
        SELECT channel, coalesce(length(value), 0) AS size, {keys} AS key FROM writes
        WHERE thread_id = ?1 AND checkpoint_ns = ?2 {{where}}
    ) SELECT channel, count(*), sum(size), sum(key), max(size) FROM sizes GROUP BY channel
"""
_LOST = """
    SELECT checkpoint_id FROM writes WHERE thread_id = ?1 AND checkpoint_ns = ?2
    EXCEPT SELECT checkpoint_id FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = ?2
"""


class SqliteSource(Source):
    """The file that `SqliteSaver` or `AsyncSqliteSaver` writes."""

    kind: ClassVar[Kind] = "sqlite"

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path
        self._stamp = stamp(path)
        self._connection = open_read_only(path)
        self._has_task_path = "task_path" in columns(self._connection, "writes")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def physical_bytes(self) -> dict[str, int]:
        """Size of the file, and the part of it that deleted rows left free."""
        (page_bytes,) = next(self._rows("PRAGMA page_size"))
        (free_pages,) = next(self._rows("PRAGMA freelist_count"))
        return {
            "file_bytes": self._path.stat().st_size,
            "free_bytes": page_bytes * free_pages,
        }

    def threads(self) -> dict[str, int]:
        """Every thread id with its number of checkpoints."""
        counts = {}
        for table in ("writes", "checkpoints"):
            for (thread,) in self._rows(_THREADS.format(table=table)):
                counts[thread] = 0
        for thread in counts:
            sql = "SELECT count(*) FROM checkpoints WHERE thread_id = ?"
            counts[thread] = next(self._rows(sql, thread))[0]
        return counts

    def groups(self, threads: Sequence[str]) -> Iterator[Group]:
        """Give the namespaces of these threads, their checkpoints as they are read."""
        for thread in threads:
            sql = (
                "SELECT checkpoint_ns FROM checkpoints WHERE thread_id = ?1"
                " UNION SELECT checkpoint_ns FROM writes WHERE thread_id = ?1"
            )
            for namespace in [namespace for (namespace,) in self._rows(sql, thread)]:
                group = Group(thread, namespace)
                self._sum_writes(group)
                group.checkpoints = self._checkpoints(group)
                yield group

    def write_values(
        self, thread: str, namespace: str, channels: Sequence[str], largest_bytes: int
    ) -> Iterator[PendingWrite]:
        """Give the writes of some channels, one at a time."""
        del largest_bytes
        path = "task_path, " if self._has_task_path else ""
        marks = ", ".join("?" * len(channels))
        for row in self._rows(
            "SELECT checkpoint_id, channel, type, value FROM writes"  # noqa: S608 - only marks
            f" WHERE thread_id = ? AND checkpoint_ns = ? AND channel IN ({marks})"
            f" ORDER BY checkpoint_id, {path}task_id, idx",
            thread,
            namespace,
            *channels,
        ):
            yield PendingWrite(*row)

    def unnamed_writes(
        self, thread: str, namespace: str, writes: dict[str, int]
    ) -> dict[str, Unnamed]:
        """Look into all writes of these channels."""
        sql = (
            "SELECT count(*) FROM writes WHERE thread_id = ? AND checkpoint_ns = ?"
            " AND channel = ? AND instr(value, ?)"
        )
        return {
            channel: Unnamed(rows, next(self._rows(sql, thread, namespace, channel, NO_ID))[0])
            for channel, rows in writes.items()
        }

    def write_counts(self, thread: str, namespace: str) -> dict[tuple[str, str], tuple[int, int]]:
        """Rows and bytes of writes, by checkpoint and channel."""
        sql = (
            "SELECT checkpoint_id, channel, count(*), sum(coalesce(length(value), 0)) FROM writes"
            " WHERE thread_id = ? AND checkpoint_ns = ? GROUP BY checkpoint_id, channel"
        )
        rows = self._rows(sql, thread, namespace)
        return {(place, name): (count, size) for place, name, count, size in rows}

    def changed(self) -> str:
        """A file read as immutable is not locked: then a writer may have come in between."""
        if stamp(self._path) == self._stamp:
            return ""
        return f"{self.name} was written to while it was read: figures may not fit together"

    def value(
        self, thread: str, namespace: str, channel: str, checkpoint_id: str, version: str
    ) -> bytes | None:
        """Give the value of a channel out of one checkpoint."""
        del version
        sql = (
            "SELECT checkpoint FROM checkpoints"
            " WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
        )
        for (data,) in self._rows(sql, thread, namespace, checkpoint_id):
            return value_in(data, channel)
        return None

    def _sum_writes(self, group: Group) -> None:
        sql = _SUM_WRITES.format(keys=_write_keys(task_path=self._has_task_path))
        place = (group.thread, group.namespace)
        for sums in self._write_sums(sql.format(where=""), group):
            group.writes[sums[0]] = WriteSums(*sums[1:])
        if next(self._rows(f"SELECT EXISTS ({_LOST})", *place))[0]:
            where = f"AND checkpoint_id IN ({_LOST})"
            for sums in self._write_sums(sql.format(where=where), group):
                group.lost_writes.add(*sums[1:])

    def _write_sums(self, sql: str, group: Group) -> Iterator[tuple[str, int, int, int, int]]:
        place_bytes = len((group.thread + group.namespace).encode())
        for channel, rows, size, key, largest in self._rows(sql, group.thread, group.namespace):
            each_bytes = place_bytes + len(channel.encode())
            yield channel, rows, size, key + rows * each_bytes, largest

    def _checkpoints(self, group: Group) -> Iterator[Checkpoint]:
        splitter = Splitter()
        sql = (
            "SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"
            " FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id"
        )
        place_bytes = len((group.thread + group.namespace).encode())
        for id_, parent, type_, stored, described in self._rows(sql, group.thread, group.namespace):
            key_bytes = place_bytes + len(f"{id_}{parent or ''}{type_ or ''}".encode())
            data, metadata = _bytes(stored), _bytes(described)
            parts = _parts(group, id_, type_, data, splitter)
            counted, counter_bytes = counters_of(metadata)
            inline_bytes = sum(value.size_bytes for value in parts.values.values())
            yield Checkpoint(
                id=id_,
                parent=parent,
                row_bytes=len(data) - inline_bytes + len(metadata),
                key_bytes=key_bytes,
                counter_bytes=counter_bytes,
                versions=parts.versions,
                updated=parts.updated,
                counted=counted,
                values=parts.values,
                is_input=_INPUT in metadata,
            )

    def _rows(self, sql: str, *parameters: object) -> Iterator[Any]:
        try:
            with closing(self._connection.execute(sql, parameters)) as cursor:
                yield from cursor
        except sqlite3.Error as error:
            raise readable_error(self._path, error) from None


def value_in(data: bytes, channel: str) -> bytes | None:
    """Give the bytes of one channel's value inside a serialized checkpoint."""
    from deltabench.checkpointers.msgpack_spans import VALUES_KEY
    from deltabench.inspect.spans import pairs, text

    for key, value, end in pairs(data, 0):
        if data[key:value] == VALUES_KEY:
            for name, start, stop in pairs(data[value:end], 0):
                if text(data, value + name)[0] == channel:
                    return data[value + start : value + stop]
    return None


def _parts(group: Group, id_: str, type_: str, data: bytes, splitter: Splitter) -> Parts:
    """Split a checkpoint; one that cannot be split is a problem to tell, and all row."""
    where = f"thread {group.thread}, checkpoint {id_}"
    if type_ != "msgpack":
        group.problems.append(f"{where}: stored as {type_}, not split by channel")
        return Parts({}, {}, None)
    try:
        return splitter.split(data)
    except DamagedValueError as error:
        group.problems.append(f"{where}, channel {error.channel}: the value is cut off or damaged")
    except ValueError:
        group.problems.append(f"{where}: the checkpoint is cut off or damaged")
    return Parts({}, {}, None)


def _write_keys(*, task_path: bool) -> str:
    """Give SQL for the bytes of the text columns: `length()` of a text counts characters."""
    names = [name for name in _WRITE_KEYS if task_path or name != "task_path"]
    return " + ".join(f"coalesce(length(CAST({name} AS BLOB)), 0)" for name in names)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value or "").encode()
