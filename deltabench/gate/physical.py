"""Sizes on disk: pages, indexes and compression make them repeat only roughly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.gate.metrics import Kind, Metric

if TYPE_CHECKING:
    from deltabench.cells import Measurement, Policy

# A file grows by whole pages, 8 kB in PostgreSQL: less than one is no difference.
PAGE_BYTES = 8192


def _size(name: str, what: str) -> Metric:
    def read(measurement: Measurement, _: Policy) -> int | None:
        return measurement.physical_bytes.get(name)

    return Metric(name, Kind.PHYSICAL, "bytes", what, read)


PHYSICAL = (
    _size("database_bytes", "database file, WAL folded in (sqlite)"),
    _size("wal_bytes", "WAL before that (sqlite)"),
    _size("value_compressed_bytes", "values as stored (postgres)"),
    _size("write_compressed_bytes", "writes as stored (postgres)"),
    _size("checkpoint_compressed_bytes", "checkpoint rows as stored (postgres)"),
    _size("relation_bytes", "tables with indexes (postgres)"),
    _size("index_bytes", "indexes (postgres)"),
    _size("wal_written_bytes", "WAL written by the whole server (postgres)"),
)
