"""How long resuming and history take, and at which phase of the period it is worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.results.comparing import Repeats, compare, derive, trips
from deltabench.results.statistics import median
from deltabench.results.values import Reading, Reads, ResumeAt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.cells import Measurement, Policy, Read, ReadPosition


def read_figures(policy: Policy, mine: Repeats, full: Repeats, rtt_ms: float | None) -> Reads:
    """Summarize every read of the repeats of one policy."""

    def own(what: str) -> tuple[Reading, ...]:
        reads = [read for m in mine.values() for read in m.reads if read.what == what]
        places = dict.fromkeys(read.position for read in own_phases(policy, reads))
        return tuple(_reading(what, place, mine, full, rtt_ms) for place in places)

    def only(what: str) -> Reading | None:
        found = any(find(m, what) for m in mine.values())
        return _reading(what, None, mine, full, rtt_ms) if found else None

    warm, cold = own("resume_warm"), own("resume_cold")
    return Reads(
        resume_warm=warm,
        resume_cold=cold,
        worst_warm=_worst(warm),
        worst_cold=_worst(cold),
        resume_by_depth=() if policy.is_full else _by_depth(mine, full),
        history_10=only("history_10"),
        history_50=only("history_50"),
        time_travel=only("time_travel"),
    )


def own_phases(policy: Policy, reads: Sequence[Read]) -> list[Read]:
    """Keep the places that were chosen for this policy's period, and the end of the thread."""
    if policy.is_full:
        return list(reads)
    k = policy.snapshot_frequency
    placed = [(read, read.position) for read in reads if read.position]
    return [read for read, place in placed if place.snapshot_frequency == k or place.phase == "end"]


def find(measurement: Measurement, what: str, place: ReadPosition | None = None) -> Read | None:
    """Find one read of a measurement; without a place, the only one of its kind."""
    reads = (read for read in measurement.reads if read.what == what)
    return next((read for read in reads if place is None or read.position == place), None)


def _by_depth(mine: Repeats, full: Repeats) -> tuple[ResumeAt, ...]:
    places: dict[int, list[Read]] = {}
    theirs: dict[int, list[float]] = {}
    for measurement in mine.values():
        for update, read in _warm(measurement).items():
            places.setdefault(update, []).append(read)
    for measurement in full.values():
        for update, read in _warm(measurement).items():
            theirs.setdefault(update, []).append(median(read.seconds))
    found = [
        ResumeAt(
            update=update,
            updates_since_snapshot=reads[0].updates_since_snapshot,
            seconds=tuple(median(read.seconds) for read in reads),
            full_seconds=tuple(theirs.get(update, ())),
            samples=sum(len(read.seconds) for read in reads),
        )
        for update, reads in places.items()
    ]
    return tuple(sorted(found, key=lambda place: (place.updates_since_snapshot, place.update)))


def _warm(measurement: Measurement) -> dict[int, Read]:
    """The first warm resume at each update: several K may have chosen the same one."""
    found: dict[int, Read] = {}
    for read in measurement.reads:
        if read.what == "resume_warm" and read.position and read.seconds:
            found.setdefault(read.position.update, read)
    return found


def _worst(readings: tuple[Reading, ...]) -> Reading | None:
    return max(readings, key=lambda reading: reading.seconds.this.median, default=None)


def _reading(
    what: str, place: ReadPosition | None, mine: Repeats, full: Repeats, rtt_ms: float | None
) -> Reading:
    def seconds(measurement: Measurement) -> float | None:
        read = find(measurement, what, place)
        return median(read.seconds) if read and read.seconds else None

    def open_seconds(measurement: Measurement) -> float | None:
        read = find(measurement, what, place)
        return median(read.open_seconds) if read and read.open_seconds else None

    read = next(found for m in mine.values() if (found := find(m, what, place)))
    other = next((found for m in full.values() if (found := find(m, what, place))), None)
    timed = compare(mine, full, seconds)
    here = trips(read.round_trips)
    return Reading(
        position=place,
        seconds=timed,
        open_seconds=compare(mine, full, open_seconds) if read.open_seconds else None,
        updates_since_snapshot=read.updates_since_snapshot,
        supersteps_since_snapshot=read.supersteps_since_snapshot,
        trips=here,
        full_trips=trips(other.round_trips) if other else None,
        derived=derive(here, timed, trips(other.round_trips) if other else None, rtt_ms),
    )
