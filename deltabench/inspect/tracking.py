"""Reads a namespace row by row into its tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.inspect.layout import marker_bytes, name_bytes
from deltabench.inspect.spans import unwrapped_bytes
from deltabench.inspect.tracks import UNKNOWN, Track, Tracks

if TYPE_CHECKING:
    from deltabench.inspect.rows import Checkpoint, Group, Kind

NO_STATE = ("branch:", "__")  # channels by which langgraph schedules


def walk(group: Group, kind: Kind) -> Tracks:
    """Walk a namespace to its end, and count what no checkpoint refers to."""
    return _Tracker(group, kind).run()


class _Tracker:
    """The state of one reading: which update each channel is at, and where checkpoints are."""

    def __init__(self, group: Group, kind: Kind) -> None:
        self._group = group
        self._store = self._inline if kind == "sqlite" else self._blobs
        self._tracks = Tracks(group.thread, group.namespace)
        self._positions: dict[str, int] = {}
        self._versions: dict[str, str] = {}
        self._current: dict[str, int] = {}  # channel -> its newest update in the row
        self._counted: frozenset[str] = frozenset()
        self._used: set[tuple[str, str]] = set()

    def run(self) -> Tracks:
        tracks, group = self._tracks, self._group
        for row in group.checkpoints:
            linear = self._place(row)
            before = self._versions
            changed = [item for item in row.versions.items() if before.get(item[0]) != item[1]]
            new = self._updates(row, changed, linear=linear)
            size_bytes = self._store(row, changed, new)
            tracks.checkpoint_bytes.append(row.row_bytes + row.key_bytes + size_bytes)
        for channel in self._current:
            self._hold(channel, len(tracks.ids))
        count_lost_blobs(tracks, group, self._used)
        for channel, sums in group.writes.items():
            tracks.channel(channel).writes = sums
        tracks.lost_writes = group.lost_writes
        tracks.problems = group.problems
        return tracks

    def _place(self, row: Checkpoint) -> bool:
        """Put the row into the tree; tells whether it goes on from the row before."""
        tracks = self._tracks
        position = len(tracks.ids)
        parent = self._positions.get(row.parent, UNKNOWN) if row.parent else UNKNOWN
        self._positions[row.id] = position
        tracks.ids.append(row.id)
        tracks.parents.append(parent)
        if row.parent and parent == UNKNOWN:
            tracks.orphans.append(position)
        tracks.turns.append((tracks.turns[-1] if tracks.turns else 0) + row.is_input)
        tracks.row_bytes += row.row_bytes
        tracks.key_bytes += row.key_bytes
        tracks.counter_bytes += row.counter_bytes
        if row.counted != self._counted:
            self._counted = row.counted
            for channel in row.counted:
                tracks.channel(channel).is_counted = True
        return parent == position - 1

    def _updates(
        self, row: Checkpoint, changed: list[tuple[str, str]], *, linear: bool
    ) -> set[str]:
        """Find which channels have a version that was not seen before."""
        new: set[str] = set()
        position = len(self._tracks.ids) - 1
        if not linear:
            # A fork goes back, perhaps to before a channel was first written.
            self._tracks.is_linear = False
            for channel in self._versions.keys() - row.versions.keys():
                self._hold(channel, position)
                self._current.pop(channel, None)
        for channel, version in changed:
            if channel.startswith(NO_STATE):
                continue
            self._hold(channel, position)
            track = self._tracks.channel(channel)
            update = track.versions.get(version)
            if update is None:
                new.add(channel)
                update = self._begin(row, track, version, linear=linear)
            self._current[channel] = update
            track.since = position
        self._versions = row.versions
        return new

    def _hold(self, channel: str, position: int) -> None:
        """Add the checkpoints before `position` that had the channel's current version."""
        update = self._current.get(channel)
        if update is not None:
            track = self._tracks.channels[channel]
            track.held[update] += position - track.since
            track.since = position

    def _begin(self, row: Checkpoint, track: Track, version: str, *, linear: bool) -> int:
        """Take note of an update, or of a new version for a value that stayed the same."""
        before = self._current.get(track.channel)
        stayed = row.updated is not None and track.channel not in row.updated
        if stayed and before is not None and linear:
            track.versions[version] = before
            return before
        track.at.append(len(self._tracks.ids) - 1)
        track.value_bytes.append(UNKNOWN)
        track.held.append(0)
        track.version_chars.append(len(version))
        track.versions[version] = len(track.at) - 1
        return len(track.at) - 1

    def _inline(self, row: Checkpoint, changed: list[tuple[str, str]], new: set[str]) -> int:
        """Count the values that stand in the row (SQLite)."""
        del changed
        sum_bytes = 0
        for channel, stored in row.values.items():
            track = self._tracks.channel(channel)
            track.add_stored(stored.size_bytes, name_bytes(channel), snapshot=stored.is_snapshot)
            sum_bytes += stored.size_bytes
            if channel in new or stored.is_snapshot:
                size = stored.size_bytes
                self._know(channel, unwrapped_bytes(size) if stored.is_snapshot else size)
        return sum_bytes

    def _blobs(self, row: Checkpoint, changed: list[tuple[str, str]], new: set[str]) -> int:
        """Count inline texts and numbers, and the blobs that the row is first to use."""
        del new
        tracks, sum_bytes = self._tracks, 0
        for channel, stored in row.values.items():
            if not stored.is_snapshot:
                tracks.channel(channel).add_inline(1, stored.size_bytes, stored.size_bytes)
                sum_bytes += stored.size_bytes
        for channel, version in changed:
            blob = self._group.blobs.get(channel, {}).get(version)
            if blob is None or (channel, version) in self._used:
                continue
            self._used.add((channel, version))
            tracks.count_blob(blob)
            sum_bytes += blob.size_bytes + blob.key_bytes
            if blob.is_empty:
                continue
            marked = row.values.get(channel)
            snapshot = marked is not None and marked.is_snapshot
            extra = blob.key_bytes + (marker_bytes(channel) if snapshot else 0)
            tracks.channel(channel).add_stored(blob.size_bytes, extra, snapshot=snapshot)
            size = blob.size_bytes
            self._know(channel, unwrapped_bytes(size) if snapshot else size)
        return sum_bytes

    def _know(self, channel: str, size_bytes: int) -> None:
        update = self._current.get(channel)
        if update is not None:
            self._tracks.channels[channel].know(update, size_bytes)


def count_lost_blobs(tracks: Tracks, group: Group, used: set[tuple[str, str]]) -> None:
    """Count the blobs that no checkpoint refers to."""
    for channel, blobs in group.blobs.items():
        for version, blob in blobs.items():
            if (channel, version) not in used:
                tracks.lost_blobs.add(1, blob.size_bytes, blob.key_bytes, blob.size_bytes)
                tracks.count_blob(blob)
                if not blob.is_empty:
                    tracks.channel(channel).add_lost(blob.size_bytes)
