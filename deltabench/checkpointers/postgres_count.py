"""What a PostgreSQL checkpoint schema holds; every sum is made inside the server.

Keys are the text columns: thread, namespace, checkpoint and parent id, type (null for
checkpoints); for values thread, namespace, channel, version, type; for writes thread,
namespace, checkpoint id, task id, task path, channel, type. Their length is that in the
server's encoding, UTF-8 unless the database was made otherwise. JSON counts as its text.

`PostgresSaver` leaves texts, numbers, booleans and nulls inline in the checkpoint's JSON.
Those are values and counted by channel, as JSON text. A `true` that stands for a snapshot
stored as a blob is no value and stays with the row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.checkpointers.tally import Tally

if TYPE_CHECKING:
    import psycopg

    from deltabench.cells import StoredBytes

_CHECKPOINTS = """
    SELECT count(*),
        coalesce(sum(octet_length(checkpoint::text) + octet_length(metadata::text)), 0),
        coalesce(sum(octet_length(thread_id) + octet_length(checkpoint_ns)
            + octet_length(checkpoint_id) + coalesce(octet_length(parent_checkpoint_id), 0)
            + coalesce(octet_length(type), 0)), 0)
    FROM checkpoints
"""
_INLINE = """
    SELECT checkpoint_ns, inline.key, count(*),
        sum(octet_length(inline.value::text)), max(octet_length(inline.value::text))
    FROM checkpoints c, jsonb_each(checkpoint -> 'channel_values') inline
    WHERE inline.value <> 'true' OR NOT EXISTS (
        SELECT FROM checkpoint_blobs b
        WHERE b.thread_id = c.thread_id AND b.checkpoint_ns = c.checkpoint_ns
            AND b.channel = inline.key AND b.type <> 'empty'
            AND b.version = checkpoint -> 'channel_versions' ->> inline.key
    )
    GROUP BY checkpoint_ns, inline.key
"""
_BLOBS = """
    SELECT checkpoint_ns, channel, count(*) FILTER (WHERE type <> 'empty'),
        coalesce(sum(octet_length(blob)), 0), coalesce(max(octet_length(blob)), 0),
        sum(octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(channel)
            + octet_length(version) + octet_length(type))
    FROM checkpoint_blobs GROUP BY checkpoint_ns, channel
"""
_WRITES = """
    SELECT checkpoint_ns, channel, count(*), sum(octet_length(blob)), max(octet_length(blob)),
        sum(octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(checkpoint_id)
            + octet_length(task_id) + octet_length(task_path) + octet_length(channel)
            + coalesce(octet_length(type), 0))
    FROM checkpoint_writes GROUP BY checkpoint_ns, channel
"""
_PHYSICAL = """
    SELECT
        (SELECT coalesce(sum(pg_column_size(blob)), 0) FROM checkpoint_blobs)
            AS value_compressed_bytes,
        (SELECT coalesce(sum(pg_column_size(blob)), 0) FROM checkpoint_writes)
            AS write_compressed_bytes,
        (SELECT coalesce(sum(pg_column_size(checkpoint) + pg_column_size(metadata)), 0)
            FROM checkpoints) AS checkpoint_compressed_bytes,
        (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%(tables)s::text[]) name)
            AS relation_bytes,
        (SELECT sum(pg_indexes_size(name::regclass)) FROM unnest(%(tables)s::text[]) name)
            AS index_bytes
"""
_TABLES = ["checkpoints", "checkpoint_blobs", "checkpoint_writes"]


def count_postgres(cursor: psycopg.Cursor[Any], turn: int) -> StoredBytes:
    """Count the three tables of the schema that the connection works in."""
    tally = Tally()
    inline = [
        (namespace, channel, count, int(size_bytes), largest_bytes)
        for namespace, channel, count, size_bytes, largest_bytes in cursor.execute(_INLINE)
    ]
    for rows, size_bytes, key_bytes in cursor.execute(_CHECKPOINTS):
        rest_bytes = int(size_bytes) - sum(size for _, _, _, size, _ in inline)
        tally.add_checkpoints(rows=int(rows), size_bytes=rest_bytes, key_bytes=int(key_bytes))
    for namespace, channel, count, size_bytes, largest_bytes in inline:
        tally.add_values(
            namespace, channel, rows=count, size_bytes=size_bytes, largest_bytes=largest_bytes
        )
    for namespace, channel, count, size_bytes, largest_bytes, key_bytes in cursor.execute(_BLOBS):
        tally.add_keys(int(key_bytes))
        if count:
            tally.add_values(
                namespace,
                channel,
                rows=count,
                size_bytes=int(size_bytes),
                largest_bytes=largest_bytes,
            )
    for namespace, channel, count, size_bytes, largest_bytes, key_bytes in cursor.execute(_WRITES):
        tally.add_keys(int(key_bytes))
        tally.add_writes(
            namespace, channel, rows=count, size_bytes=int(size_bytes), largest_bytes=largest_bytes
        )
    return tally.stored(turn)


def physical_postgres(cursor: psycopg.Cursor[dict[str, int]]) -> dict[str, int]:
    """Give compressed column sizes, and table and index sizes, in bytes."""
    row = cursor.execute(_PHYSICAL, {"tables": _TABLES}).fetchone()
    return {name: int(size_bytes) for name, size_bytes in (row or {}).items()}
