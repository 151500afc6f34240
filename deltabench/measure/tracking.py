"""Follows the supersteps of a session: updates, snapshots, and the places to read at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.serde.types import _DeltaSnapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from deltabench.cells import Durability


@dataclass(frozen=True, slots=True)
class Place:
    """A checkpoint and its replay depth, from the checkpoint's own metadata.

    Updates are those of the driving channel since its snapshot, supersteps those since
    the snapshot that lies furthest back: as far must a read walk.
    """

    checkpoint_id: str
    updates_since_snapshot: int
    supersteps_since_snapshot: int


@dataclass(slots=True)
class Tracker:
    """Told of every checkpoint that was put, in the order in which langgraph made them.

    With durability `exit` langgraph puts one checkpoint a turn; it then stands for all
    updates of that turn. `updates_through` says how many of the driving channel there are
    up to its end.

    `snapshots` names every delta channel of any namespace: one that never reached a
    snapshot has 0, but langgraph counts towards it in the metadata of the checkpoints.
    """

    channels: frozenset[str]
    wanted: Collection[int]
    durability: Durability
    updates_through: Callable[[int], int]
    keep: Callable[[str], None]
    driving: str = "messages"
    turn: int = 0
    updates: Counter[str] = field(default_factory=Counter)
    snapshots: Counter[str] = field(default_factory=Counter)
    checkpoints: int = 0
    places: dict[int, Place] = field(default_factory=dict)
    newest: Place | None = None
    middle: Place | None = None

    def after_put(
        self,
        config: Any,
        checkpoint: dict[str, Any],
        metadata: dict[str, Any],
        new_versions: dict[str, Any],
    ) -> None:
        """Take note of one checkpoint; only the root namespace is followed by place."""
        counters = metadata.get("counters_since_delta_snapshot") or {}
        for name in counters:
            self.snapshots[name] += 0  # seen: what a hidden delta graph shows itself by
        for name, value in checkpoint["channel_values"].items():
            if isinstance(value, _DeltaSnapshot):
                self.snapshots[name] += 1
        if config["configurable"].get("checkpoint_ns", ""):
            return
        self.checkpoints += 1
        for name in self.channels & new_versions.keys():
            self.updates[name] += 1
        updates, _ = counters.get(self.driving, (0, 0))
        supersteps = max((walked for _, walked in counters.values()), default=0)
        self.newest = Place(checkpoint["id"], updates, supersteps)
        if self.driving not in new_versions:
            return  # such as the empty one to which `exit` hangs the writes of the first turn
        reached = self._reached()
        if reached in self.wanted:
            self.places[reached] = self.newest
            self.keep(checkpoint["id"])

    def mark_middle(self) -> None:
        """Keep the newest checkpoint as the one that time travel goes back to."""
        if self.newest is not None:
            self.middle = self.newest
            self.keep(self.newest.checkpoint_id)

    def _reached(self) -> int:
        if self.durability == "exit":
            return self.updates_through(self.turn)
        return self.updates[self.driving]
