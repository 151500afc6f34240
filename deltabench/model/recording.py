"""Records a series while a session runs: one delta run from which every K follows.

The run takes no snapshots that K asks for. Its live values are looked at in langgraph's own
stream of checkpoints and serialized once per update to know their size; what is stored is
what the session stores. The time that takes makes a recorded run useless for timings.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from langgraph.checkpoint.base import WRITES_IDX_MAP
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.model.cadence import cadence, superstep_bound
from deltabench.model.formats import COUNTERS_KEY, known_format
from deltabench.model.series import ChannelSeries, Lane
from deltabench.plan import RECORDING_FREQUENCY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from langgraph.pregel import Pregel

    Writes = Counter[tuple[str, str, str]]

_INLINE = (str, int, float, bool, type(None))  # what postgres leaves in the checkpoint's row
_EMPTY_TAG, _VALUE_TAG = "empty", "msgpack"


@dataclass(frozen=True, slots=True)
class _Put:
    """One stored checkpoint, without its values."""

    checkpoint_id: str
    parent_id: str
    turn: int
    updated: frozenset[str]
    snapshots: frozenset[str]
    counters: dict[str, tuple[int, int]]
    entries: int
    metadata_entries: int
    key_bytes: dict[str, int]


@dataclass(slots=True)
class Recorder:
    """Told of every checkpoint, every write and every live value of a session.

    `dumps` is the checkpointer's own serializer; `turn` gives the turn that runs now.
    """

    checkpointer: str
    dumps: Callable[[Any], tuple[str, bytes]]
    channels: frozenset[str]
    turn: Callable[[], int]
    _puts: dict[str, list[_Put]] = field(default_factory=dict)
    _sizes: dict[tuple[str, str, str], int] = field(default_factory=dict)
    # A list, because several threads write at once, and an append cannot be lost.
    _writes: list[tuple[tuple[str, str, str], int]] = field(default_factory=list)
    _seen: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known_format(self.checkpointer)

    def after_put(
        self,
        config: Any,
        checkpoint: dict[str, Any],
        metadata: dict[str, Any],
        new_versions: dict[str, Any],
    ) -> None:
        """Take note of one checkpoint; called in the order in which they are stored."""
        where = config["configurable"]
        namespace = where.get("checkpoint_ns", "")
        values = checkpoint["channel_values"]
        snapshots = frozenset(n for n, v in values.items() if isinstance(v, _DeltaSnapshot))
        others = [value for name, value in values.items() if name not in snapshots]
        if self.checkpointer == "postgres":
            others = [value for value in others if isinstance(value, _INLINE)]
        put = _Put(
            checkpoint_id=checkpoint["id"],
            parent_id=where.get("checkpoint_id") or "",
            turn=self.turn(),
            updated=frozenset(checkpoint.get("updated_channels") or ()),
            snapshots=snapshots,
            counters={n: (u, s) for n, (u, s) in (metadata.get(COUNTERS_KEY) or {}).items()},
            entries=len(others),
            metadata_entries=_metadata_entries(config, metadata),
            key_bytes={
                name: self._key_bytes(where["thread_id"], namespace, name, version)
                for name, version in new_versions.items()
            },
        )
        self._puts.setdefault(namespace, []).append(put)

    def after_put_writes(self, config: Any, writes: Iterable[tuple[str, Any]]) -> None:
        """Take note of the sizes of delta writes that a checkpoint was given."""
        where = config["configurable"]
        for name, value in writes:
            if name in self.channels and name not in WRITES_IDX_MAP:
                key = (where.get("checkpoint_ns", ""), where["checkpoint_id"], name)
                self._writes.append((key, len(self.dumps(value)[1])))

    def observe(self, namespace: str, payload: dict[str, Any]) -> None:
        """Measure the live values of one checkpoint, those that it changed."""
        checkpoint_id = payload["config"]["configurable"]["checkpoint_id"]
        counters = payload["metadata"].get(COUNTERS_KEY) or {}
        for name in self.channels & payload["values"].keys():
            updates = counters.get(name, (0, 0))[0]
            before = self._seen.get((namespace, name))
            if before is None or not updates or updates != before[0]:
                tag, dumped = self.dumps(payload["values"][name])
                if tag != _VALUE_TAG:
                    _refuse(f"channel {name} is serialized as {tag}, not as {_VALUE_TAG}")
                size_bytes = len(dumped)
            else:
                size_bytes = before[1]
            self._seen[namespace, name] = (updates, size_bytes)
            self._sizes[namespace, checkpoint_id, name] = size_bytes

    def lanes(self) -> tuple[Lane, ...]:
        """Everything recorded, by chain of checkpoints.

        Raises DeltabenchError, CELL_FAILED, where the recording cannot be trusted: a value
        that was never seen, or snapshots and counters that the known rules do not give.
        """
        writes: Counter[tuple[str, str, str]] = Counter()
        for key, size_bytes in self._writes:
            writes[key] += size_bytes
        return tuple(self._lane(namespace, puts, writes) for namespace, puts in self._puts.items())

    def _lane(self, namespace: str, puts: list[_Put], writes: Writes) -> Lane:
        names = sorted({name for put in puts for name in (*put.counters, *put.snapshots)})
        lane = Lane(
            namespace=namespace,
            turns=tuple(put.turn for put in puts),
            channels=tuple(self._channel(namespace, name, puts, writes) for name in names),
            entries=tuple(put.entries for put in puts),
            metadata_entries=tuple(put.metadata_entries for put in puts),
        )
        _hold_against_rules(lane, puts)
        return lane

    def _channel(
        self, namespace: str, name: str, puts: list[_Put], writes: Writes
    ) -> ChannelSeries:
        updates = [number for number, put in enumerate(puts) if name in put.updated]
        sizes = [self._sizes.get((namespace, puts[n].checkpoint_id, name)) for n in updates]
        if None in sizes:
            _refuse(f"channel {name} is not in the stream of the graph, so its size is unknown")
        forced = [u for u, number in enumerate(updates) if name in puts[number].snapshots]
        return ChannelSeries(
            channel=name,
            checkpoints=tuple(updates),
            value_bytes=tuple(cast("list[int]", sizes)),
            write_bytes=tuple(writes[namespace, puts[n].parent_id, name] for n in updates),
            forced=tuple(forced),
            key_bytes=tuple(puts[n].key_bytes.get(name, 0) for n in updates),
        )

    def _key_bytes(self, thread: str, namespace: str, name: str, version: object) -> int:
        """What the keys grow by if this version of a channel is stored as a snapshot."""
        if self.checkpointer == "sqlite":
            return 0  # values stand inside the checkpoint
        if self.checkpointer == "memory":
            return len(_VALUE_TAG) - len(_EMPTY_TAG)  # the row is there without a value, too
        return len(f"{thread}{namespace}{name}{version}{_VALUE_TAG}".encode())


class _Observed:
    """A compiled graph whose `invoke` runs in langgraph's stream, so that it can be watched."""

    def __init__(self, graph: Pregel[Any], recorder: Recorder) -> None:
        self._graph = graph
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def invoke(self, values: Any, config: Any, **options: Any) -> Any:
        """Run to the end, and give the last state as `Pregel.invoke` does."""
        latest: Any = None
        modes: Any = ["values", "checkpoints"]
        for namespace, mode, payload in self._graph.stream(
            values, config, stream_mode=modes, subgraphs=True, **options
        ):
            if mode == "checkpoints":
                self._recorder.observe("|".join(namespace), cast("dict[str, Any]", payload))
            elif not namespace:
                latest = payload
        return latest


def watched(graph: Pregel[Any], recorder: Recorder) -> Pregel[Any]:
    """The same graph, every live value of whose `invoke` is shown to the recorder."""
    return cast("Pregel[Any]", _Observed(graph, recorder))


def _metadata_entries(config: Any, metadata: dict[str, Any]) -> int:
    from langgraph.checkpoint.base import get_checkpoint_metadata

    stored = get_checkpoint_metadata(config, cast("Any", metadata))
    return len(stored) - (COUNTERS_KEY in stored)


def _hold_against_rules(lane: Lane, puts: list[_Put]) -> None:
    """Langgraph's own counters and snapshots of this very run must be those of the rules."""
    for channel in lane.channels:
        ruled = cadence(channel, len(puts), RECORDING_FREQUENCY, superstep_bound())
        if any(snapshot.idle for snapshot in ruled.snapshots):
            _refuse(
                f"channel {channel.channel} reached langgraph's bound of {superstep_bound():,} "
                "supersteps, whose snapshot changes the versions of all that follow"
            )
        places = {snapshot.checkpoint for snapshot in ruled.snapshots}
        for number, put in enumerate(puts):
            counted = (int(ruled.updates_since[number]), int(ruled.supersteps_since[number]))
            if put.counters.get(channel.channel, (0, 0)) != counted or (
                (channel.channel in put.snapshots) != (number in places)
            ):
                _refuse(
                    f"langgraph counted {put.counters.get(channel.channel)} towards a snapshot of "
                    f"{channel.channel} in checkpoint {number}, where {counted} was expected"
                )


def _refuse(reason: str) -> None:
    raise DeltabenchError(
        f"no other K can be derived: {reason}",
        hint="sweep without --exact measures each K",
        exit_code=ExitCode.CELL_FAILED,
    )
