"""When langgraph snapshots a channel: every K of its updates, and whatever forces it.

The rules are those of langgraph's `_put_checkpoint`: every checkpoint counts one superstep
for every delta channel and one update for those it writes, and either count may be enough.
A recording is held against them, so that a langgraph with other rules is noticed.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deltabench.model.series import ChannelSeries


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot in checkpoint number `checkpoint` of the value after update `update`.

    Both count from 0. `idle` says that the checkpoint did not write the channel: langgraph's
    bound on supersteps was reached, and the channel gets a new version for it.
    """

    checkpoint: int
    update: int
    idle: bool


@dataclass(frozen=True, slots=True)
class Cadence:
    """The snapshots of one channel, and its two counters after every checkpoint."""

    snapshots: tuple[Snapshot, ...]
    updates_since: NDArray[np.int64]
    supersteps_since: NDArray[np.int64]


def superstep_bound() -> int:
    """Supersteps after which the installed langgraph snapshots a channel in any case."""
    from langgraph._internal._config import DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT

    return DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT


def cadence(channel: ChannelSeries, checkpoints: int, frequency: int, bound: int) -> Cadence:
    """Work out the snapshots of a channel in a lane of that many checkpoints under K."""
    import numpy as np

    snapshots = tuple(_snapshots(channel, checkpoints, frequency, bound))
    written = np.zeros(checkpoints, dtype=np.int64)
    written[list(channel.checkpoints)] = 1
    numbers = np.arange(checkpoints, dtype=np.int64)
    last = np.full(checkpoints, -1, dtype=np.int64)
    places = [snapshot.checkpoint for snapshot in snapshots]
    last[places] = places
    last = np.maximum.accumulate(last) if checkpoints else last
    updates = np.concatenate([[0], np.cumsum(written)])
    return Cadence(
        snapshots=snapshots,
        updates_since=updates[1:] - updates[last + 1],
        supersteps_since=numbers - last,
    )


def _snapshots(
    channel: ChannelSeries, checkpoints: int, frequency: int, bound: int
) -> list[Snapshot]:
    places = channel.checkpoints
    found: list[Snapshot] = []
    last, done = -1, 0  # checkpoint of the last snapshot, and updates that it holds
    while done < len(places) or found:
        due = done + frequency - 1
        place = bisect_left(channel.forced, done)
        if place < len(channel.forced):
            due = min(due, channel.forced[place])
        counted = places[due] if due < len(places) else checkpoints
        # The bound snapshots nothing before the channel was first written.
        timed = max(last + bound, places[0] if not found else 0)
        if min(counted, timed) >= checkpoints:
            break
        last = min(counted, timed)
        newest = bisect_left(places, last + 1) - 1
        found.append(Snapshot(checkpoint=last, update=newest, idle=places[newest] != last))
        done = newest + 1
    return found
