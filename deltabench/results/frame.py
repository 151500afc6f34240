"""The results as a table for pandas and spreadsheets: one row per planned cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.results.equality import judged_rows
from deltabench.results.reads import find, own_phases
from deltabench.results.statistics import median, percentile

if TYPE_CHECKING:
    import pandas as pd

    from deltabench.cells import Cell, Measurement, Read, Row, StoredBytes
    from deltabench.results.derived import DerivedRow
    from deltabench.results.file import Results

# Sizes are in bytes and times in seconds, as the names say; other numbers are counts.
COLUMNS = {
    "workload": "name of the workload",
    "workload_digest": "digest of its specification",
    "turns": "number of turns of the session",
    "checkpointer": "where the session is stored",
    "durability": "sync, async or exit",
    "policy": "full, or K=<snapshot frequency>",
    "snapshot_frequency": "K in updates of a channel; empty for full",
    "seed": "seed of the content and of the ids",
    "repeat": "number of the repeat, from 0",
    "status": "measured, failed, pending, or derived: worked out, exact, without times",
    "failure_kind": "error, timeout, killed or differs; empty if none",
    "failure_reason": "why there is no figure; empty if none",
    "total_bytes": "logical bytes held at the end: values + writes + rows + keys",
    "floor_bytes": "the part that no K reduces: writes + rows + keys",
    "value_bytes": "whole channel values",
    "write_bytes": "pending writes",
    "row_bytes": "checkpoint rows without inline values, with metadata",
    "key_bytes": "ids, namespaces, channel names, versions and type tags",
    "checkpoint_rows": "number of checkpoints",
    "value_rows": "number of whole values",
    "write_rows": "number of pending writes",
    "largest_value_channel": "channel of the largest single value",
    "largest_value_bytes": "size of the largest single value",
    "updates": "number of updates of the most updated channel",
    "snapshots": "number of snapshots taken, all channels",
    "supersteps": "number of supersteps of the session",
    "dump_bytes": "bytes that went through the serializer, out",
    "dump_seconds": "CPU seconds in the serializer, out; overlaps with the turns",
    "load_bytes": "bytes that went through the serializer, in",
    "load_seconds": "CPU seconds in the serializer, in; overlaps with the turns",
    "session_seconds": "wall time of all turns",
    "session_cpu_seconds": "CPU time of the process over all turns",
    "turn_p50_seconds": "median turn",
    "turn_p95_seconds": "95th percentile of the turns",
    "turn_p99_seconds": "99th percentile of the turns",
    "resume_warm_worst_seconds": "warm resume at the slowest phase of this K",
    "resume_cold_worst_seconds": "cold resume at the slowest phase of this K, after opening",
    "history_10_seconds": "the last 10 checkpoints",
    "history_50_seconds": "the last 50 checkpoints",
    "time_travel_seconds": "one checkpoint in the middle of the thread",
    "memory_peak_bytes": "peak resident size of the process",
    "memory_over_baseline_bytes": "the same over its baseline after imports and warm-up",
    "saver_calls": "number of calls of the checkpointer during the session",
    "statements": "number of statements sent to the database during the session; empty if none",
    "state_content": "digest of the final state without ids",
    "messages": "number of messages in the final state",
    "files": "number of files in the final state",
}
PHYSICAL_PREFIX = "physical_"


def to_frame(results: Results) -> pd.DataFrame:
    """One row per cell with the columns of `COLUMNS`; a failed cell has empty figures.

    Derived rows come last; they have bytes, and what only a run could give is empty.

    Physical sizes follow as `physical_<name>`, as each checkpointer names them.
    """
    import pandas as pd

    rows = [_record(row) for row in judged_rows(results.rows)]
    rows += [_derived(row) for row in results.derived]
    physical = sorted({name for row in rows for name in row if name.startswith(PHYSICAL_PREFIX)})
    # convert_dtypes keeps counts whole numbers where some cells have none.
    return pd.DataFrame(rows, columns=[*COLUMNS, *physical]).convert_dtypes()


def _record(row: Row) -> dict[str, object]:
    cell = row.cell
    status = "measured" if row.measurement else "failed" if row.failure else "pending"
    record: dict[str, object] = {
        **cell.model_dump(
            include={
                "workload",
                "workload_digest",
                "turns",
                "checkpointer",
                "durability",
                "seed",
                "repeat",
            }
        ),
        "policy": cell.policy.label,
        "snapshot_frequency": cell.policy.snapshot_frequency,
        "status": status,
    }
    if row.failure:
        record |= {"failure_kind": row.failure.kind, "failure_reason": row.failure.reason}
    if row.measurement:
        record |= _figures(cell, row.measurement)
    return record


def _derived(row: DerivedRow) -> dict[str, object]:
    record: dict[str, object] = {
        **row.model_dump(include={"workload", "turns", "checkpointer", "durability"}),
        "policy": row.policy.label,
        "snapshot_frequency": row.policy.snapshot_frequency,
        "status": "derived" if row.stored else "failed",
        "failure_reason": row.reason or None,
    }
    if row.stored:
        record |= _stored(row.stored) | {"snapshots": sum(row.snapshots.values())}
    return record


def _stored(stored: StoredBytes) -> dict[str, object]:
    return {
        **stored.model_dump(exclude={"turn", "channels", "largest_value"}),
        "total_bytes": stored.total_bytes,
        "floor_bytes": stored.floor_bytes,
        "largest_value_channel": stored.largest_value.channel if stored.largest_value else None,
        "largest_value_bytes": stored.largest_value.size_bytes if stored.largest_value else None,
    }


def _figures(cell: Cell, m: Measurement) -> dict[str, object]:
    dump = [use for use in m.serializer if use.direction == "dump"]
    load = [use for use in m.serializer if use.direction == "load"]
    return {
        **_stored(m.stored),
        "updates": max(m.updates.values(), default=None),
        "snapshots": sum(m.snapshots.values()),
        "supersteps": m.supersteps,
        "dump_bytes": sum(use.size_bytes for use in dump),
        "dump_seconds": sum(use.seconds for use in dump),
        "load_bytes": sum(use.size_bytes for use in load),
        "load_seconds": sum(use.seconds for use in load),
        "session_seconds": m.session_seconds,
        "session_cpu_seconds": m.session_cpu_seconds,
        "turn_p50_seconds": median(m.turn_seconds),
        "turn_p95_seconds": percentile(m.turn_seconds, 95),
        "turn_p99_seconds": percentile(m.turn_seconds, 99),
        "resume_warm_worst_seconds": _worst_seconds(cell, m, "resume_warm"),
        "resume_cold_worst_seconds": _worst_seconds(cell, m, "resume_cold"),
        "history_10_seconds": _seconds(find(m, "history_10")),
        "history_50_seconds": _seconds(find(m, "history_50")),
        "time_travel_seconds": _seconds(find(m, "time_travel")),
        "memory_peak_bytes": m.memory.peak_bytes,
        "memory_over_baseline_bytes": m.memory.peak_bytes - m.memory.baseline_bytes,
        "saver_calls": sum(m.session_round_trips.calls.values()),
        "statements": m.session_round_trips.statements,
        "state_content": m.state.content,
        "messages": m.state.messages,
        "files": m.state.files,
        **{f"{PHYSICAL_PREFIX}{name}": size for name, size in m.physical_bytes.items()},
    }


def _seconds(read: Read | None) -> float | None:
    return median(read.seconds) if read and read.seconds else None


def _worst_seconds(cell: Cell, measurement: Measurement, what: str) -> float | None:
    reads = tuple(read for read in measurement.reads if read.what == what)
    own = own_phases(cell.policy, reads)
    return max((seconds for read in own if (seconds := _seconds(read))), default=None)
