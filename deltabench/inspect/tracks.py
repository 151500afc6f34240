"""What one namespace of a thread stores, channel by channel, and when each was updated."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deltabench.inspect.rows import WriteSums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deltabench.inspect.rows import Blob

UNKNOWN = -1


@dataclass(slots=True)
class Track:
    """One channel: parallel arrays with an entry for each update, in checkpoint order.

    `at` is the position of the checkpoint, `value_bytes` the whole value's size (UNKNOWN
    where none is stored), `held` the checkpoints that have this version, `version_chars`
    its length. `stored_cost` is all that the stored values take,
    with names and keys. `unnamed_writes` and `unnamed_values` count messages without an id
    (see `names`). `is_counted` says that the metadata names it as a delta channel.

    `added_rows` and `added_bytes` are the writes that made each update, where the source
    tells them. `estimated` are the updates whose value is not known to the byte.
    """

    channel: str
    at: array[int] = field(default_factory=lambda: array("q"))
    value_bytes: array[int] = field(default_factory=lambda: array("q"))
    held: array[int] = field(default_factory=lambda: array("q"))
    since: int = 0
    version_chars: array[int] = field(default_factory=lambda: array("q"))
    versions: dict[str, int] = field(default_factory=dict)
    full_rows: int = 0
    full_bytes: int = 0
    snapshot_rows: int = 0
    snapshot_bytes: int = 0
    lost_rows: int = 0
    lost_bytes: int = 0
    largest_bytes: int = 0
    stored_cost: int = 0
    writes: WriteSums = field(default_factory=WriteSums)
    last_stored: int = UNKNOWN
    is_counted: bool = False
    unnamed_writes: int = 0
    unnamed_values: int = 0
    unnamed_estimated: bool = False
    added_rows: NDArray[np.int64] | None = None
    added_bytes: NDArray[np.int64] | None = None
    estimated: set[int] = field(default_factory=set)
    problem: str = ""

    def add_stored(self, size_bytes: int, extra_bytes: int, *, snapshot: bool) -> None:
        """Count a stored value, and what it takes beside its bytes."""
        if snapshot:
            self.snapshot_rows += 1
            self.snapshot_bytes += size_bytes
        else:
            self.full_rows += 1
            self.full_bytes += size_bytes
        self.largest_bytes = max(self.largest_bytes, size_bytes)
        self.stored_cost += size_bytes + extra_bytes

    def add_inline(self, rows: int, size_bytes: int, largest_bytes: int) -> None:
        """Count values that stand in checkpoint rows of PostgreSQL, of `size_bytes` together."""
        self.full_rows += rows
        self.full_bytes += size_bytes
        self.largest_bytes = max(self.largest_bytes, largest_bytes)
        self.stored_cost += size_bytes

    def know(self, update: int, size_bytes: int) -> None:
        """Take note of the size of a stored value."""
        self.value_bytes[update] = size_bytes
        self.last_stored = max(self.last_stored, update)

    def add_lost(self, size_bytes: int) -> None:
        """Count a stored value that no checkpoint refers to."""
        self.lost_rows += 1
        self.lost_bytes += size_bytes

    @property
    def stored_bytes(self) -> int:
        """Bytes of every stored value, reachable or not."""
        return self.full_bytes + self.snapshot_bytes + self.lost_bytes

    @property
    def updates_since_stored(self) -> int:
        """Updates that a read of the newest checkpoint replays."""
        return len(self.at) - 1 - self.last_stored


@dataclass(slots=True)
class Tracks:
    """The whole namespace: its channels, the tree of checkpoints, and sums of its rows.

    `parents` holds the position of each checkpoint's parent, UNKNOWN without one, `turns`
    the number of inputs up to it. `orphans` are positions of checkpoints whose parent is
    not there.
    """

    thread: str
    namespace: str
    channels: dict[str, Track] = field(default_factory=dict)
    parents: array[int] = field(default_factory=lambda: array("q"))
    ids: list[str] = field(default_factory=list)
    turns: array[int] = field(default_factory=lambda: array("q"))
    checkpoint_bytes: array[int] = field(default_factory=lambda: array("q"))
    is_linear: bool = True
    row_bytes: int = 0
    key_bytes: int = 0
    counter_bytes: int = 0
    blob_rows: int = 0
    blob_bytes: int = 0
    value_key_bytes: int = 0
    orphans: array[int] = field(default_factory=lambda: array("q"))
    lost_blobs: WriteSums = field(default_factory=WriteSums)
    lost_writes: WriteSums = field(default_factory=WriteSums)
    problems: list[str] = field(default_factory=list)

    def channel(self, name: str) -> Track:
        """Give the track of a channel; a new one if it was not seen yet."""
        found = self.channels.get(name)
        if found is None:
            found = self.channels[name] = Track(name)
        return found

    def count_blob(self, blob: Blob) -> None:
        """Count a row of the table of values."""
        self.blob_rows += 1
        self.blob_bytes += blob.size_bytes
        self.value_key_bytes += blob.key_bytes

    @property
    def writes(self) -> WriteSums:
        """Sums over the writes of all channels."""
        sums = WriteSums()
        for track in self.channels.values():
            w = track.writes
            sums.add(w.rows, w.size_bytes, w.key_bytes, w.largest_bytes)
        return sums

    @property
    def value_bytes(self) -> int:
        """Bytes of all stored values."""
        return sum(track.stored_bytes for track in self.channels.values())

    @property
    def total_bytes(self) -> int:
        """Every logical byte of the namespace."""
        writes = self.writes
        return (
            self.row_bytes + self.key_bytes + self.value_bytes + self.value_key_bytes
            + writes.size_bytes + writes.key_bytes
        )  # fmt: skip
