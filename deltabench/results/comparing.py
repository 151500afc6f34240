"""How a figure of one policy compares with that of full."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deltabench.cells import Measurement, RoundTrips
from deltabench.results.statistics import paired_ratio, spread
from deltabench.results.values import Compared, Derived, Trips

Repeats = Mapping[int, Measurement]


def compare(mine: Repeats, full: Repeats, get: Callable[[Measurement], float | None]) -> Compared:
    """Spread of a figure over the repeats, and its ratio over those that full has too.

    KeyError if no repeat of `mine` has the figure.
    """
    ours = {repeat: value for repeat, m in mine.items() if (value := get(m)) is not None}
    theirs = {repeat: value for repeat, m in full.items() if (value := get(m)) is not None}
    if not ours:
        message = "no repeat has this figure"
        raise KeyError(message)
    common = sorted(ours.keys() & theirs.keys())
    return Compared(
        this=spread(list(ours.values())),
        full=spread(list(theirs.values())) if theirs else None,
        ratio=paired_ratio([theirs[r] for r in common], [ours[r] for r in common]),
    )


def trips(round_trips: RoundTrips, per: int = 1) -> Trips:
    """Divide counted round trips by the number of turns they belong to."""
    statements = round_trips.statements
    return Trips(
        calls={name: count / per for name, count in sorted(round_trips.calls.items())},
        saver_calls=sum(round_trips.calls.values()) / per,
        statements=None if statements is None else statements / per,
    )


def derive(
    here: Trips, seconds: Compared, there: Trips | None, rtt_ms: float | None
) -> Derived | None:
    """Latency over a network, one round trip after another; None without a round trip time."""
    if rtt_ms is None:
        return None
    this_seconds = here.remote * rtt_ms / 1000 + seconds.this.median
    if there is None or seconds.full is None:
        return Derived(this_seconds=this_seconds, full_seconds=None, ratio=None)
    full_seconds = there.remote * rtt_ms / 1000 + seconds.full.median
    ratio = full_seconds / this_seconds if this_seconds > 0 else None
    return Derived(this_seconds=this_seconds, full_seconds=full_seconds, ratio=ratio)
