"""The questions to PostgreSQL: every length and every sum is made inside the server.

Contents are sent only where sizes do not tell: writes of delta channels that replace parts
of the value (`sized`), and a few values that look damaged (`suspects`). Keys are those of
`checkpointers/postgres_count`.
"""

from __future__ import annotations

THREADS = """
    SELECT thread_id, sum(checkpoints)::bigint FROM (
        SELECT thread_id, count(*) AS checkpoints FROM checkpoints GROUP BY thread_id
        UNION ALL SELECT DISTINCT thread_id, 0 FROM checkpoint_blobs
        UNION ALL SELECT DISTINCT thread_id, 0 FROM checkpoint_writes
    ) found GROUP BY thread_id ORDER BY thread_id
"""
_ROW_BYTES = "octet_length(checkpoint::text) + octet_length(metadata::text)"
_KEY_BYTES = (
    "octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(checkpoint_id)"
    " + coalesce(octet_length(parent_checkpoint_id), 0) + coalesce(octet_length(type), 0)"
)
_INLINE = """(
    SELECT jsonb_object_agg(
        key, CASE WHEN value IN ('true', 'null') THEN value
            ELSE to_jsonb(octet_length(value::text)) END)
    FROM jsonb_each(CASE jsonb_typeof(checkpoint -> 'channel_values')
        WHEN 'object' THEN checkpoint -> 'channel_values' END)
)"""
CHECKPOINTS = f"""
    SELECT checkpoint_id, parent_checkpoint_id, {_ROW_BYTES}, {_KEY_BYTES},
        coalesce(octet_length((metadata -> 'counters_since_delta_snapshot')::text), 0),
        metadata ->> 'source' = 'input',
        jsonb_build_array(
            checkpoint -> 'channel_versions',
            checkpoint -> 'updated_channels',
            metadata -> 'counters_since_delta_snapshot',
            {_INLINE}
        )::text
    FROM checkpoints WHERE thread_id = %s AND checkpoint_ns = %s ORDER BY checkpoint_id
"""  # noqa: S608 - only what stands above
# One value for each column of a namespace: adding to a text or to bytes costs less than
# adding to an array. Numbers are sent as bytes, and a hash of 8 for a text that is only
# compared. Nulls would be left out. Values that stand in the row and are neither null nor
# true are summed up by a question of their own: a subquery here would keep the server from
# dividing the work.
_COLUMNS = f"""
    SELECT thread_id, checkpoint_ns, count(*), sum({_KEY_BYTES}),
        string_agg(checkpoint_id, E'\\n'),
        string_agg(int8send(hashtextextended(checkpoint_id, 0)), ''::bytea),
        string_agg(int8send(coalesce(hashtextextended(parent_checkpoint_id, 0), 0)), ''::bytea),
        string_agg(int4send({_ROW_BYTES} + {_KEY_BYTES}), ''::bytea),
        string_agg(coalesce((checkpoint -> 'updated_channels')::text, ''), E'\\n'),
        string_agg(CASE
            WHEN jsonb_strip_nulls(checkpoint -> 'channel_values') = '{{{{}}}}'
                THEN (checkpoint -> 'channel_values')::text
            WHEN checkpoint -> 'channel_values' @? 'strict $.*
                    ? (@.type() != "null" && @.type() != "boolean" || @ == false)'
                THEN '!' || jsonb_path_query_array(
                    checkpoint -> 'channel_values', '$.keyvalue() ? (@.value == true).key')::text
            ELSE coalesce((checkpoint -> 'channel_values')::text, '') END, E'\\n'),
        coalesce(string_agg((metadata -> 'counters_since_delta_snapshot')::text, E'\\n'), '')
        {{versions}}
    FROM checkpoints WHERE thread_id = ANY(%s) GROUP BY thread_id, checkpoint_ns
"""  # noqa: S608 - only what stands above
_VERSION = """
        , string_agg(int8send(coalesce(
            hashtextextended(checkpoint -> 'channel_versions' ->> %s::text, 0), 0)), ''::bytea)
"""
INLINE = """
    SELECT thread_id, checkpoint_ns, key, count(*), sum(octet_length(value::text)),
        max(octet_length(value::text))
    FROM checkpoints, jsonb_each(CASE jsonb_typeof(checkpoint -> 'channel_values')
        WHEN 'object' THEN checkpoint -> 'channel_values' END)
    WHERE thread_id = ANY(%s) AND value <> 'true'
    GROUP BY thread_id, checkpoint_ns, key
"""
BLOBS = """
    SELECT thread_id, checkpoint_ns, channel, type = 'empty', count(*),
        string_agg(int8send(hashtextextended(version, 0)), ''::bytea),
        string_agg(int4send(coalesce(octet_length(blob), 0)), ''::bytea),
        string_agg(int4send(octet_length(version)), ''::bytea),
        octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(channel)
            + octet_length(type)
    FROM checkpoint_blobs WHERE thread_id = ANY(%s)
    GROUP BY thread_id, checkpoint_ns, channel, type
"""
BLOB_ROWS = """
    SELECT channel, version, coalesce(octet_length(blob), 0),
        octet_length(thread_id) + octet_length(checkpoint_ns) + octet_length(channel)
            + octet_length(version) + octet_length(type),
        type = 'empty'
    FROM checkpoint_blobs WHERE thread_id = %s AND checkpoint_ns = %s
"""
WRITES = """
    SELECT thread_id, checkpoint_ns, channel, count(*), coalesce(sum(octet_length(blob)), 0),
        sum({keys}), coalesce(max(octet_length(blob)), 0),
        string_agg(int8send(hashtextextended(checkpoint_id, 0)), ''::bytea),
        string_agg(int4send(coalesce(octet_length(blob), 0)), ''::bytea),
        bool_and(type IN ('msgpack', 'null', 'empty'))
    FROM checkpoint_writes WHERE thread_id = ANY(%s)
    GROUP BY thread_id, checkpoint_ns, channel
"""
LOST_WRITES = """
    SELECT count(*), coalesce(sum(octet_length(blob)), 0), coalesce(sum({keys}), 0)
    FROM checkpoint_writes w WHERE thread_id = %s AND checkpoint_ns = %s AND NOT EXISTS (
        SELECT FROM checkpoints c WHERE c.thread_id = w.thread_id
            AND c.checkpoint_ns = w.checkpoint_ns AND c.checkpoint_id = w.checkpoint_id
    )
"""
WRITE_KEYS = ("thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "channel")
WRITE_VALUES = """
    SELECT checkpoint_id, channel, type, blob FROM checkpoint_writes
    WHERE thread_id = %s AND checkpoint_ns = %s AND channel = ANY(%s)
    ORDER BY checkpoint_id, {path}task_id, idx
"""
UNNAMED_WRITES = """
    SELECT channel, count(*), count(*) FILTER (WHERE position(%s::bytea IN blob) > 0)
    FROM checkpoint_writes
    WHERE thread_id = %s AND checkpoint_ns = %s AND channel = ANY(%s)
        AND abs(hashtext(checkpoint_id || idx)::bigint) %% %s = 0
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
VALUE_AT = """
    SELECT b.blob FROM checkpoints c JOIN checkpoint_blobs b ON b.thread_id = c.thread_id
        AND b.checkpoint_ns = c.checkpoint_ns AND b.channel = %s
        AND b.version = c.checkpoint -> 'channel_versions' ->> b.channel
    WHERE c.thread_id = %s AND c.checkpoint_ns = %s AND c.checkpoint_id = %s
"""
PHYSICAL = """
    SELECT sum(pg_total_relation_size(name::regclass))::bigint,
        sum(pg_indexes_size(name::regclass))::bigint
    FROM unnest(%s::text[]) name
"""


# Sums of wide rows are to be made without sorting these, by all processes that the server
# spares. All of it ends with the transaction.
SETTINGS = """
    SELECT set_config('enable_sort', 'off', true),
        set_config('enable_incremental_sort', 'off', true),
        set_config('work_mem', '32MB', true),
        set_config('jit', 'off', true),
        set_config('parallel_setup_cost', '500', true),
        set_config('parallel_tuple_cost', '0', true),
        set_config('min_parallel_table_scan_size', '0', true),
        set_config('min_parallel_index_scan_size', '0', true)
"""


def columns(channels: int) -> str:
    """Give the question for checkpoints, with a column of versions for each channel."""
    return _COLUMNS.format(versions=_VERSION * channels)


def writes(*, task_path: bool) -> str:
    """Give the question for the sums of writes; older schemas have no task path."""
    return WRITES.format(keys=_write_keys(task_path=task_path))


def lost_writes(*, task_path: bool) -> str:
    """Give the question for the writes of missing checkpoints."""
    return LOST_WRITES.format(keys=_write_keys(task_path=task_path))


def write_values(*, task_path: bool) -> str:
    """Give the question for writes in the order in which they are applied."""
    return WRITE_VALUES.format(path="task_path, " if task_path else "")


def _write_keys(*, task_path: bool) -> str:
    names = (*WRITE_KEYS, "task_path") if task_path else WRITE_KEYS
    lengths = [f"octet_length({name})" for name in names]
    return " + ".join((*lengths, "coalesce(octet_length(type), 0)"))
