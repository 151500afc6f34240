"""The vocabulary that every other room shares: a cell, and what was measured in it.

Everything here is a frozen value that prints as JSON and reads back equal. Sizes are
integer bytes, times are float seconds, and every name ends in its unit.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from deltabench.model.series import Series

Durability = Literal["sync", "async", "exit"]
Phase = Literal["after_snapshot", "middle", "before_snapshot", "deepest", "end"]


class Value(BaseModel):
    """Base of all frozen values: unknown keys are refused, so a typo cannot pass."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Policy(Value):
    """How the channels of the agent are stored.

    `snapshot_frequency` is K: None means full snapshots (`BinaryOperatorAggregate`),
    a positive number means delta channels with a whole value every K updates.
    """

    snapshot_frequency: int | None = Field(default=None, ge=1)

    @property
    def is_full(self) -> bool:
        """Whether this is the full-snapshot policy."""
        return self.snapshot_frequency is None

    @property
    def label(self) -> str:
        """Short name for tables: `full` or `K=50`."""
        return "full" if self.is_full else f"K={self.snapshot_frequency}"


class ReadPosition(Value):
    """A place in the thread where resuming is timed.

    `update` counts the updates of the driving channel from 1: `messages`, or in a graph of
    the user's own the channel that is updated most.
    `snapshot_frequency` is the K whose period this place was chosen for, `phase` where
    in that period it falls: `deepest` is just before a snapshot of the channel that is
    updated least and so has the longest chain to walk, `end` is the end of the thread.
    Every cell of a group reads at the same places, so that full and delta are compared
    over the same state.
    """

    update: int = Field(ge=1)
    snapshot_frequency: int | None
    phase: Phase


class Cell(Value):
    """Everything that one measurement depends on.

    A cell that `records` gives a series, from which other K are derived; watching takes
    time, so none of its times count.
    """

    workload: str
    workload_digest: str
    turns: int = Field(ge=1)
    policy: Policy
    checkpointer: str
    durability: Durability
    seed: int
    repeat: int = Field(ge=0)
    marks: tuple[int, ...]
    positions: tuple[ReadPosition, ...]
    read_samples: int = Field(ge=1)
    cold_samples: int = Field(ge=0)
    records: bool = False

    @property
    def group(self) -> tuple[str, int, str, str]:
        """What full and delta cells must share to be compared."""
        return (self.workload, self.turns, self.checkpointer, self.durability)

    @property
    def label(self) -> str:
        """One line for progress and messages."""
        policy = "recorded" if self.records else self.policy.label
        text = f"{self.workload} {self.turns} turns, {self.checkpointer}, {policy}"
        return f"{text}, repeat {self.repeat + 1}" if self.repeat else text


class ChannelReadback(Value):
    """What the compiled graph really had in place of a delta channel, read back from it."""

    name: str
    class_name: str
    snapshot_frequency: int | None
    reducer: str


class ChannelBytes(Value):
    """Serialized bytes of one channel in one checkpoint namespace.

    `value_bytes` are whole values (snapshots, in a delta cell), `write_bytes` are the
    pending writes from which a delta channel is replayed.
    """

    namespace: str
    channel: str
    value_rows: int
    value_bytes: int
    write_rows: int
    write_bytes: int


class LargestValue(Value):
    """The largest single stored value, since some stores refuse large documents."""

    channel: str
    size_bytes: int


class StoredBytes(Value):
    """Logical bytes of everything a checkpointer holds after `turn` turns.

    `value_bytes`: whole channel values (blobs, or inline in the checkpoint).
    `write_bytes`: pending writes. `row_bytes`: the rest of the checkpoint rows
    (checkpoint without inline values, plus metadata). `key_bytes`: the text of ids,
    namespaces, channel names, versions and type tags that identify those rows.
    """

    turn: int
    checkpoint_rows: int
    value_rows: int
    write_rows: int
    value_bytes: int
    write_bytes: int
    row_bytes: int
    key_bytes: int
    channels: tuple[ChannelBytes, ...]
    largest_value: LargestValue | None

    @property
    def total_bytes(self) -> int:
        """Every logical byte held."""
        return self.value_bytes + self.floor_bytes

    @property
    def floor_bytes(self) -> int:
        """The part that no snapshot frequency can touch: writes, rows and keys."""
        return self.write_bytes + self.row_bytes + self.key_bytes


class SerializerUse(Value):
    """Calls of the serializer during the session, of one direction and kind.

    `seconds` is CPU time of the calling thread, not wall time: it overlaps with other
    work and must not be added to turn latency.
    """

    direction: Literal["dump", "load"]
    kind: Literal["value", "snapshot", "write", "checkpoint"]
    calls: int
    size_bytes: int
    seconds: float


class RoundTrips(Value):
    """Counted calls to the checkpointer, and statements sent to its database.

    `statements` is None where there is no database (memory) or no way to count.
    """

    calls: dict[str, int]
    statements: int | None


class Read(Value):
    """One kind of read, timed `len(seconds)` times; every sample is kept.

    `what`: `resume_warm`, `resume_cold`, `history_10`, `history_50`, `time_travel`.
    `updates_since_snapshot` (of the driving channel) and `supersteps_since_snapshot` (of
    the channel whose snapshot lies furthest back) are the replay depth found in the
    checkpoint's own metadata, 0 for full snapshots. `round_trips` is for one read.
    For cold reads `open_seconds` holds what came before the first read: opening the
    database and building the agent, without imports.
    """

    what: Literal["resume_warm", "resume_cold", "history_10", "history_50", "time_travel"]
    position: ReadPosition | None
    updates_since_snapshot: int
    supersteps_since_snapshot: int
    seconds: tuple[float, ...]
    open_seconds: tuple[float, ...] = ()
    round_trips: RoundTrips


class MemoryUse(Value):
    """Resident size of the cell's process, sampled from the controlling process.

    `baseline_bytes` is taken after imports, building the agent and a warm-up thread.
    """

    baseline_bytes: int
    peak_bytes: int


class StateDigest(Value):
    """What the thread holds at its end.

    `content` covers types, contents, tool calls and files; it must be equal for every
    policy. `ids` covers message ids. `ids_stable` says whether two reads gave the same
    ids as the live run returned; `generated_ids` counts messages whose id was drawn at
    random by the runtime, which makes `ids` differ between runs, and `missing_ids`
    messages without any id, which nothing can then target by id.
    """

    content: str
    messages: int
    files: int
    ids: str
    ids_stable: bool
    generated_ids: int
    missing_ids: int


class Measurement(Value):
    """What one cell gave."""

    channels: tuple[ChannelReadback, ...]
    storage: tuple[StoredBytes, ...]
    physical_bytes: dict[str, int]
    updates: dict[str, int]
    snapshots: dict[str, int]
    supersteps: int
    serializer: tuple[SerializerUse, ...]
    session_seconds: float
    session_cpu_seconds: float
    turn_seconds: tuple[float, ...]
    session_round_trips: RoundTrips
    reads: tuple[Read, ...]
    memory: MemoryUse
    state: StateDigest
    saver_class: str
    notes: tuple[str, ...] = ()
    series: Series | None = None

    @property
    def stored(self) -> StoredBytes:
        """Storage at the end of the session."""
        return self.storage[-1]


class Failure(Value):
    """Why a cell gave no measurement: a typed row, never an absent line."""

    kind: Literal["error", "timeout", "killed", "differs"]
    reason: str


class Row(Value):
    """A planned cell and what became of it: exactly one of the two is set, or none yet."""

    cell: Cell
    measurement: Measurement | None = None
    failure: Failure | None = None
