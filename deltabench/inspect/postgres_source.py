"""A PostgreSQL checkpoint database: sizes and sums come from the server, in batches of threads.

Each table is asked once for a batch; a value of the answer is a whole column of a namespace.
A namespace for which that does not do is asked for again, row by row.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from deltabench.checkpointers.postgres_address import redacted
from deltabench.inspect import postgres_sql
from deltabench.inspect.counters import with_key_bytes
from deltabench.inspect.names import NO_ID
from deltabench.inspect.postgres_batch import Batch
from deltabench.inspect.postgres_open import COLUMNS, columns, open_read_only, readable_error
from deltabench.inspect.rows import (
    Blob,
    Checkpoint,
    Group,
    Kind,
    PendingWrite,
    Source,
    Stored,
    Unnamed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROWS_AT_ONCE = 2000
_BYTES_AT_ONCE = 16_000_000
_LOOKED_INTO = 128  # writes of a channel, about
_NULL_BYTES = _TRUE_BYTES = len("true")


class _Row(NamedTuple):
    id: str
    parent: str | None
    size_bytes: int
    key_bytes: int
    counter_bytes: int
    is_input: bool | None
    json: str  # versions, updated channels, counters, and sizes of inline values


class PostgresSource(Source):
    """The tables that `PostgresSaver` or `AsyncPostgresSaver` writes."""

    kind: ClassVar[Kind] = "postgres"

    def __init__(self, url: str) -> None:
        self.name = redacted(url)
        self._cursors = 0
        self._connection = open_read_only(url)
        self._has_task_path = "task_path" in columns(self._connection, "checkpoint_writes")

    def close(self) -> None:
        """End the transaction and the connection."""
        self._connection.close()

    def physical_bytes(self) -> dict[str, int]:
        """Size of the tables with their indexes, and of the indexes alone."""
        (sizes,) = self._rows(postgres_sql.PHYSICAL, list(COLUMNS))
        return {"relation_bytes": sizes[0], "index_bytes": sizes[1]}

    def threads(self) -> dict[str, int]:
        """Every thread id with its number of checkpoints."""
        return {thread: int(count) for thread, count in self._answer(postgres_sql.THREADS)}

    def groups(self, threads: Sequence[str]) -> Iterator[Group]:
        """Give the namespaces of these threads, one thread after the other."""
        sql = postgres_sql.writes(task_path=self._has_task_path)
        batch = Batch(
            self._answer(postgres_sql.BLOBS, list(threads)), self._answer(sql, list(threads))
        )
        channels = batch.channels()
        sql = postgres_sql.columns(len(channels))
        checkpoints = self._answer(sql, *channels, list(threads))
        for place, group in batch.groups(checkpoints, self._inline_sums):
            group.checkpoints = self._checkpoints(group)
            if batch.loses_writes(group):
                sql = postgres_sql.lost_writes(task_path=self._has_task_path)
                for rows, size, key in self._answer(sql, *place):
                    group.lost_writes.add(rows, int(size), int(key), 0)
            yield group

    def write_values(
        self, thread: str, namespace: str, channels: Sequence[str], largest_bytes: int
    ) -> Iterator[PendingWrite]:
        """Give the writes of some channels, as many at once as memory allows."""
        at_once = max(1, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // max(1, largest_bytes)))
        sql = postgres_sql.write_values(task_path=self._has_task_path)
        for row in self._rows(sql, thread, namespace, list(channels), at_once=at_once):
            yield PendingWrite(*row)

    def unnamed_writes(
        self, thread: str, namespace: str, writes: dict[str, int]
    ) -> dict[str, Unnamed]:
        """Look into all writes of a channel that has few, else into a part drawn by hash."""
        every = max(1, max(writes.values()) // _LOOKED_INTO)
        rows = self._answer(
            postgres_sql.UNNAMED_WRITES, NO_ID, thread, namespace, list(writes), every
        )
        return {channel: Unnamed(*counts) for channel, *counts in rows}

    def write_counts(self, thread: str, namespace: str) -> dict[tuple[str, str], tuple[int, int]]:
        """Rows and bytes of writes, by checkpoint and channel."""
        rows = self._rows(postgres_sql.WRITE_COUNTS, thread, namespace)
        return {(place, name): (count, int(size)) for place, name, count, size in rows}

    def changed(self) -> str:
        """Nothing: the transaction sees one state."""
        return ""

    def value(
        self, thread: str, namespace: str, channel: str, checkpoint_id: str, version: str
    ) -> bytes | None:
        """Give the value that a channel had in this version, or in this checkpoint."""
        if version:
            rows = self._rows(postgres_sql.VALUE, thread, namespace, channel, version)
        else:
            rows = self._rows(postgres_sql.VALUE_AT, channel, thread, namespace, checkpoint_id)
        for (data,) in rows:
            return bytes(data) if data is not None else None
        return None

    def _inline_sums(self, threads: list[str]) -> list[Any]:
        return self._answer(postgres_sql.INLINE, threads)

    def _checkpoints(self, group: Group) -> Iterator[Checkpoint]:
        place = (group.thread, group.namespace)
        for channel, version, *blob in self._rows(postgres_sql.BLOB_ROWS, *place):
            group.blobs.setdefault(channel, {})[version] = Blob(*blob)
        for row in self._rows(postgres_sql.CHECKPOINTS, *place):
            yield _checkpoint(_Row(*row), group)

    def _answer(self, sql: str, *parameters: object) -> list[Any]:
        """All rows at once. Only so may the server divide the work among processes."""
        import psycopg

        try:
            with self._connection.cursor(binary=True) as cursor:
                return cursor.execute(sql.encode(), parameters).fetchall()
        except psycopg.Error as error:
            raise readable_error(self.name, error) from None

    def _rows(self, sql: str, *parameters: object, at_once: int = _ROWS_AT_ONCE) -> Iterator[Any]:
        """Rows as they arrive, so many at once: a cursor on the server's side."""
        import psycopg

        self._cursors += 1
        try:
            with self._connection.cursor(f"deltabench_{self._cursors}", binary=True) as cursor:
                cursor.itersize = at_once
                yield from cursor.execute(sql.encode(), parameters)
        except psycopg.Error as error:
            raise readable_error(self.name, error) from None


def _checkpoint(row: _Row, group: Group) -> Checkpoint:
    named, updated, counters, inline = json.loads(row.json)
    versions = dict(zip(named, map(str, named.values()), strict=True)) if named else {}
    values, inline_bytes = {}, 0
    for channel, size in (inline or {}).items():
        if size is not True:
            values[channel] = Stored(_NULL_BYTES if size is None else size)
            inline_bytes += values[channel].size_bytes
            continue
        blob = group.blobs.get(channel, {}).get(versions.get(channel, ""))
        if blob is not None and not blob.is_empty:
            values[channel] = Stored(0, is_snapshot=True)
        else:
            values[channel] = Stored(_TRUE_BYTES)
            inline_bytes += _TRUE_BYTES
    return Checkpoint(
        id=row.id,
        parent=row.parent,
        row_bytes=row.size_bytes - inline_bytes,
        key_bytes=row.key_bytes,
        counter_bytes=with_key_bytes(row.counter_bytes),
        versions=versions,
        updated=updated,
        counted=frozenset(counters or ()),
        values=values,
        is_input=bool(row.is_input),
    )
