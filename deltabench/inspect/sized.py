"""Sizes of a delta channel's values out of the sizes of its writes, whose contents stay unread.

Each write adds its items to the value, may replace or remove others, and is a list or a map
of its own, which takes a byte. So between two stored snapshots the value grows by at most
the sum of the writes, and every size in between is off by no more than what is missing of
that sum at the second snapshot. Where this is next to nothing, the sizes are taken, and
counted as estimates; otherwise the contents are read (`derive`).

After the last snapshot nothing tells what is missing. There the channel is taken to go on
as it did up to there; one without any snapshot is judged by other threads without one,
some of whose contents are read.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from deltabench.checkpointers.tally import collapsed
from deltabench.inspect.columns import NotPlainError, follow_columns
from deltabench.inspect.derive import derive
from deltabench.inspect.tracking import walk
from deltabench.inspect.tracks import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from deltabench.inspect.rows import Group, Source
    from deltabench.inspect.tracks import Track, Tracks

_MOST_MISSING = 0.0025  # of the sum of all sizes
_HEADS_BYTES = 6  # of the value as a list, and of a long write


class _Sized(NamedTuple):
    """A namespace, and its channels whose writes have to be read after all."""

    tracks: Tracks
    unknown: list[Track]


class Deriver:
    """Reads threads one by one, and remembers which channels do not only grow."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], int] = {}
        self._deviating: set[tuple[str, str]] = set()

    def tracks(self, group: Group, source: Source) -> Tracks:
        """Read a namespace, with all sizes that can be known or estimated.

        A channel for which that fails gets a `problem`.
        """
        sized = self._sized(group) if group.columns is not None else None
        if sized is not None and not sized.unknown:
            return sized.tracks
        tracks = walk(group, source.kind)
        derive(tracks, source)
        for track in sized.unknown if sized is not None else ():
            if not _only_grew(track, tracks.channels[track.channel]):
                self._deviating.add((collapsed(tracks.namespace), track.channel))
        return tracks

    def _sized(self, group: Group) -> _Sized | None:
        """Read the columns of a namespace; None if these do not do."""
        try:
            tracks = follow_columns(group, group.columns) if group.columns else None
        except NotPlainError:
            tracks = None
        if tracks is None:
            return None
        unknown = []
        for track in tracks.channels.values():
            is_delta = track.is_counted or track.snapshot_rows
            if is_delta and UNKNOWN in track.value_bytes and not self._estimate(tracks, track):
                unknown.append(track)
        return _Sized(tracks, unknown)

    def _estimate(self, tracks: Tracks, track: Track) -> bool:
        rows, added = track.added_rows, track.added_bytes
        if rows is None or added is None or tracks.orphans:
            return False
        values = _numbers(track.value_bytes)
        are_unknown = values == UNKNOWN
        if not rows[are_unknown].all():
            return False  # its writes are not stored
        stored = (~are_unknown).nonzero()[0]
        if not len(stored) and not self._is_trusted(tracks, track):
            return False
        sizes = between(values, stored, rows, added - rows)
        if sizes is None:
            return False
        track.estimated = set(are_unknown.nonzero()[0].tolist())
        track.value_bytes = array("q", sizes.tolist())
        return True

    def _is_trusted(self, tracks: Tracks, track: Track) -> bool:
        """Whether other threads tell; the 1st, 2nd, 4th, 8th and so on is read itself."""
        channel = (collapsed(tracks.namespace), track.channel)
        if channel in self._deviating:
            return False
        seen = self._seen[channel] = self._seen.get(channel, 0) + 1
        return seen & (seen - 1) != 0


def between(
    values: NDArray[np.int64],
    stored: NDArray[np.int64],
    rows: NDArray[np.int64],
    added: NDArray[np.int64],
) -> NDArray[np.int64] | None:
    """All sizes, by what was added between the stored ones; None where too much is missing."""
    import numpy as np

    sizes = values.astype(float)
    missing_bytes = ratio = 0.0
    grown = sum_added = 0.0
    for first, last in _stretches(stored):
        start = values[first] if first >= 0 else 0
        sums = np.cumsum(added[first + 1 : last + 1])
        growth, sum_bytes = values[last] - start, sums[-1]
        missing = sum_bytes - growth
        if missing < -(rows[first + 1 : last + 1].sum() + _HEADS_BYTES):
            return None  # it grew by more than what was written
        inside = last - first - 1
        missing_bytes += inside * abs(missing)
        if inside and sum_bytes > 0:
            sizes[first + 1 : last] = start + sums[:-1] * (growth / sum_bytes)
        grown += growth
        sum_added += sum_bytes
    ratio = grown / sum_added if sum_added > 0 else 1.0
    newest = int(stored[-1]) if len(stored) else -1
    if newest + 1 < len(values):
        rest = np.cumsum(added[newest + 1 :])
        sizes[newest + 1 :] = (values[newest] if newest >= 0 else 1) + rest * ratio
        missing_bytes += float(rest.sum()) * abs(1 - ratio)
    if missing_bytes > _MOST_MISSING * sizes.sum():
        return None
    return sizes.round().astype(np.int64)


def _stretches(stored: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    before = UNKNOWN
    for update in stored.tolist():
        yield before, update
        before = update


def _only_grew(sized: Track, read: Track) -> bool:
    """Whether the newest size, now that contents were read, is that of all writes together."""
    rows, added = sized.added_rows, sized.added_bytes
    if read.problem or rows is None or added is None:
        return False
    newest_bytes = read.value_bytes[-1]
    missing_bytes = abs(int(added.sum() - rows.sum()) - newest_bytes)
    return missing_bytes <= int(rows.sum()) + _HEADS_BYTES + _MOST_MISSING * newest_bytes


def _numbers(values: object) -> NDArray[np.int64]:
    import numpy as np

    return np.array(values, dtype=np.int64)
