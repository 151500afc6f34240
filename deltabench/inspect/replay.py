"""When a channel would be snapshot under a K, and what every checkpoint then has to replay.

On one line of checkpoints this is arithmetic on arrays; a thread with forks, or one that
reaches langgraph's bound of supersteps, is walked checkpoint by checkpoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deltabench.inspect.tracks import Track, Tracks


class Replay(NamedTuple):
    """The updates (from 0) that snapshots hold, and both counters after every checkpoint."""

    snapshots: list[int]
    updates: NDArray[np.int64]
    supersteps: NDArray[np.int64]


def replay(tracks: Tracks, track: Track, k: int, bound: int) -> Replay:
    """Work out one channel; `bound` is in supersteps without a snapshot."""
    found = _on_a_line(tracks, track, k) if tracks.is_linear else None
    if found is None or found.supersteps.max(initial=0) >= bound:
        return _in_a_tree(tracks, track, k, bound)
    return found


def _on_a_line(tracks: Tracks, track: Track, k: int) -> Replay:
    import numpy as np

    count = len(tracks.parents)
    places = np.array(track.at, dtype=np.int64)
    numbers = np.arange(count, dtype=np.int64)
    last = np.full(count + 1, -1, dtype=np.int64)
    snapshots = places[k - 1 :: k]
    last[snapshots] = snapshots
    last = np.maximum.accumulate(last[:count])
    written = np.zeros(count + 1, dtype=np.int64)
    written[places + 1] = 1
    updates = np.cumsum(written)
    return Replay(
        snapshots=list(range(k - 1, len(places), k)),
        updates=updates[1:] - updates[last + 1],
        supersteps=numbers - last,
    )


def _in_a_tree(tracks: Tracks, track: Track, k: int, bound: int) -> Replay:
    import numpy as np

    parents, count = tracks.parents, len(tracks.parents)
    # One more element, which stays zero: the state before the first checkpoint, whose
    # parent is -1.
    updates, supersteps, newest = [0] * (count + 1), [0] * (count + 1), [0] * (count + 1)
    numbers = [0] * count
    for number, at in enumerate(track.at, 1):
        numbers[at] = number
    snapshots: list[int] = []
    for at in range(count):
        parent = parents[at]
        since, steps, value = updates[parent], supersteps[parent] + 1, newest[parent]
        if numbers[at]:
            value = numbers[at]
            since += 1
        if value and (since >= k or steps >= bound):
            snapshots.append(value - 1)
            since = steps = 0
        updates[at], supersteps[at], newest[at] = since, steps, value
    return Replay(snapshots, np.array(updates[:count]), np.array(supersteps[:count]))
