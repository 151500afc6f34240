"""What a source hands over of a database: sizes and names, never the values themselves.

Rows are named tuples, which are made twice as fast as frozen dataclasses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["sqlite", "postgres"]


class Stored(NamedTuple):
    """A whole value that stands inside a checkpoint row.

    `is_snapshot` tells a delta channel's snapshot from a plain value. In PostgreSQL a
    snapshot is a marker in the row, its bytes are in a blob: then `size_bytes` is 0.
    """

    size_bytes: int
    is_snapshot: bool = False


class Checkpoint(NamedTuple):
    """One checkpoint row.

    `row_bytes` are checkpoint and metadata without inline values, `key_bytes` its text
    columns, `counter_bytes` the part of `row_bytes` that delta channels put into the
    metadata. `versions` are the channels' versions, `updated` the channels that this
    superstep wrote (None in rows of older versions), `counted` the delta channels. With
    `is_input` the checkpoint is that of a turn's input.
    """

    id: str
    parent: str | None
    row_bytes: int
    key_bytes: int
    counter_bytes: int
    versions: dict[str, str]
    updated: list[str] | None
    counted: frozenset[str]
    values: dict[str, Stored]
    is_input: bool


class Blob(NamedTuple):
    """A value in a table of its own (PostgreSQL), with the text that identifies it."""

    size_bytes: int
    key_bytes: int
    is_empty: bool


@dataclass(slots=True)
class WriteSums:
    """Rows and bytes of the pending writes of one channel."""

    rows: int = 0
    size_bytes: int = 0
    key_bytes: int = 0
    largest_bytes: int = 0

    def add(self, rows: int, size_bytes: int, key_bytes: int, largest_bytes: int) -> None:
        """Add rows of `size_bytes` together."""
        self.rows += rows
        self.size_bytes += size_bytes
        self.key_bytes += key_bytes
        self.largest_bytes = max(self.largest_bytes, largest_bytes)

    @property
    def all_bytes(self) -> int:
        """Bytes of the rows with their keys."""
        return self.size_bytes + self.key_bytes


class BlobColumns(NamedTuple):
    """The values of one channel: hashes of their versions, sizes, and bytes of their keys.

    `version_bytes` is the part of a key that is the version.
    """

    versions: NDArray[np.int64]
    version_bytes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    key_bytes: NDArray[np.int64]
    are_empty: NDArray[np.bool_]


class Steps(NamedTuple):
    """Every write of a channel: a hash of the checkpoint that it belongs to, and its bytes."""

    checkpoints: NDArray[np.int64]
    sizes: NDArray[np.int64]
    are_msgpack: bool


class Columns(NamedTuple):
    """A namespace by columns: the same as its rows, a hash for each text that is compared.

    Checkpoints stand in any order, but in all columns in the same one. `parents` is 0
    where there is none, `versions` where a row has none of that channel. `all_bytes` is
    the size of each row with its keys. `updated` and `inline` are JSON; `inline` is an
    object of null and true, or in a row with other values `!` and a list of what is true.
    Then `values` has the sums of all that are not true. `counters` is that of the rows that
    have counters, one a line.
    """

    ids: list[str]
    hashes: NDArray[np.int64]
    parents: NDArray[np.int64]
    all_bytes: NDArray[np.int64]
    key_bytes: int
    updated: list[str]
    inline: list[str]
    values: dict[str, WriteSums] | None
    counters: str
    versions: dict[str, NDArray[np.int64]]
    blobs: dict[str, BlobColumns]
    steps: dict[str, Steps]


@dataclass(slots=True)
class Group:
    """One namespace of one thread, checkpoints in the order of their ids.

    `blobs` is by channel and version. `lost_writes` are those of missing checkpoints;
    they are in `writes` too. `columns` tells the same at less cost, where a source can give
    that: then `checkpoints` and `blobs` are asked for only when the former are walked.
    """

    thread: str
    namespace: str
    checkpoints: Iterable[Checkpoint] = ()
    blobs: dict[str, dict[str, Blob]] = field(default_factory=dict)
    writes: dict[str, WriteSums] = field(default_factory=dict)
    lost_writes: WriteSums = field(default_factory=WriteSums)
    problems: list[str] = field(default_factory=list)
    columns: Columns | None = None


class PendingWrite(NamedTuple):
    """The bytes of one stored write of `channel`, belonging to `checkpoint_id`."""

    checkpoint_id: str
    channel: str
    type: str | None
    data: bytes


class Unnamed(NamedTuple):
    """Writes that were looked into, and those that hold a message without an id."""

    looked_into: int
    found: int


class Source(ABC):
    """A database that is open for reading, one consistent state of it."""

    kind: ClassVar[Kind]
    name: str

    @abstractmethod
    def close(self) -> None:
        """End reading."""

    @abstractmethod
    def physical_bytes(self) -> dict[str, int]:
        """Physical sizes by name, in bytes."""

    @abstractmethod
    def threads(self) -> dict[str, int]:
        """Every thread id with its number of checkpoints (0: rows of no checkpoint)."""

    @abstractmethod
    def groups(self, threads: Sequence[str]) -> Iterator[Group]:
        """Give the namespaces of these threads; one is to be used up before the next."""

    @abstractmethod
    def write_values(
        self, thread: str, namespace: str, channels: Sequence[str], largest_bytes: int
    ) -> Iterator[PendingWrite]:
        """Give the writes of some channels, by checkpoint and in the order they are applied.

        None is larger than `largest_bytes`, which decides how many may be held at once.
        """

    @abstractmethod
    def unnamed_writes(
        self, thread: str, namespace: str, writes: dict[str, int]
    ) -> dict[str, Unnamed]:
        """How many writes hold a message without an id; `writes` are the rows by channel."""

    @abstractmethod
    def write_counts(self, thread: str, namespace: str) -> dict[tuple[str, str], tuple[int, int]]:
        """Rows and bytes of writes, by checkpoint and channel."""

    @abstractmethod
    def changed(self) -> str:
        """What has to be said if the database changed while it was read; else nothing."""

    @abstractmethod
    def value(
        self, thread: str, namespace: str, channel: str, checkpoint_id: str, version: str
    ) -> bytes | None:
        """Give the bytes of one stored whole value; None if it is not there.

        `version` may be empty: then it is that of the checkpoint.
        """
