"""What messages without an id would take more under delta.

langgraph gives each message that is written to a delta channel an id, which is stored with
the write and with every snapshot. Under full snapshots it does not: `add_messages` puts
one into the value alone, other reducers into neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.inspect.candidates import Standing, standing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deltabench.inspect.rows import Source
    from deltabench.inspect.tracks import Track, Tracks

# An id that is null, in msgpack. No text can hold it: 0xC0 stands nowhere in UTF-8.
NO_ID = b"\xa2id\xc0"
ID_BYTES = 37  # a text of 36 characters in place of a null


def count_unnamed(tracks: Tracks, source: Source) -> None:
    """Count the writes of messages without an id, in channels that are stored whole.

    Where a source looks only into a part of the writes, it is an estimate for all.
    """
    writes = {
        track.channel: track.writes.rows
        for track in tracks.channels.values()
        if standing(track) is Standing.GROWS
    }
    if not writes:
        return
    found = source.unnamed_writes(tracks.thread, tracks.namespace, writes)
    for channel, rows in writes.items():
        looked_into, unnamed = found.get(channel, (0, 0))
        track = tracks.channels[channel]
        track.unnamed_writes = round(unnamed * rows / max(1, looked_into))
        track.unnamed_values = 0 if _has_names(track) else track.unnamed_writes
        track.unnamed_estimated = looked_into < rows


def write_bytes(track: Track) -> int:
    """Bytes that ids would add to all the writes of a channel."""
    return ID_BYTES * track.unnamed_writes


def value_bytes(track: Track, updates: NDArray[np.int64]) -> NDArray[np.int64]:
    """Size of the value after each of these updates, with the ids its messages would have.

    How many of them were without by then follows from the number of updates.
    """
    import numpy as np

    unnamed = track.unnamed_values * (updates + 1) // max(1, len(track.at))
    return np.array(track.value_bytes, dtype=np.int64)[updates] + ID_BYTES * unnamed


def _has_names(track: Track) -> bool:
    """Whether the last value is larger than its writes by what ids would take."""
    written_bytes = track.writes.size_bytes - track.writes.rows  # each with the head of a list
    surplus_bytes = track.value_bytes[-1] - written_bytes
    return surplus_bytes > ID_BYTES * track.unnamed_writes // 2
