"""What a value takes beside its own bytes, as each saver stores it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Protocol

from deltabench.inspect.names import value_bytes
from deltabench.inspect.spans import head_bytes
from deltabench.model.formats import snapshots_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deltabench.inspect.rows import Kind
    from deltabench.inspect.tracks import Track, Tracks

_SHORT_TEXT = 32
_LONG_TEXT = 256
_VALUE_TYPE_BYTES = len("msgpack")


class Layout(Protocol):
    """Bytes of one channel's values under a policy, from the update that made each."""

    def full_bytes(self, tracks: Tracks, track: Track) -> int:
        """All whole values, under full snapshots."""

    def snapshot_bytes(self, tracks: Tracks, track: Track, updates: NDArray[np.int64]) -> int:
        """All snapshots, each taken when one of `updates` was the newest."""

    def snapshot_keys(self, tracks: Tracks, track: Track) -> tuple[int, ...]:
        """Bytes of key columns that a snapshot of each update brings; empty if none."""


class Inline:
    """SQLite: the value stands in every checkpoint, changed or not, after its name."""

    def full_bytes(self, tracks: Tracks, track: Track) -> int:
        """All whole values, under full snapshots."""
        del tracks
        name = name_bytes(track.channel)
        return sum(
            held * (name + size) for held, size in zip(track.held, track.value_bytes, strict=True)
        )

    def snapshot_bytes(self, tracks: Tracks, track: Track, updates: NDArray[np.int64]) -> int:
        """All snapshots, each taken when one of `updates` was the newest."""
        del tracks
        stored = snapshots_bytes(value_bytes(track, updates))
        return name_bytes(track.channel) * len(updates) + stored

    def snapshot_keys(self, tracks: Tracks, track: Track) -> tuple[int, ...]:
        """Bytes of key columns that a snapshot of each update brings; empty if none."""
        del tracks, track
        return ()


class InTable:
    """PostgreSQL: a value is a row of its own for each version, with its key columns."""

    def full_bytes(self, tracks: Tracks, track: Track) -> int:
        """All whole values, under full snapshots."""
        each = self._key_bytes(tracks, track)
        return sum(track.value_bytes) + sum(track.version_chars) + each * len(track.at)

    def snapshot_bytes(self, tracks: Tracks, track: Track, updates: NDArray[np.int64]) -> int:
        """All snapshots, each taken when one of `updates` was the newest."""
        import numpy as np

        each = self._key_bytes(tracks, track) + marker_bytes(track.channel)
        versions = np.array(track.version_chars, dtype=np.int64)[updates]
        stored = snapshots_bytes(value_bytes(track, updates))
        return stored + each * len(updates) + int(versions.sum())

    def snapshot_keys(self, tracks: Tracks, track: Track) -> tuple[int, ...]:
        """Bytes of key columns that a snapshot of each update brings; empty if none."""
        each = self._key_bytes(tracks, track)
        return tuple(each + chars for chars in track.version_chars)

    def _key_bytes(self, tracks: Tracks, track: Track) -> int:
        texts = (tracks.thread, tracks.namespace, track.channel)
        return sum(len(text.encode()) for text in texts) + _VALUE_TYPE_BYTES


def layout_of(kind: Kind) -> Layout:
    """Give the layout of a kind of database."""
    return Inline() if kind == "sqlite" else InTable()


@cache
def name_bytes(channel: str) -> int:
    """Bytes of a channel's name as a msgpack key."""
    size = len(channel.encode())
    if size < _SHORT_TEXT:
        return 1 + size
    return size + (2 if size < _LONG_TEXT else head_bytes(size))


def marker_bytes(channel: str) -> int:
    """Bytes of the `true` that stands for a snapshot in PostgreSQL's checkpoint, as JSON."""
    return len(f'"{channel}": true, '.encode())
