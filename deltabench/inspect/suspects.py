"""Values of whose sizes nothing else tells that they are damaged: a few are looked into.

A value that was cut off is smaller than the one before it, to which only something was
added. Removed messages make a value smaller, too, so that the data itself has to tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.checkpointers.msgpack_spans import skip
from deltabench.inspect.candidates import Standing, standing
from deltabench.inspect.tracks import UNKNOWN

if TYPE_CHECKING:
    from deltabench.inspect.rows import Source
    from deltabench.inspect.tracks import Track, Tracks

_MOST_IN_A_DATABASE = 40
_LARGEST_BYTES = 8_000_000  # of a value that is looked into


class Suspects:
    """Looks into a few values of a database, and names those that are damaged."""

    def __init__(self) -> None:
        self._left = _MOST_IN_A_DATABASE

    def look(self, tracks: Tracks, source: Source) -> None:
        """Add a problem for each damaged value of this namespace."""
        for track in tracks.channels.values():
            if standing(track) is not Standing.GROWS or track.added_bytes is None:
                continue  # without these, the source has walked through every value itself
            for update in _smaller(track)[: self._left]:
                self._left -= 1
                self._look(tracks, track, update, source)

    def _look(self, tracks: Tracks, track: Track, update: int, source: Source) -> None:
        place = tracks.ids[track.at[update]]
        data = source.value(tracks.thread, tracks.namespace, track.channel, place, "")
        if data is None or _is_whole(data):
            return
        tracks.problems.append(
            f"thread {tracks.thread}, checkpoint {place}, channel {track.channel}:"
            " the value is cut off or damaged"
        )


def _smaller(track: Track) -> list[int]:
    """The updates whose value is smaller than the one before."""
    sizes = track.value_bytes
    return [
        update
        for update in range(1, len(sizes))
        if UNKNOWN < sizes[update] < min(sizes[update - 1], _LARGEST_BYTES)
    ]


def _is_whole(data: bytes) -> bool:
    try:
        return skip(data, 0) == len(data)
    except ValueError:
        return False
