"""Timed metrics, and resident memory, which is as noisy: judged as ratio to full only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.gate.metrics import Kind, Metric
from deltabench.results.reads import find, own_phases
from deltabench.results.statistics import median, percentile

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.cells import Measurement, Policy
    from deltabench.gate.metrics import Figure

# Two identical objects were seen to differ by 3.7 % in their paired medians, so nothing
# below that is a difference, however quiet the run says it was.
TIME_FLOOR = 0.037
# Allocators give memory back in their own time: resident size is never judged closer.
MEMORY_FLOOR = 0.05


def _time(name: str, what: str, read: Callable[[Measurement], Figure]) -> Metric:
    return Metric(
        name,
        Kind.TIMED,
        "seconds",
        what,
        lambda measurement, _: read(measurement),
        floor=TIME_FLOOR,
    )


def _memory(name: str, what: str, read: Callable[[Measurement], int]) -> Metric:
    return Metric(
        name,
        Kind.TIMED,
        "bytes",
        what,
        lambda measurement, _: read(measurement),
        floor=MEMORY_FLOOR,
    )


def _resume(what: str) -> Callable[[Measurement, Policy], float | None]:
    def slowest(measurement: Measurement, policy: Policy) -> float | None:
        # Full is read at the places of this policy too, so both are the slowest of the same.
        reads = [read for read in measurement.reads if read.what == what]
        own = own_phases(policy, reads)
        return max((median(read.seconds) for read in own if read.seconds), default=None)

    return slowest


def _read(what: str) -> Callable[[Measurement], float | None]:
    def seconds(measurement: Measurement) -> float | None:
        read = find(measurement, what)
        return median(read.seconds) if read and read.seconds else None

    return seconds


def _serializer(direction: str) -> Callable[[Measurement], float]:
    def seconds(measurement: Measurement) -> float:
        return sum(use.seconds for use in measurement.serializer if use.direction == direction)

    return seconds


TIMED = (
    Metric(
        "resume_warm",
        Kind.TIMED,
        "seconds",
        "resume in the same process, at its slowest place",
        _resume("resume_warm"),
        floor=TIME_FLOOR,
    ),
    Metric(
        "resume_cold",
        Kind.TIMED,
        "seconds",
        "resume in a new process, at its slowest place",
        _resume("resume_cold"),
        floor=TIME_FLOOR,
    ),
    _time("turn_p50", "median turn", lambda m: median(m.turn_seconds) if m.turn_seconds else None),
    _time(
        "turn_p95",
        "95th percentile of the turns",
        lambda m: percentile(m.turn_seconds, 95) if m.turn_seconds else None,
    ),
    _time("session", "wall time of all turns", lambda m: m.session_seconds),
    _time("session_cpu", "CPU time of all turns", lambda m: m.session_cpu_seconds),
    _time("dump", "CPU time of serializing", _serializer("dump")),
    _time("load", "CPU time of deserializing", _serializer("load")),
    _time("history_10", "the last 10 checkpoints", _read("history_10")),
    _time("history_50", "the last 50 checkpoints", _read("history_50")),
    _time("time_travel", "one checkpoint in the middle", _read("time_travel")),
    _memory("memory_peak", "peak resident size", lambda m: m.memory.peak_bytes),
    _memory(
        "memory_growth",
        "peak resident size over its baseline",
        lambda m: m.memory.peak_bytes - m.memory.baseline_bytes,
    ),
)
