"""How the time of one call grows with the state: measured, fitted, and put into words."""

from __future__ import annotations

import math
import time
from collections.abc import Sized
from typing import TYPE_CHECKING, Any

from deltabench.reducer.result import Check, Growth
from deltabench.reducer.search import sample
from deltabench.report.units import format_ratio, format_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from deltabench.reducer.subject import Subject

GROWTH = "growth"
_WRITES = (32, 64, 128, 256)
_BATCH = 16
_ROUNDS = 5
_ROUND_SECONDS = 0.002
# A state that grew less than this over the sizes is no base for a fit.
_LEAST_GROWTH = 4
# Exponents on a noisy machine; linear work is measured as 0.7 to 1.45,
# because long states leave the caches.
_FLAT, _STEEP = 0.3, 1.6


def measure_growth(subject: Subject, start: Any, *, seed: int) -> Growth | None:
    """Time calls on states of growing size; None where the writes let no state grow."""
    if subject.growing is None:
        return None
    writes = sample(subject.growing, _WRITES[-1] + _BATCH, seed=seed)
    if len(writes) < _WRITES[-1] + _BATCH:
        return None
    batch = writes[_WRITES[-1] :]
    sizes: list[int] = []
    seconds: list[float] = []
    state: Any = None
    for count in _WRITES:
        outcome = subject.attempt(start, writes[:count])
        state = outcome.value
        if outcome.raised or not isinstance(state, Sized):
            return None
        sizes.append(len(state))
        seconds.append(_fastest(subject.reducer, state, batch[:1]))
    if sizes[-1] < _LEAST_GROWTH * max(sizes[0], 1):
        return None
    ratio = _fastest(subject.reducer, state, batch) / seconds[-1]
    return Growth(tuple(sizes), tuple(seconds), exponent(sizes, seconds), _BATCH, ratio)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The p of seconds = c * size**p that fits best, by least squares of the logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(second) for second in seconds]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return slope / sum((x - x_mean) ** 2 for x in xs)


def growth_check(growth: Growth | None) -> Check:
    """What was measured in one line; a warning where it grows faster than the state."""
    if growth is None:
        return Check(GROWTH, "not tried", "no state grew by the values tried")
    low, high = growth.sizes_items[0], growth.sizes_items[-1]
    calls = " to ".join(format_seconds(growth.seconds[place]) for place in (0, -1))
    figures = (
        f"one write on {low:,} to {high:,} items takes {calls}, as n^{growth.exponent:.2f}; "
        f"{growth.batch_writes} writes {format_ratio(growth.batch_ratio)} of one"
    )
    verdict, meaning = _meaning(growth)
    return Check(GROWTH, "warning" if verdict else "measured", f"{meaning}: {figures}")


def _meaning(growth: Growth) -> tuple[bool, str]:
    if growth.exponent > _STEEP:
        return True, "grows faster than the state"
    if growth.exponent < _FLAT:
        return False, "does not depend on the state"
    if growth.batch_ratio > growth.batch_writes / 2:
        return False, "each write costs as the state is long; K writes cost K times that"
    return False, "each batch costs as the state is long, however many its writes"


def _fastest(reducer: Callable[[Any, Any], Any], state: Any, writes: list[Any]) -> float:
    """Seconds of one call: the fastest of several rounds, which noise can only slow."""
    loops, taken = 1, 0.0
    while taken < _ROUND_SECONDS:
        taken = _round(reducer, state, writes, loops)
        loops = loops if taken >= _ROUND_SECONDS else loops * 2
    return min(_round(reducer, state, writes, loops) for _ in range(_ROUNDS)) / loops


def _round(reducer: Callable[[Any, Any], Any], state: Any, writes: list[Any], loops: int) -> float:
    begin = time.perf_counter_ns()
    for _ in range(loops):
        reducer(state, writes)
    return (time.perf_counter_ns() - begin) / 1e9
