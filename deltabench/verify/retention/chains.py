"""Which rows langgraph reads to rebuild the delta channels of a checkpoint.

As `BaseCheckpointSaver.get_delta_channel_history` walks: from a checkpoint over its
parents, to the nearest one that holds a value of the channel, taking the writes on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from deltabench.inspect.rows import Checkpoint, Group, Kind


@dataclass(slots=True)
class Needed:
    """What one checkpoint needs of its ancestors.

    `links` are the ancestors whose rows are walked over, `writes` pairs of checkpoint and
    channel, `seeds` pairs of channel and version; `broken` are channels whose walk ends at
    a parent or a snapshot that is not there.
    """

    links: set[str] = field(default_factory=set)
    writes: set[tuple[str, str]] = field(default_factory=set)
    seeds: set[tuple[str, str]] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    def add(self, other: Needed) -> None:
        """Take in what another checkpoint needs."""
        self.links |= other.links
        self.writes |= other.writes
        self.seeds |= other.seeds
        self.broken |= other.broken


class Chains:
    """The checkpoints of one namespace of one thread, and how they hang together."""

    def __init__(self, group: Group, written: Iterable[tuple[str, str]], kind: Kind) -> None:
        """`written` are the pairs of checkpoint and channel for which there are writes."""
        self._marks_snapshots = kind == "postgres"
        self.by_id: dict[str, Checkpoint] = {each.id: each for each in group.checkpoints}
        self._blobs = group.blobs
        self._written = set(written)
        # Counters are only kept between snapshots: with K = 1 there are none.
        self.delta_channels = {
            name
            for each in self.by_id.values()
            for name in (*each.counted, *(c for c, v in each.values.items() if v.is_snapshot))
        }

    def newest(self, count: int) -> list[str]:
        """The ids of the newest checkpoints, oldest of them first."""
        return sorted(self.by_id)[-count:]

    def needed(self, checkpoint_id: str, within: Mapping[str, object] | None = None) -> Needed:
        """What a checkpoint needs, if only the rows `within` were there."""
        found = Needed()
        start = self.by_id[checkpoint_id]
        for channel in sorted(self.delta_channels & start.versions.keys()):
            found.add(self._walk(start, channel, self.by_id if within is None else within))
        return found

    def _walk(self, start: Checkpoint, channel: str, there: Mapping[str, object]) -> Needed:
        """To a value, or to the very first checkpoint: a walk that ends elsewhere is a loss."""
        found = Needed()
        if self.holds(start, channel):
            self._seed(start, channel, found)
            return found
        at = start.parent
        while at is not None:
            if at not in there:
                found.broken.add(channel)
                return found
            checkpoint = self.by_id[at]
            found.links.add(at)
            if (at, channel) in self._written:
                found.writes.add((at, channel))
            if self.holds(checkpoint, channel):
                self._seed(checkpoint, channel, found)
                return found
            at = checkpoint.parent
        return found

    def _seed(self, checkpoint: Checkpoint, channel: str, found: Needed) -> None:
        """In PostgreSQL a row has only a mark, which without its blob is worth nothing."""
        inline = checkpoint.values.get(channel)
        if self._marks_snapshots and inline and not inline.is_snapshot:
            found.broken.add(channel)
        found.seeds.add((channel, checkpoint.versions.get(channel, "")))

    def holds(self, checkpoint: Checkpoint, channel: str) -> bool:
        """Whether a value or a snapshot of the channel is stored with a checkpoint."""
        version = checkpoint.versions.get(channel)
        if channel in checkpoint.values:
            return True
        blob = self._blobs.get(channel, {}).get(version or "")
        return blob is not None and not blob.is_empty
