"""What the repeats of one policy say, beside those of full.

Counted quantities are taken from the first repeat: `equality` has made sure that the
others give the same. Timed ones are summarized over the repeats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.results.comparing import Repeats, compare, derive, trips
from deltabench.results.reads import read_figures
from deltabench.results.statistics import (
    growth_exponent,
    median,
    percentile,
    spread,
)
from deltabench.results.values import (
    Exact,
    Figures,
    Mark,
    Serialized,
    State,
)
from deltabench.results.windows import turn_windows

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.cells import Measurement, Policy, SerializerUse


def figures(policy: Policy, mine: Repeats, full: Repeats, rtt_ms: float | None) -> Figures:
    """Summarize the repeats of one policy; `full` is empty where there is nothing to compare."""
    first = mine[min(mine)]
    base = full[min(full)] if full else None
    turns = len(first.turn_seconds)
    turn = compare(mine, full, lambda m: median(m.turn_seconds))
    turn_trips = trips(first.session_round_trips, turns)
    base_trips = trips(base.session_round_trips, len(base.turn_seconds)) if base else None
    names = sorted(first.physical_bytes)
    tenth = max(1, turns // 10)
    middle = (turns - tenth) // 2
    totals = [stored.total_bytes for stored in first.storage]
    return Figures(
        stored=first.stored,
        total_bytes=_exact(first, base),
        floor_bytes=first.stored.floor_bytes,
        marks=_marks(first, base),
        growth_exponent=growth_exponent([stored.turn for stored in first.storage], totals),
        physical_bytes={name: compare(mine, full, _physical(name)) for name in names},
        largest_value=first.stored.largest_value,
        channels=first.channels,
        updates=first.updates,
        snapshots=first.snapshots,
        never_snapshots=not policy.is_full and not any(first.snapshots.values()),
        supersteps=first.supersteps,
        serializer=tuple(
            Serialized(
                direction=use.direction,
                kind=use.kind,
                calls=use.calls,
                size_bytes=use.size_bytes,
                seconds=spread([_seconds_of(m, use) for m in mine.values()]),
            )
            for use in first.serializer
        ),
        dump_seconds=compare(mine, full, lambda m: _direction_seconds(m, "dump")),
        load_seconds=compare(mine, full, lambda m: _direction_seconds(m, "load")),
        session_seconds=compare(mine, full, lambda m: m.session_seconds),
        session_cpu_seconds=compare(mine, full, lambda m: m.session_cpu_seconds),
        turn_p50_seconds=turn,
        turn_p95_seconds=compare(mine, full, lambda m: percentile(m.turn_seconds, 95)),
        turn_p99_seconds=compare(mine, full, lambda m: percentile(m.turn_seconds, 99)),
        turn_first_seconds=compare(mine, full, lambda m: median(m.turn_seconds[:tenth])),
        turn_middle_seconds=compare(
            mine, full, lambda m: median(m.turn_seconds[middle : middle + tenth])
        ),
        turn_last_seconds=compare(mine, full, lambda m: median(m.turn_seconds[-tenth:])),
        turn_windows=turn_windows([m.turn_seconds for m in mine.values()]),
        turn_trips=turn_trips,
        full_turn_trips=base_trips,
        turn_derived=derive(turn_trips, turn, base_trips, rtt_ms),
        reads=read_figures(policy, mine, full, rtt_ms),
        memory_peak_bytes=compare(mine, full, lambda m: m.memory.peak_bytes),
        memory_over_baseline_bytes=compare(
            mine, full, lambda m: m.memory.peak_bytes - m.memory.baseline_bytes
        ),
        state=_state(first, base),
        saver_class=first.saver_class,
        notes=tuple(dict.fromkeys(note for m in mine.values() for note in m.notes)),
    )


def _physical(name: str) -> Callable[[Measurement], int | None]:
    return lambda measurement: measurement.physical_bytes.get(name)


def _exact(first: Measurement, base: Measurement | None) -> Exact:
    this = first.stored.total_bytes
    full = base.stored.total_bytes if base else None
    return Exact(this=this, full=full, ratio=full / this if full and this else None)


def _marks(first: Measurement, base: Measurement | None) -> tuple[Mark, ...]:
    full = {stored.turn: stored.total_bytes for stored in base.storage} if base else {}
    return tuple(
        Mark(
            turn=stored.turn,
            total_bytes=stored.total_bytes,
            floor_bytes=stored.floor_bytes,
            ratio=full[stored.turn] / stored.total_bytes
            if full.get(stored.turn) and stored.total_bytes
            else None,
        )
        for stored in first.storage
    )


def _seconds_of(measurement: Measurement, use: SerializerUse) -> float:
    same = (u for u in measurement.serializer if (u.direction, u.kind) == (use.direction, use.kind))
    return sum(u.seconds for u in same)


def _direction_seconds(measurement: Measurement, direction: str) -> float:
    return sum(use.seconds for use in measurement.serializer if use.direction == direction)


def _state(first: Measurement, base: Measurement | None) -> State:
    return State(
        messages=first.state.messages,
        files=first.state.files,
        equal=first.state.content == base.state.content if base else None,
        ids_equal=first.state.ids == base.state.ids if base else None,
        ids_stable=first.state.ids_stable,
        generated_ids=first.state.generated_ids,
        missing_ids=first.state.missing_ids,
    )
