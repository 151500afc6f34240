"""A thread of a database as the series that the cost model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.inspect.candidates import Standing, standing
from deltabench.inspect.derive import derive
from deltabench.inspect.layout import layout_of
from deltabench.inspect.names import count_unnamed, value_bytes, write_bytes
from deltabench.inspect.tracking import walk
from deltabench.inspect.tracks import UNKNOWN
from deltabench.model.cadence import superstep_bound
from deltabench.model.series import ChannelSeries, FixedBytes, Lane, Series

if TYPE_CHECKING:
    from deltabench.inspect.rows import Source
    from deltabench.inspect.tracks import Track, Tracks


def thread_series(source: Source, thread: str) -> Series:
    """Updates, sizes of values and of writes of every channel that accumulates.

    `estimated` where the database stored deltas, so that sizes of values are derived. A
    turn begins with each checkpoint whose source is `input`.

    Raises DeltabenchError when the thread does not exist or nothing in it accumulates.
    """
    lanes, fixed_bytes, turns, derived, writes = [], 0, 1, False, 0
    for group in source.groups([thread]):
        tracks = walk(group, source.kind)
        derive(tracks, source)
        count_unnamed(tracks, source)
        chosen = [
            track
            for track in tracks.channels.values()
            if standing(track) in {Standing.DELTA, Standing.GROWS}
        ]
        fixed_bytes += tracks.total_bytes
        writes += tracks.writes.rows
        if not tracks.ids:
            continue
        turns = max(turns, tracks.turns[-1])
        if chosen:
            fixed_bytes -= tracks.counter_bytes + sum(track.stored_cost for track in chosen)
            fixed_bytes += sum(write_bytes(track) for track in chosen)
            derived |= any(track.is_counted for track in chosen)
            lanes.append(_lane(source, tracks, chosen))
    if not lanes:
        raise DeltabenchError(
            f"{source.name}: thread {thread!r} has no channel that accumulates its writes",
            hint="deltabench inspect lists the threads and how their channels are stored",
        )
    return Series(
        source=f"thread {thread} of {source.name}",
        checkpointer=source.kind,
        durability="async" if writes else "exit",
        superstep_bound=superstep_bound(),
        lanes=tuple(lanes),
        fixed=(FixedBytes(turn=turns, size_bytes=fixed_bytes),),
        estimated=derived,
    )


def _lane(source: Source, tracks: Tracks, chosen: list[Track]) -> Lane:
    counts = source.write_counts(tracks.thread, tracks.namespace)
    sizes = {place: size_bytes for place, (_, size_bytes) in counts.items()}
    return Lane(
        namespace=tracks.namespace,
        turns=tuple(max(1, turn) for turn in tracks.turns),
        channels=tuple(_channel(source, tracks, track, sizes) for track in chosen),
    )


def _channel(
    source: Source, tracks: Tracks, track: Track, sizes: dict[tuple[str, str], int]
) -> ChannelSeries:
    import numpy as np

    values = value_bytes(track, np.arange(len(track.at))).tolist()
    ids = [value - stored for value, stored in zip(values, track.value_bytes, strict=True)]
    writes = []
    for update, at in enumerate(track.at):
        parent = tracks.parents[at]
        place = tracks.ids[parent] if parent != UNKNOWN else ""
        new_ids = ids[update] - (ids[update - 1] if update else 0)
        writes.append(sizes.get((place, track.channel), 0) + new_ids)
    return ChannelSeries(
        channel=track.channel,
        checkpoints=tuple(track.at),
        value_bytes=tuple(values),
        write_bytes=tuple(writes),
        key_bytes=layout_of(source.kind).snapshot_keys(tracks, track),
    )
