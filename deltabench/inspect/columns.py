"""Reads a namespace column by column into its tracks, as `tracking` does row by row.

Most threads are one line of checkpoints whose versions only go on. Of these, only the
changes have to be looked at; anything else is left to be walked.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from deltabench.inspect.counters import names_in, with_key_bytes
from deltabench.inspect.layout import marker_bytes
from deltabench.inspect.spans import unwrapped_bytes
from deltabench.inspect.tracking import NO_STATE
from deltabench.inspect.tracks import UNKNOWN, Track, Tracks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deltabench.inspect.rows import BlobColumns, Columns, Group, Steps, WriteSums

_VERSION_CHARS = 51  # of most that langgraph makes
_WORD_BYTES = len("true")  # or null


class NotPlainError(Exception):
    """Not one line of checkpoints, or with versions that do not only go on."""


class _Inline(NamedTuple):
    """The channels of which a row has null, and those of which it has true."""

    nulls: frozenset[str]
    marked: frozenset[str]


class _Changes(NamedTuple):
    """Where a channel has a new version, the version, and the update that it belongs to."""

    at: NDArray[np.int64]
    versions: NDArray[np.int64]
    updates: NDArray[np.int64]


def follow_columns(group: Group, columns: Columns) -> Tracks:
    """Read a namespace; NotPlainError if it is to be walked row by row."""
    return _Reader(group, columns).run()


class _Reader:
    """One reading; every list is in the order of the checkpoints."""

    def __init__(self, group: Group, columns: Columns) -> None:
        import numpy as np

        self._group, self._columns = group, columns
        self._tracks = Tracks(group.thread, group.namespace)
        order = sorted(range(len(columns.ids)), key=columns.ids.__getitem__)
        self._order = np.array(order)
        self._hashes = columns.hashes[self._order]
        self._bytes = columns.all_bytes[self._order]
        self._inline = self._sorted(columns.inline)
        updated = self._sorted(columns.updated)
        codes = {text: code for code, text in enumerate(dict.fromkeys(updated))}
        self._patterns = [_updated(text) for text in codes]
        self._codes = np.array([codes[text] for text in updated])
        lengths = [blobs.version_bytes for blobs in columns.blobs.values()]
        self._version_chars = round(np.concatenate(lengths).mean()) if lengths else _VERSION_CHARS

    def run(self) -> Tracks:
        tracks, columns = self._tracks, self._columns
        self._require_a_line()
        tracks.ids = self._sorted(columns.ids)
        tracks.parents = array("q", range(-1, len(tracks.ids) - 1))
        tracks.key_bytes = columns.key_bytes
        self._count_counters()
        marked, inline_bytes = self._count_inline()
        tracks.row_bytes = int(self._bytes.sum()) - columns.key_bytes - inline_bytes
        for channel, versions in columns.versions.items():
            changes = self._changes(channel, versions[self._order])
            blobs = columns.blobs.get(channel)
            if blobs is not None:
                self._store(channel, changes, blobs, marked.get(channel, set()))
        tracks.checkpoint_bytes = array("q", self._bytes.tolist())
        for channel, sums in self._group.writes.items():
            tracks.channel(channel).writes = sums
        tracks.lost_writes = self._group.lost_writes
        tracks.problems = self._group.problems
        for channel, steps in columns.steps.items():
            if tracks.channels[channel].at and steps.are_msgpack:
                self._place(tracks.channels[channel], steps)
        return tracks

    def _sorted(self, column: list[str]) -> list[str]:
        if len(column) == 1:
            return column
        return list(itemgetter(*self._order.tolist())(column))

    def _require_a_line(self) -> None:
        parents, columns = self._columns.parents[self._order], self._columns
        if (parents[1:] != self._hashes[:-1]).any() or parents[0] in self._hashes:
            raise NotPlainError
        if parents[0]:
            self._tracks.orphans.append(0)
        written = {name for names in self._patterns for name in names}
        needed = {name for name in written if not name.startswith(NO_STATE)}
        if (needed | columns.blobs.keys()) - columns.versions.keys():
            raise NotPlainError

    def _count_counters(self) -> None:
        counters = self._columns.counters.encode()
        if not counters:
            return
        breaks = counters.count(b"\n")
        self._tracks.counter_bytes = with_key_bytes(len(counters) - breaks, breaks + 1)
        for channel in names_in(counters):
            self._tracks.channel(channel).is_counted = True

    def _count_inline(self) -> tuple[dict[str, set[int]], int]:
        """Count values in the rows; gives where each channel is marked as a snapshot."""
        counted = Counter(self._inline)
        patterns = {text: _inline(text) for text in counted}
        if self._columns.values is not None:
            sum_bytes = self._count_values(self._columns.values)
        else:
            nulls: Counter[str] = Counter()
            for text, rows in counted.items():
                nulls.update(dict.fromkeys(patterns[text].nulls, rows))
            sum_bytes = _WORD_BYTES * nulls.total()
            for channel, rows in nulls.items():
                self._tracks.channel(channel).add_inline(rows, _WORD_BYTES * rows, _WORD_BYTES)
        marked: dict[str, set[int]] = {}
        if any(pattern.marked for pattern in patterns.values()):
            for at, text in enumerate(self._inline):
                for channel in patterns[text].marked:
                    marked.setdefault(channel, set()).add(at)
        for channel, places in marked.items():
            words = places - self._with_value(channel)
            if words:  # a `true` that is a value itself
                size = len(words) * _WORD_BYTES
                self._tracks.channel(channel).add_inline(len(words), size, _WORD_BYTES)
                sum_bytes += size
                places.difference_update(words)
        return marked, sum_bytes

    def _count_values(self, values: dict[str, WriteSums]) -> int:
        for channel, sums in values.items():
            self._tracks.channel(channel).add_inline(sums.rows, sums.size_bytes, sums.largest_bytes)
        return sum(sums.size_bytes for sums in values.values())

    def _with_value(self, channel: str) -> set[int]:
        """Where the version of a channel is one that a value is stored of."""
        import numpy as np

        versions = self._columns.versions.get(channel)
        blobs = self._columns.blobs.get(channel)
        if versions is None or blobs is None:
            return set()
        held = np.isin(versions[self._order], blobs.versions[~blobs.are_empty])
        return set(np.flatnonzero(held).tolist())

    def _changes(self, channel: str, versions: NDArray[np.int64]) -> _Changes:
        """Find where the version changes, and begin the updates of a channel that has state."""
        import numpy as np

        at = np.flatnonzero(np.diff(versions, prepend=0))
        named = versions[at]
        if not named.all() or not np.diff(np.sort(named)).all():
            raise NotPlainError
        if channel.startswith(NO_STATE) or not len(at):
            return _Changes(at, named, np.zeros(len(at), dtype=np.int64))
        written = np.array([channel in names for names in self._patterns])[self._codes[at]]
        written[0] = True  # otherwise a new version for a value that stayed the same
        starts = at[written]
        track = self._tracks.channel(channel)
        track.at = array("q", starts.tolist())
        track.value_bytes = array("q", [UNKNOWN]) * len(starts)
        track.version_chars = array("q", [self._version_chars]) * len(starts)
        track.held = array("q", np.diff(starts, append=len(versions)).tolist())
        return _Changes(at, named, np.cumsum(written) - 1)

    def _store(self, channel: str, changes: _Changes, blobs: BlobColumns, marked: set[int]) -> None:
        """Count the stored values of a channel, each where a checkpoint is first to use it."""
        import numpy as np

        tracks, track = self._tracks, self._tracks.channel(channel)
        tracks.blob_rows += len(blobs.sizes)
        tracks.blob_bytes += int(blobs.sizes.sum())
        tracks.value_key_bytes += int(blobs.key_bytes.sum())
        change = _found(changes.versions, blobs.versions)
        _count_lost(tracks, track, blobs, change < 0)
        used = change >= 0
        all_bytes = blobs.sizes + blobs.key_bytes
        np.add.at(self._bytes, changes.at[change[used]], all_bytes[used])
        # From here on only what is a value, in the order in which it was stored.
        used &= ~blobs.are_empty
        order = np.flatnonzero(used)[np.argsort(change[used])]
        change, sizes = change[order], blobs.sizes[order]
        are_snapshots = np.isin(changes.at[change], list(marked))
        snapshots = int(are_snapshots.sum())
        track.snapshot_rows += snapshots
        track.snapshot_bytes += int(sizes[are_snapshots].sum())
        track.full_rows += len(order) - snapshots
        track.full_bytes += int(sizes[~are_snapshots].sum())
        track.largest_bytes = max(track.largest_bytes, int(sizes.max(initial=0)))
        track.stored_cost += int(all_bytes[order].sum()) + snapshots * marker_bytes(channel)
        if track.at:
            updates = changes.updates[change].tolist()
            for update, size, is_snapshot in zip(
                updates, sizes.tolist(), are_snapshots.tolist(), strict=True
            ):
                track.know(update, unwrapped_bytes(size) if is_snapshot else size)
            # Versions of other updates are about as long as all; of several, the first counts.
            for update, chars in zip(
                reversed(updates), reversed(blobs.version_bytes[order].tolist()), strict=True
            ):
                track.version_chars[update] = chars

    def _place(self, track: Track, steps: Steps) -> None:
        """Add up the writes that made each update: those of the checkpoint before it."""
        import numpy as np

        count = len(self._hashes)
        places = _found(self._hashes, steps.checkpoints)
        after = places[places >= 0] + 1  # those of the newest checkpoint are not merged yet
        at = np.array(track.at)
        track.added_rows = np.bincount(after, minlength=count + 1)[at]
        sums = np.bincount(after, weights=steps.sizes[places >= 0], minlength=count + 1)[at]
        track.added_bytes = sums.astype(np.int64)


def _count_lost(tracks: Tracks, track: Track, blobs: BlobColumns, lost: NDArray[np.bool_]) -> None:
    sizes, keys = blobs.sizes[lost].tolist(), blobs.key_bytes[lost].tolist()
    for size, key, is_empty in zip(sizes, keys, blobs.are_empty[lost].tolist(), strict=True):
        tracks.lost_blobs.add(1, size, key, size)
        if not is_empty:
            track.add_lost(size)


def _found(where: NDArray[np.int64], sought: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the place of each sought number; -1 if it is not there."""
    import numpy as np

    if not len(where):
        return np.full(len(sought), -1)
    order = np.argsort(where)
    places = np.searchsorted(where[order], sought)
    places[places == len(where)] = 0
    places = order[places]
    return np.where(where[places] == sought, places, -1)


def _updated(text: str) -> frozenset[str]:
    names = json.loads(text) if text else None
    if not isinstance(names, list):
        raise NotPlainError  # as older versions wrote it
    return frozenset(map(str, names))


def _inline(text: str) -> _Inline:
    values = json.loads(text.removeprefix("!")) if text else None
    if isinstance(values, list) and text.startswith("!"):
        return _Inline(frozenset(), frozenset(map(str, values)))
    if not isinstance(values, dict):
        return _Inline(frozenset(), frozenset())
    return _Inline(
        frozenset(name for name, value in values.items() if value is None),
        frozenset(name for name, value in values.items() if value is True),
    )
