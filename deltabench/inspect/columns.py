"""Reads a namespace column by column into its tracks, as `tracking` does row by row.

Most threads are one line of checkpoints whose versions only go on. Of these, only the
changes have to be looked at; anything else is left to be walked.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from itertools import chain, pairwise
from operator import itemgetter, ne
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from deltabench.inspect.counters import names_in, with_key_bytes
from deltabench.inspect.layout import marker_bytes
from deltabench.inspect.spans import unwrapped_bytes
from deltabench.inspect.tracking import NO_STATE, count_lost_blobs
from deltabench.inspect.tracks import Track, Tracks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.inspect.rows import Blob, Columns, Group, Steps

_T = TypeVar("_T")
_WORD_BYTES = len("true")  # or null


class _Inline(NamedTuple):
    """What stands in the values of a row: sizes, and the channels of which `true` stands."""

    sizes: dict[str, int]
    marked: frozenset[str]


_NOTHING = _Inline({}, frozenset())


def follow_columns(group: Group) -> Tracks | None:
    """Read a namespace; None if it is to be walked row by row."""
    if group.columns is None:
        return None
    try:
        return _Reader(group, group.columns).run()
    except _NotPlainError:
        return None


class _NotPlainError(Exception):
    """Not one line of checkpoints, or with versions that do not only go on."""


class _Reader:
    """One reading; every list is in the order of the checkpoints."""

    def __init__(self, group: Group, columns: Columns) -> None:
        self._group, self._columns = group, columns
        self._tracks = Tracks(group.thread, group.namespace)
        order = sorted(range(len(columns.ids)), key=columns.ids.__getitem__)
        self._order = order if order != list(range(len(order))) else None
        self._ids = self._sorted(columns.ids)
        self._bytes = self._sorted(columns.all_bytes)
        texts = self._sorted(columns.updated)
        known = {text: _updated(text) for text in dict.fromkeys(texts)}
        self._updated = [known[text] for text in texts]
        self._patterns = known.values()
        self._inline = self._sorted(columns.inline)

    def run(self) -> Tracks:
        tracks, columns = self._tracks, self._columns
        self._require_a_line()
        tracks.ids = self._ids
        tracks.parents = array("q", range(-1, len(self._ids) - 1))
        tracks.key_bytes = columns.key_bytes
        self._count_counters()
        marked, inline_bytes = self._count_inline()
        tracks.row_bytes = sum(self._bytes) - columns.key_bytes - inline_bytes
        used: set[tuple[str, str]] = set()
        for channel, versions in columns.versions.items():
            self._channel(channel, self._sorted(versions), marked.get(channel, set()), used)
        tracks.checkpoint_bytes = array("q", self._bytes)
        count_lost_blobs(tracks, self._group, used)
        for channel, sums in self._group.writes.items():
            tracks.channel(channel).writes = sums
        tracks.lost_writes = self._group.lost_writes
        tracks.problems = self._group.problems
        self._place_writes()
        return tracks

    def _sorted(self, column: Sequence[_T]) -> list[_T]:
        if self._order is None or len(column) == 1:
            return list(column)
        return list(itemgetter(*self._order)(column))

    def _require_a_line(self) -> None:
        parents = self._sorted(self._columns.parents)
        if parents[1:] != self._ids[:-1] or parents[0] in self._ids:
            raise _NotPlainError
        if parents[0]:
            self._tracks.orphans.append(0)
        known = self._columns.versions.keys()
        written = {name for names in self._patterns for name in names}
        if {name for name in written if not name.startswith(NO_STATE)} - known:
            raise _NotPlainError
        if self._group.blobs.keys() - known:
            raise _NotPlainError

    def _count_counters(self) -> None:
        counters = self._columns.counters
        if not counters:
            return
        rows = counters.count("\n") + 1
        size_bytes = len(counters.encode()) - (rows - 1)
        self._tracks.counter_bytes = with_key_bytes(size_bytes, rows)
        for channel in names_in(counters.encode()):
            self._tracks.channel(channel).is_counted = True

    def _count_inline(self) -> tuple[dict[str, set[int]], int]:
        """Count values in the rows; gives where each channel is marked as a snapshot."""
        counted = Counter(self._inline)
        patterns = {text: _inline(text) for text in counted}
        sum_bytes = 0
        for text, rows in counted.items():
            for channel, size in patterns[text].sizes.items():
                self._tracks.channel(channel).add_inline(rows, size)
                sum_bytes += rows * size
        marked: dict[str, set[int]] = {}
        if any(pattern.marked for pattern in patterns.values()):
            for at, text in enumerate(self._inline):
                for channel in patterns[text].marked:
                    marked.setdefault(channel, set()).add(at)
        for channel, places in marked.items():
            sum_bytes += _WORD_BYTES * self._count_words(channel, places)
        return marked, sum_bytes

    def _count_words(self, channel: str, places: set[int]) -> int:
        """Take out of `places` where `true` is a value itself; gives how many these are."""
        blobs = self._group.blobs.get(channel, {})
        versions = self._columns.versions.get(channel)
        found: list[Blob | None] = [None] * len(self._ids)
        if versions:
            found = [blobs.get(version) for version in self._sorted(versions)]
        words = {at for at in places if (blob := found[at]) is None or blob.is_empty}
        if words:
            self._tracks.channel(channel).add_inline(len(words), _WORD_BYTES)
        places -= words
        return len(words)

    def _channel(
        self, channel: str, versions: list[str], marked: set[int], used: set[tuple[str, str]]
    ) -> None:
        """Find the updates of a channel, and the values that are stored of them."""
        changes = map(ne, versions, chain([""], versions))
        changed = [at for at, is_new in enumerate(changes) if is_new]
        if not changed:
            return
        named = [versions[at] for at in changed]
        if "" in named or len(set(named)) < len(named):
            raise _NotPlainError
        has_state = not channel.startswith(NO_STATE)
        updates = self._begin(channel, changed, named) if has_state else [0] * len(changed)
        blobs = self._group.blobs.get(channel)
        if not blobs:
            return
        track = self._tracks.channel(channel)
        for at, version, update in zip(changed, named, updates, strict=True):
            blob = blobs.get(version)
            if blob is None:
                continue
            used.add((channel, version))
            self._tracks.count_blob(blob)
            self._bytes[at] += blob.size_bytes + blob.key_bytes
            if not blob.is_empty:
                snapshot = at in marked
                _store(track, blob, snapshot=snapshot)
                if has_state:
                    size = blob.size_bytes
                    track.know(update, unwrapped_bytes(size) if snapshot else size)

    def _begin(self, channel: str, changed: list[int], named: list[str]) -> list[int]:
        """Begin the updates; gives that of each change, as a value may keep its update."""
        track = self._tracks.channel(channel)
        updates: list[int] = []
        starts: list[int] = []
        for at, version in zip(changed, named, strict=True):
            if not starts or channel in self._updated[at]:
                starts.append(at)
                track.version_chars.append(len(version))
            updates.append(len(starts) - 1)
        track.at = array("q", starts)
        track.value_bytes = array("q", [-1]) * len(starts)
        track.held = array("q", [b - a for a, b in pairwise([*starts, len(self._ids)])])
        track.versions = dict(zip(named, updates, strict=True))
        return updates

    def _place_writes(self) -> None:
        """Add up the writes that made each update: those of the checkpoint before it."""
        positions = {id_: at for at, id_ in enumerate(self._ids)}
        for channel, track in self._tracks.channels.items():
            steps = self._group.steps.get(channel)
            if track.at and steps is not None and steps.are_msgpack:
                _place(track, steps, positions)


def _place(track: Track, steps: Steps, positions: dict[str, int]) -> None:
    import numpy as np

    count = len(positions)
    # Writes of missing checkpoints, and those that are not merged yet, come to lie behind.
    after = np.array([positions.get(id_, count) for id_ in steps.checkpoint_ids]) + 1
    rows = np.bincount(after, minlength=count + 2)
    sizes = np.bincount(after, weights=steps.sizes, minlength=count + 2)
    places = np.array(track.at)
    track.added_rows = rows[places]
    track.added_bytes = sizes[places].astype(np.int64)


def _store(track: Track, blob: Blob, *, snapshot: bool) -> None:
    extra = blob.key_bytes + (marker_bytes(track.channel) if snapshot else 0)
    track.add_stored(blob.size_bytes, extra, snapshot=snapshot)


def _updated(text: str) -> frozenset[str]:
    names = json.loads(text) if text else None
    if not isinstance(names, list):
        raise _NotPlainError  # as older versions wrote it
    return frozenset(map(str, names))


def _inline(text: str) -> _Inline:
    values = json.loads(text) if text else None
    if not isinstance(values, dict):
        return _NOTHING
    return _Inline(
        {
            name: _WORD_BYTES if size is None else size
            for name, size in values.items()
            if size is not True
        },
        frozenset(name for name, size in values.items() if size is True),
    )
