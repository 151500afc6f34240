"""What a SQLite checkpoint database holds, in logical bytes.

Sizes are asked for with `length()`, which SQLite answers from the row's header without
reading a blob. The keys are all text columns: thread, namespace, checkpoint and parent
id, type tag; for writes thread, namespace, checkpoint id, task id, task path (where the
installed version has that column), channel, type tag. Values are inline in the
checkpoint, so their channel names belong to the row and not to the keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.checkpointers.sqlite_connection import split
from deltabench.checkpointers.tally import Tally

if TYPE_CHECKING:
    import sqlite3

    from deltabench.cells import StoredBytes
    from deltabench.checkpointers.sqlite_connection import Ledger


def count_sqlite(cursor: sqlite3.Cursor, ledger: Ledger, turn: int) -> StoredBytes:
    """Count both tables; rows that the ledger does not know are read back and split."""
    tally = Tally()
    _count_checkpoints(cursor, ledger, tally)
    _count_writes(cursor, tally)
    return tally.stored(turn)


def _count_checkpoints(cursor: sqlite3.Cursor, ledger: Ledger, tally: Tally) -> None:
    rows = cursor.execute(
        "SELECT thread_id, checkpoint_ns, checkpoint_id, length(checkpoint),"  # noqa: S608 - names from the schema
        f" coalesce(length(metadata), 0), {_key_length(cursor, 'checkpoints')} FROM checkpoints"
    ).fetchall()
    sums: dict[tuple[str, str], list[int]] = {}
    for thread_id, namespace, checkpoint_id, size_bytes, metadata_bytes, key_bytes in rows:
        row_key = (thread_id, namespace, checkpoint_id)
        known = ledger.rows.get(row_key)
        if known is None or known[0] != size_bytes:
            known = ledger.rows[row_key] = _read_back(cursor, row_key)
        rest_bytes = size_bytes + metadata_bytes
        for channel, value_bytes in known[1].items():
            rest_bytes -= value_bytes
            of_channel = sums.setdefault((namespace, channel), [0, 0, 0])
            of_channel[0] += 1
            of_channel[1] += value_bytes
            of_channel[2] = max(of_channel[2], value_bytes)
        tally.add_checkpoints(rows=1, size_bytes=rest_bytes, key_bytes=key_bytes)
    for (namespace, channel), (count, value_bytes, largest_bytes) in sums.items():
        tally.add_values(
            namespace, channel, rows=count, size_bytes=value_bytes, largest_bytes=largest_bytes
        )


def _read_back(cursor: sqlite3.Cursor, row_key: tuple[str, str, str]) -> tuple[int, dict[str, int]]:
    type_, checkpoint = cursor.execute(
        "SELECT type, checkpoint FROM checkpoints"
        " WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?",
        row_key,
    ).fetchone()
    return len(checkpoint), split(type_, checkpoint).sizes


def _count_writes(cursor: sqlite3.Cursor, tally: Tally) -> None:
    rows = cursor.execute(
        "SELECT checkpoint_ns, channel, count(*), sum(length(value)), max(length(value)),"  # noqa: S608 - names from the schema
        f" sum({_key_length(cursor, 'writes')}) FROM writes GROUP BY checkpoint_ns, channel"
    ).fetchall()
    for namespace, channel, count, size_bytes, largest_bytes, key_bytes in rows:
        tally.add_keys(key_bytes)
        tally.add_writes(
            namespace, channel, rows=count, size_bytes=size_bytes, largest_bytes=largest_bytes
        )


def _key_length(cursor: sqlite3.Cursor, table: str) -> str:
    """Give SQL for the UTF-8 length of all text columns: `length()` of a text counts characters."""
    names = cursor.execute(
        "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'", (table,)
    ).fetchall()
    return " + ".join(f"coalesce(length(CAST({name} AS BLOB)), 0)" for (name,) in names)
