"""A PostgreSQL checkpoint database: sizes and sums come from the server, in batches of threads."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from deltabench.checkpointers.postgres_address import redacted
from deltabench.inspect import postgres_sql
from deltabench.inspect.counters import with_key_bytes
from deltabench.inspect.names import NO_ID
from deltabench.inspect.postgres_open import COLUMNS, columns, open_read_only, readable_error
from deltabench.inspect.rows import (
    Blob,
    Checkpoint,
    Group,
    Kind,
    PendingWrite,
    Source,
    Stored,
    WriteSums,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROWS_AT_ONCE = 2000
_BYTES_AT_ONCE = 16_000_000
_MARKER = -1  # a `true` that may stand for a snapshot
_TRUE_BYTES = len("true")


class _Row(NamedTuple):
    thread: str
    namespace: str
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
        return {thread: int(count) for thread, count in self._rows(postgres_sql.THREADS)}

    def groups(self, threads: Sequence[str]) -> Iterator[Group]:
        """Give the namespaces of these threads, their checkpoints as they arrive."""
        groups = self._without_checkpoints(list(threads))
        rows = (_Row(*row) for row in self._rows(postgres_sql.CHECKPOINTS, list(threads)))
        for thread, of_thread in groupby(rows, lambda row: row.thread):
            for namespace, of_namespace in groupby(of_thread, lambda row: row.namespace):
                group = groups[thread].pop(namespace, None) or Group(thread, namespace)
                group.checkpoints = (_checkpoint(row, group) for row in of_namespace)
                yield group
            yield from groups.pop(thread).values()
        for rest in groups.values():
            yield from rest.values()

    def write_values(
        self, thread: str, namespace: str, channels: Sequence[str], largest_bytes: int
    ) -> Iterator[PendingWrite]:
        """Give the writes of some channels, as many at once as memory allows."""
        at_once = max(1, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // max(1, largest_bytes)))
        sql = postgres_sql.write_values(task_path=self._has_task_path)
        for row in self._rows(sql, thread, namespace, list(channels), at_once=at_once):
            yield PendingWrite(*row)

    def unnamed_writes(
        self, thread: str, namespace: str, channels: Sequence[str]
    ) -> dict[str, int]:
        """Number of writes by channel that hold a message without an id."""
        place = (thread, namespace, list(channels), NO_ID)
        return dict(self._rows(postgres_sql.UNNAMED_WRITES, *place))

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
        """Give the value that a channel had in this version."""
        del checkpoint_id
        for (data,) in self._rows(postgres_sql.VALUE, thread, namespace, channel, version):
            return bytes(data) if data is not None else None
        return None

    def _without_checkpoints(self, threads: list[str]) -> dict[str, dict[str, Group]]:
        """Blobs and sums of writes, by thread and namespace."""
        groups: dict[str, dict[str, Group]] = defaultdict(dict)
        for thread in threads:
            groups[thread] = {}

        def group(thread: str, namespace: str) -> Group:
            return groups[thread].setdefault(namespace, Group(thread, namespace))

        for thread, namespace, channel, version, is_empty, size, key in self._rows(
            postgres_sql.BLOBS, threads
        ):
            blobs = group(thread, namespace).blobs.setdefault(channel, {})
            blobs[version] = Blob(size, key, is_empty)
        sql = postgres_sql.writes(task_path=self._has_task_path)
        for thread, namespace, channel, *numbers in self._rows(sql, threads):
            rows, size, key, largest, lost, lost_size, lost_key = map(int, numbers)
            found = group(thread, namespace)
            found.writes.setdefault(channel, WriteSums()).add(rows, size, key, largest)
            found.lost_writes.add(lost, lost_size, lost_key, 0)
        return groups

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
        if size != _MARKER:
            values[channel] = Stored(size)
            inline_bytes += size
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
