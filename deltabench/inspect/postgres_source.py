"""A PostgreSQL checkpoint database: sizes and sums come from the server, in batches of threads.

Each table is asked once for a batch; a row of the answer is a whole column of a namespace,
as text. A namespace for which that does not do is asked for again, row by row.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from deltabench.checkpointers.postgres_address import redacted
from deltabench.inspect import postgres_sql
from deltabench.inspect.counters import with_key_bytes
from deltabench.inspect.names import NO_ID
from deltabench.inspect.postgres_open import COLUMNS, columns, open_read_only, readable_error
from deltabench.inspect.rows import (
    Blob,
    Checkpoint,
    Columns,
    Group,
    Kind,
    PendingWrite,
    Source,
    Steps,
    Stored,
    Unnamed,
    WriteSums,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ROWS_AT_ONCE = 2000
_BYTES_AT_ONCE = 16_000_000
_MOST_COLUMNS = 40  # of versions; more are read row by row
_LOOKED_INTO = 128  # writes of a channel, about
_NO_VALUE = ("branch:", "__no_writes__")  # channels that are written and never hold anything
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
        groups = self._without_checkpoints(list(threads))
        channels = _versioned(groups.values())
        columns = {}
        for thread, namespace, *row in self._answer(
            postgres_sql.columns(len(channels)), *channels, list(threads)
        ):
            place = (thread, namespace)
            groups.setdefault(place, Group(thread, namespace))
            columns[place] = row
        for place in sorted(groups):
            group = groups.pop(place)
            if place in columns:
                group.columns = _columns(channels, columns.pop(place))
                group.checkpoints = self._checkpoints(group)
            self._count_lost(group)
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
        """Give the value that a channel had in this version."""
        del checkpoint_id
        for (data,) in self._rows(postgres_sql.VALUE, thread, namespace, channel, version):
            return bytes(data) if data is not None else None
        return None

    def _without_checkpoints(self, threads: list[str]) -> dict[tuple[str, str], Group]:
        """Blobs and sums of writes, by thread and namespace."""
        groups: dict[tuple[str, str], Group] = {}

        def group(thread: str, namespace: str) -> Group:
            return groups.setdefault((thread, namespace), Group(thread, namespace))

        for thread, namespace, channel, type_, count, versions, sizes, key in self._answer(
            postgres_sql.BLOBS, threads
        ):
            blobs = group(thread, namespace).blobs.setdefault(channel, {})
            named = _lines(versions, count)
            if named is None:  # a version has a line break itself
                place = (thread, namespace, channel, type_)
                pairs = self._answer(postgres_sql.BLOB_ROWS, *place)
            else:
                pairs = list(zip(named, map(int, sizes.split("\n")), strict=True))
            for version, size in pairs:
                blobs[version] = Blob(size, key + len(version.encode()), type_ == "empty")
        sql = postgres_sql.writes(task_path=self._has_task_path)
        for thread, namespace, channel, *sums, ids, sizes, are_msgpack in self._answer(
            sql, threads
        ):
            rows, size, key, largest = (int(number or 0) for number in sums)
            found = group(thread, namespace)
            found.writes[channel] = WriteSums(rows, size, key, largest)
            places = _lines(ids, rows)
            # Sizes may be null in rows that no saver writes.
            numbers = _lines(sizes or "", rows)
            if places is not None and numbers is not None:
                found.steps[channel] = Steps(places, list(map(int, numbers)), bool(are_msgpack))
        return groups

    def _count_lost(self, group: Group) -> None:
        """Sum up the writes of missing checkpoints, if there are any."""
        if not group.writes:
            return
        columns = group.columns
        known = set(columns.ids) if columns else {row.id for row in self._checkpoints(group)}
        complete = len(group.steps) == len(group.writes)
        if complete and all(known.issuperset(s.checkpoint_ids) for s in group.steps.values()):
            return
        sql = postgres_sql.lost_writes(task_path=self._has_task_path)
        for sums in self._answer(sql, group.thread, group.namespace, list(known)):
            rows, size, key = map(int, sums)
            group.lost_writes.add(rows, size, key, 0)

    def _checkpoints(self, group: Group) -> Iterator[Checkpoint]:
        sql = postgres_sql.CHECKPOINTS
        for row in self._rows(sql, group.thread, group.namespace):
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


def _versioned(groups: Iterable[Group]) -> list[str]:
    """Channels whose versions are asked for: all that were written or are stored."""
    found: set[str] = set()
    for group in groups:
        found.update(group.blobs)
        found.update(name for name in group.writes if not name.startswith(_NO_VALUE))
    return sorted(found) if len(found) <= _MOST_COLUMNS else []


def _columns(channels: list[str], row: list[Any]) -> Columns | None:
    """Take texts apart; None where a text of the database has a line break itself."""
    key_bytes, ids, parents, all_bytes, updated, inline, counters, count, *versions = row
    columns = [_lines(text, count) for text in (ids, parents, updated, inline, *versions)]
    found = [column for column in columns if column is not None]
    if len(found) < len(columns):
        return None
    return Columns(
        key_bytes=int(key_bytes),
        ids=found[0],
        parents=found[1],
        all_bytes=list(map(int, all_bytes.split("\n"))),
        updated=found[2],
        inline=found[3],
        counters=counters,
        versions=dict(zip(channels, found[4:], strict=True)),
    )


def _lines(text: str, count: int) -> list[str] | None:
    lines = text.split("\n")
    return lines if len(lines) == count else None


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
