"""Stored bytes after every turn of a series: under full snapshots, and under any K.

The same arithmetic as `derive`, in arrays, for threads of hundreds of thousands of
checkpoints. Like it, exact where the series was recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deltabench.model.cadence import cadence
from deltabench.model.formats import counter_bytes, row_bytes, snapshot_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from deltabench.model.series import ChannelSeries, Lane, Series

    Curve = NDArray[np.int64]

# Of a series that does not say: what a thread of Deep Agents has.
USUAL_ENTRIES, USUAL_METADATA_ENTRIES = 1, 5


def fixed_curve(series: Series) -> Curve:
    """What no K touches, after each turn from 1; between two known turns on a line."""
    known = [0, *(fixed.turn for fixed in series.fixed)]
    sizes = [0, *(fixed.size_bytes for fixed in series.fixed)]
    turns = np.arange(1, series.turns + 1)
    return np.rint(np.interp(turns, known, sizes)).astype(np.int64)


def delta_curve(series: Series, frequency: int) -> Curve:
    """Everything stored under K after each turn."""
    added = np.zeros(series.turns + 1, dtype=np.int64)
    for lane in series.lanes:
        _add_lane(series, lane, frequency, added)
    return fixed_curve(series) + np.cumsum(added)[1:]


def full_curve(series: Series) -> Curve:
    """Everything stored under full snapshots after each turn.

    Each update stores the whole value; in sqlite each checkpoint does, changed or not.
    """
    added = np.zeros(series.turns + 1, dtype=np.int64)
    for lane in series.lanes:
        turns = np.array(lane.turns, dtype=np.int64)
        for channel in lane.channels:
            if not channel.checkpoints:
                continue
            values = np.array(channel.value_bytes, dtype=np.int64)
            places = np.array(channel.checkpoints, dtype=np.int64)
            if series.checkpointer == "sqlite":
                every = np.arange(places[0], len(turns))
                held = values[np.searchsorted(places, every, side="right") - 1]
                added += _by_turn(turns[every], held + row_bytes("sqlite", [channel.channel], 0),
                                  series.turns)  # fmt: skip
            else:
                keys = np.array(channel.key_bytes or [0] * len(places), dtype=np.int64)
                added += _by_turn(turns[places], values + keys, series.turns)
    return fixed_curve(series) + np.cumsum(added)[1:]


def worst_depth(series: Series, frequency: int) -> int:
    """Most updates that a read of the thread's end has to replay, wherever it ends."""
    return max(
        (min(frequency - 1, len(c.checkpoints)) for c in series.lanes[0].channels), default=0
    )


def most_updates(series: Series) -> int:
    """Updates of the channel that the thread updates most; a K beyond never snapshots."""
    return max((len(channel.checkpoints) for channel in series.lanes[0].channels), default=0)


def _add_lane(series: Series, lane: Lane, frequency: int, added: Curve) -> None:
    count = len(lane.turns)
    turns = np.array(lane.turns, dtype=np.int64)
    together: dict[int, list[str]] = {}
    counters = {}
    for channel in lane.channels:
        ruled = cadence(channel, count, frequency, series.superstep_bound)
        counters[channel.channel] = (ruled.updates_since, ruled.supersteps_since)
        for snapshot in ruled.snapshots:
            size = snapshot_bytes(channel.value_bytes[snapshot.update])
            added[lane.turns[snapshot.checkpoint]] += size + _key_bytes(channel, snapshot.update)
            together.setdefault(snapshot.checkpoint, []).append(channel.channel)
    if series.checkpointer != "memory":
        for checkpoint, names in together.items():
            entries = lane.entries[checkpoint] if lane.entries else USUAL_ENTRIES
            added[lane.turns[checkpoint]] += row_bytes(series.checkpointer, names, entries)
    others = np.array(lane.metadata_entries or [USUAL_METADATA_ENTRIES] * count, dtype=np.int64)
    added += _by_turn(turns, counter_bytes(series.checkpointer, counters, others), series.turns)


def _key_bytes(channel: ChannelSeries, update: int) -> int:
    return channel.key_bytes[update] if channel.key_bytes else 0


def _by_turn(turns: Curve, sizes: Curve, last: int) -> Curve:
    summed = np.bincount(turns, weights=sizes, minlength=last + 1)
    return np.rint(summed).astype(np.int64)
