"""How long turns take in the course of a session: percentiles of windows of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.results.statistics import median, percentile
from deltabench.results.values import TurnWindow

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_WINDOWS = 20
# Below this a window says little; but a short session needs a few windows, too.
_FEWEST_TURNS, _FEWEST_WINDOWS = 5, 4


def turn_windows(repeats: Sequence[Sequence[float]]) -> tuple[TurnWindow, ...]:
    """Cut sessions of one length into at most twenty windows; the last may be shorter.

    Takes the turn latencies in seconds of each repeat.
    """
    turns = max((len(seconds) for seconds in repeats), default=0)
    size = max(-(-turns // MOST_WINDOWS), min(_FEWEST_TURNS, turns // _FEWEST_WINDOWS))
    return tuple(
        _window(start, [seconds[start : start + size] for seconds in repeats])
        for start in range(0, turns, size or 1)
    )


def _window(start: int, parts: Sequence[Sequence[float]]) -> TurnWindow:
    pooled = [seconds for part in parts for seconds in part]
    return TurnWindow(
        first_turn=start + 1,
        last_turn=start + max(len(part) for part in parts),
        p5_seconds=percentile(pooled, 5),
        median_seconds=median(pooled),
        p95_seconds=percentile(pooled, 95),
        samples=len(pooled),
    )
