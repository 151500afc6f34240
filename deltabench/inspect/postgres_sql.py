"""The questions to PostgreSQL: every length and every sum is made inside the server.

Values are never sent, but for the writes of delta channels, whose sizes alone would not
tell which parts of the value they replace. Keys are those of `checkpointers/postgres_count`.
"""

from __future__ import annotations

THREADS = """
    SELECT thread_id, sum(checkpoints)::bigint FROM (
        SELECT thread_id, count(*) AS checkpoints FROM checkpoints GROUP BY thread_id
        UNION ALL SELECT DISTINCT thread_id, 0 FROM checkpoint_blobs
        UNION ALL SELECT DISTINCT thread_id, 0 FROM checkpoint_writes
    ) found GROUP BY thread_id ORDER BY thread_id
"""
CHECKPOINTS = """
    SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
        octet_length(checkpoint::text) + octet_length(metadata::text),
        octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(checkpoint_id)
            + coalesce(octet_length(parent_checkpoint_id), 0) + coalesce(octet_length(type), 0),
        coalesce(octet_length((metadata -> 'counters_since_delta_snapshot')::text), 0),
        metadata ->> 'source' = 'input',
        jsonb_build_array(
            checkpoint -> 'channel_versions',
            checkpoint -> 'updated_channels',
            metadata -> 'counters_since_delta_snapshot',
            (SELECT jsonb_object_agg(
                    key, CASE value WHEN 'true' THEN -1 ELSE octet_length(value::text) END)
                FROM jsonb_each(checkpoint -> 'channel_values'))
        )::text
    FROM checkpoints WHERE thread_id = ANY(%s)
    ORDER BY thread_id, checkpoint_ns, checkpoint_id
"""
BLOBS = """
    SELECT thread_id, checkpoint_ns, channel, version, type = 'empty',
        coalesce(octet_length(blob), 0),
        octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(channel)
            + octet_length(version) + octet_length(type)
    FROM checkpoint_blobs WHERE thread_id = ANY(%s)
"""
WRITES = """
    SELECT w.thread_id, w.checkpoint_ns, w.channel, count(*), sum(octet_length(w.blob)),
        sum({keys}), max(octet_length(w.blob)),
        count(*) FILTER (WHERE c.thread_id IS NULL),
        coalesce(sum(octet_length(w.blob)) FILTER (WHERE c.thread_id IS NULL), 0),
        coalesce(sum({keys}) FILTER (WHERE c.thread_id IS NULL), 0)
    FROM checkpoint_writes w LEFT JOIN checkpoints c USING (thread_id, checkpoint_ns, checkpoint_id)
    WHERE w.thread_id = ANY(%s)
    GROUP BY w.thread_id, w.checkpoint_ns, w.channel
"""
WRITE_KEYS = ("thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "channel")
WRITE_VALUES = """
    SELECT checkpoint_id, channel, type, blob FROM checkpoint_writes
    WHERE thread_id = %s AND checkpoint_ns = %s AND channel = ANY(%s)
    ORDER BY checkpoint_id, {path}task_id, idx
"""
UNNAMED_WRITES = """
    SELECT channel, count(*) FROM checkpoint_writes
    WHERE thread_id = %s AND checkpoint_ns = %s AND channel = ANY(%s)
        AND position(%s::bytea IN blob) > 0
    GROUP BY channel
"""
WRITE_COUNTS = """
    SELECT checkpoint_id, channel, count(*), sum(octet_length(blob)) FROM checkpoint_writes
    WHERE thread_id = %s AND checkpoint_ns = %s GROUP BY checkpoint_id, channel
"""
VALUE = """
    SELECT blob FROM checkpoint_blobs
    WHERE thread_id = %s AND checkpoint_ns = %s AND channel = %s AND version = %s
"""
PHYSICAL = """
    SELECT sum(pg_total_relation_size(name::regclass))::bigint,
        sum(pg_indexes_size(name::regclass))::bigint
    FROM unnest(%s::text[]) name
"""


def writes(*, task_path: bool) -> str:
    """Give the question for the sums of writes; older schemas have no task path."""
    names = (*WRITE_KEYS, "task_path") if task_path else WRITE_KEYS
    lengths = [f"octet_length(w.{name})" for name in names]
    return WRITES.format(keys=" + ".join((*lengths, "coalesce(octet_length(w.type), 0)")))


def write_values(*, task_path: bool) -> str:
    """Give the question for writes in the order in which they are applied."""
    return WRITE_VALUES.format(path="task_path, " if task_path else "")
