"""The vocabulary of a summary: computed once, rendered many times.

Ratios are always full over this: above one this policy needs less, below one it needs
more. Everything prints as JSON with numbers in the unit that its name ends in.
"""

from __future__ import annotations

from typing import Literal

from deltabench.cells import (
    ChannelReadback,
    Durability,
    LargestValue,
    Policy,
    ReadPosition,
    StoredBytes,
    Value,
)
from deltabench.results.environment import Environment
from deltabench.results.statistics import Ratio, Spread


class Compared(Value):
    """A noisy figure of one policy beside that of full at the same place."""

    this: Spread
    full: Spread | None
    ratio: Ratio | None


class Exact(Value):
    """A counted figure beside that of full; `ratio` is the exact integers divided."""

    this: int
    full: int | None
    ratio: float | None


class Trips(Value):
    """Counted round trips of one turn or one read (a turn's are the session's average).

    `statements` is None where there is no database.
    """

    calls: dict[str, float]
    saver_calls: float
    statements: float | None

    @property
    def remote(self) -> float:
        """What would cross a network: statements, or saver calls where there are none."""
        return self.saver_calls if self.statements is None else self.statements


class Derived(Value):
    """Not measured: round trips x the assumed round trip time + the measured median."""

    this_seconds: float
    full_seconds: float | None
    ratio: float | None


class Reading(Value):
    """One kind of read at one place, over the repeats.

    `open_seconds`, for cold reads, is opening the database and building the agent.
    """

    position: ReadPosition | None
    seconds: Compared
    open_seconds: Compared | None
    updates_since_snapshot: int
    supersteps_since_snapshot: int
    trips: Trips
    full_trips: Trips | None
    derived: Derived | None


class Serialized(Value):
    """Serializer use of one kind; `seconds` is CPU time and overlaps with the turns."""

    direction: Literal["dump", "load"]
    kind: Literal["value", "snapshot", "write", "checkpoint"]
    calls: int
    size_bytes: int
    seconds: Spread


class State(Value):
    """The final state beside that of full; None where there is no full to compare."""

    messages: int
    files: int
    equal: bool | None
    ids_equal: bool | None
    ids_stable: bool
    generated_ids: int
    missing_ids: int


class Mark(Value):
    """Storage after some turns, and the ratio to full at the same mark."""

    turn: int
    total_bytes: int
    floor_bytes: int
    ratio: float | None


class ResumeAt(Value):
    """Warm resume at one place of the thread, for whatever K that place was chosen.

    `seconds` and `full_seconds` hold the median of each repeat; `samples` counts what the
    medians of this policy are made of.
    """

    update: int
    updates_since_snapshot: int
    seconds: tuple[float, ...]
    full_seconds: tuple[float, ...]
    samples: int


class Reads(Value):
    """The reads of one policy, resumes at its own places (full: at those of every K).

    `worst_warm` and `worst_cold` are the slowest of these places. `resume_by_depth` has
    every place, by rising distance from the snapshot; it is empty for full.
    """

    resume_warm: tuple[Reading, ...]
    resume_cold: tuple[Reading, ...]
    worst_warm: Reading | None
    worst_cold: Reading | None
    resume_by_depth: tuple[ResumeAt, ...]
    history_10: Reading | None
    history_50: Reading | None
    time_travel: Reading | None


class TurnWindow(Value):
    """Latency of some turns in a row, both ends included, pooled over the repeats."""

    first_turn: int
    last_turn: int
    p5_seconds: float
    median_seconds: float
    p95_seconds: float
    samples: int


class Figures(Value):
    """Everything that was measured of one policy in one group.

    `dump_seconds` and `load_seconds` are CPU time in the serializer over the session.
    The `turn_first` to `turn_last` figures are medians of a tenth of the turns each.
    """

    stored: StoredBytes
    total_bytes: Exact
    floor_bytes: int
    marks: tuple[Mark, ...]
    growth_exponent: float | None
    physical_bytes: dict[str, Compared]
    largest_value: LargestValue | None
    channels: tuple[ChannelReadback, ...]
    updates: dict[str, int]
    snapshots: dict[str, int]
    never_snapshots: bool
    supersteps: int
    serializer: tuple[Serialized, ...]
    dump_seconds: Compared
    load_seconds: Compared
    session_seconds: Compared
    session_cpu_seconds: Compared
    turn_p50_seconds: Compared
    turn_p95_seconds: Compared
    turn_p99_seconds: Compared
    turn_first_seconds: Compared
    turn_middle_seconds: Compared
    turn_last_seconds: Compared
    turn_windows: tuple[TurnWindow, ...]
    turn_trips: Trips
    full_turn_trips: Trips | None
    turn_derived: Derived | None
    reads: Reads
    memory_peak_bytes: Compared
    memory_over_baseline_bytes: Compared
    state: State
    saver_class: str
    notes: tuple[str, ...]


class Problem(Value):
    """A cell without a result, or a planned K without a cell (kind `missing`)."""

    label: str
    policy: Policy
    kind: Literal["error", "timeout", "killed", "differs", "missing"]
    reason: str


class Column(Value):
    """One policy in one group: its figures over the repeats that were measured, if any."""

    policy: Policy
    repeats: int
    figures: Figures | None
    problems: tuple[Problem, ...]
    pending: int


class DerivedColumn(Value):
    """One K that was not run, worked out from a recorded delta run: bytes, but no times.

    `measured_bytes` is the total of the same K where it was run as well.
    """

    policy: Policy
    total_bytes: Exact
    stored: StoredBytes
    snapshots: dict[str, int]
    never_snapshots: bool
    updates_since_snapshot: int
    supersteps_since_snapshot: int
    measured_bytes: int | None


class Point(Value):
    """A policy on the plane of stored bytes against worst-phase warm resume.

    `cost` is in the unit that the frontier names. `within_noise` says that what beats
    this point resumes faster only by a difference that may be noise.
    """

    policy: Policy
    total_bytes: int
    cost: float
    on_frontier: bool
    beaten_by: tuple[Policy, ...]
    within_noise: bool
    never_snapshots: bool


class Frontier(Value):
    """Which policies are worth choosing between, and one sentence of advice.

    `cost_unit` is `times full` (at the same place in the thread), or `seconds` where
    there is no full row.
    """

    cost_unit: Literal["times full", "seconds"]
    points: tuple[Point, ...]
    advised: Policy | None
    advice: str


class Group(Value):
    """Cells that may be compared: one workload, length, checkpointer and durability."""

    workload: str
    workload_digest: str
    title: str
    turns: int
    checkpointer: str
    durability: Durability
    seed: int
    columns: tuple[Column, ...]
    frontier: Frontier | None
    derived: tuple[DerivedColumn, ...] = ()

    @property
    def full(self) -> Column | None:
        """The full-snapshot column, if it was planned."""
        return next((column for column in self.columns if column.policy.is_full), None)

    @property
    def deltas(self) -> tuple[Column, ...]:
        """The delta columns, by rising K."""
        return tuple(column for column in self.columns if not column.policy.is_full)

    @property
    def label(self) -> str:
        """The group in a few words."""
        return f"{self.workload}, {self.turns} turns, {self.checkpointer}, {self.durability}"


class Summary(Value):
    """All groups of a results file; `pending` counts planned cells that have not run."""

    schema_version: int
    tool_version: str
    command: str
    environment: Environment
    rtt_ms: float | None
    cells: int
    pending: int
    problems: tuple[Problem, ...]
    groups: tuple[Group, ...]
