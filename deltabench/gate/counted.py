"""Counted metrics: the same cell gives the same integer in every process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.gate.metrics import Kind, Metric
from deltabench.results.reads import own_phases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deltabench.cells import Measurement, Policy, Read, StoredBytes
    from deltabench.gate.metrics import Figure, Unit


def _stored(name: str, what: str, unit: Unit = "bytes") -> Metric:
    def read(measurement: Measurement, _: Policy) -> int:
        value: int = getattr(measurement.stored, name)
        return value

    return Metric(name, Kind.COUNTED, unit, what, read)


def _session(
    name: str, what: str, read: Callable[[Measurement], Figure], unit: Unit = "count"
) -> Metric:
    return Metric(name, Kind.COUNTED, unit, what, lambda measurement, _: read(measurement))


def _neutral(name: str, what: str, read: Callable[[Measurement], Figure], unit: Unit) -> Metric:
    return Metric(
        name, Kind.COUNTED, unit, what, lambda measurement, _: read(measurement), directed=False
    )


def _largest(stored: StoredBytes) -> int:
    return stored.largest_value.size_bytes if stored.largest_value else 0


def _used(measurement: Measurement, direction: str, what: str) -> int:
    uses = (use for use in measurement.serializer if use.direction == direction)
    return sum(getattr(use, what) for use in uses)


def _reads(measurement: Measurement, policy: Policy, what: str) -> Iterator[Read]:
    reads = [read for read in measurement.reads if read.what == what]
    yield from own_phases(policy, reads) if what.startswith("resume") else reads


def _calls(what: str) -> Callable[[Measurement, Policy], Figure]:
    def read(measurement: Measurement, policy: Policy) -> int | None:
        reads = _reads(measurement, policy, what)
        return max((sum(found.round_trips.calls.values()) for found in reads), default=None)

    return read


def _statements(what: str) -> Callable[[Measurement, Policy], Figure]:
    def read(measurement: Measurement, policy: Policy) -> int | None:
        reads = _reads(measurement, policy, what)
        counts = (found.round_trips.statements for found in reads)
        return max((count for count in counts if count is not None), default=None)

    return read


def _depth(measurement: Measurement, policy: Policy) -> int | None:
    reads = _reads(measurement, policy, "resume_warm")
    return max((read.updates_since_snapshot for read in reads), default=None)


COUNTED = (
    _stored("total_bytes", "everything the checkpointer holds at the end"),
    _stored("value_bytes", "whole channel values"),
    _stored("write_bytes", "pending writes"),
    _stored("row_bytes", "checkpoint rows without inline values"),
    _stored("key_bytes", "ids, names, versions and type tags"),
    _stored("checkpoint_rows", "checkpoints", "count"),
    _stored("value_rows", "whole values", "count"),
    _stored("write_rows", "pending writes", "count"),
    _session("largest_value_bytes", "largest single value", lambda m: _largest(m.stored), "bytes"),
    _neutral("updates", "updates of all channels", lambda m: sum(m.updates.values()), "count"),
    _neutral("snapshots", "snapshots taken", lambda m: sum(m.snapshots.values()), "count"),
    _neutral("supersteps", "checkpoints saved", lambda m: m.supersteps, "count"),
    _session("dump_calls", "serializations", lambda m: _used(m, "dump", "calls")),
    _session("dump_bytes", "serialized bytes", lambda m: _used(m, "dump", "size_bytes"), "bytes"),
    _session("load_calls", "deserializations", lambda m: _used(m, "load", "calls")),
    _session("load_bytes", "deserialized", lambda m: _used(m, "load", "size_bytes"), "bytes"),
    _session(
        "saver_calls",
        "calls of the checkpointer in the session",
        lambda m: sum(m.session_round_trips.calls.values()),
    ),
    _session(
        "statements",
        "statements to the database in the session",
        lambda m: m.session_round_trips.statements,
    ),
    Metric("resume_depth", Kind.COUNTED, "count", "updates replayed by the deepest resume", _depth),
    Metric(
        "resume_calls",
        Kind.COUNTED,
        "count",
        "checkpointer calls of a resume, at most",
        _calls("resume_warm"),
    ),
    Metric(
        "resume_statements",
        Kind.COUNTED,
        "count",
        "statements of a resume, at most",
        _statements("resume_warm"),
    ),
    Metric(
        "history_50_calls",
        Kind.COUNTED,
        "count",
        "checkpointer calls of a history page of 50",
        _calls("history_50"),
    ),
    Metric(
        "history_50_statements",
        Kind.COUNTED,
        "count",
        "statements of a history page of 50",
        _statements("history_50"),
    ),
    _neutral("messages", "messages in the final state", lambda m: m.state.messages, "count"),
    _neutral("files", "files in the final state", lambda m: m.state.files, "count"),
    _neutral("state", "content of the final state", lambda m: m.state.content, "digest"),
)
