"""Finds the sizes of values that a delta channel did not store, out of its writes.

The writes of a checkpoint made the values of its first child. They are merged by size
alone (`growing`), from the last whole value on, and every whole value on the way is held
against what was derived; where they differ, it is the one that is gone on from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from deltabench.inspect.growing import Growing
from deltabench.inspect.tracks import UNKNOWN, Track, Tracks

if TYPE_CHECKING:
    from deltabench.inspect.rows import PendingWrite, Source

_NO_OBJECT = {"null", "empty"}


@dataclass(slots=True)
class _Run:
    """One channel on its way: the value as of `update`, or None where it is not known.

    `before` gives the update that each update follows in its branch, -1 for the first.
    `kept` holds the values at which a branch begins, once they are known; `forks` are
    the updates for which that is so.
    """

    track: Track
    before: list[int]
    value: Growing | None = field(default_factory=Growing)
    update: int = -1
    kept: dict[int, Growing] = field(default_factory=dict)
    forks: frozenset[int] = frozenset()
    reasons: list[str] = field(default_factory=list)


def derive(tracks: Tracks, source: Source) -> None:
    """Fill in unknown sizes; a channel for which that fails gets a `problem`."""
    runs = {
        track.channel: _run(tracks, track)
        for track in tracks.channels.values()
        if (track.is_counted or track.snapshot_rows) and UNKNOWN in track.value_bytes
    }
    if not runs:
        return
    heirs = _first_children(tracks)
    where = {name: {at: n for n, at in enumerate(run.track.at)} for name, run in runs.items()}
    largest_bytes = max(run.track.writes.largest_bytes for run in runs.values())
    stream = source.write_values(tracks.thread, tracks.namespace, list(runs), largest_bytes)
    for checkpoint_id, found in groupby(stream, lambda write: write.checkpoint_id):
        heir = heirs.get(checkpoint_id)
        if heir is None:
            continue  # not merged yet, or of a missing checkpoint
        merged: dict[str, list[PendingWrite]] = {}
        for write in found:
            merged.setdefault(write.channel, []).append(write)
        for channel, writes in merged.items():
            update = where[channel].get(heir)
            if update is not None:
                _advance(tracks, runs[channel], update, writes, source)
    for run in runs.values():
        missing = run.track.value_bytes.count(UNKNOWN)
        if missing:
            reason = run.reasons[0] if run.reasons else "its writes are not stored"
            run.track.problem = f"{missing} of {len(run.track.at)} sizes unknown: {reason}"


def _advance(
    tracks: Tracks, run: _Run, update: int, writes: list[PendingWrite], source: Source
) -> None:
    track, before = run.track, run.before[update]
    if before != run.update:
        _resume(tracks, run, before, source)
    run.update = update
    _merge(tracks, run, writes)
    stored = track.value_bytes[update]
    if stored == UNKNOWN:
        if run.value is not None:
            track.value_bytes[update] = run.value.size_bytes
    elif run.value is None or run.value.size_bytes != stored:
        needed = update + 1 < len(track.at) and track.value_bytes[update + 1] == UNKNOWN
        run.value = _loaded(tracks, run, update, source) if needed else None
    if run.value is not None and update in run.forks:
        run.kept[update] = run.value.copy()


def _resume(tracks: Tracks, run: _Run, update: int, source: Source) -> None:
    """Go back to the value as of an earlier update, where a branch begins."""
    run.update = update
    if update == -1:
        run.value = Growing()
    elif update in run.kept:
        run.value = run.kept[update].copy()
    elif run.track.value_bytes[update] != UNKNOWN:
        run.value = _loaded(tracks, run, update, source)
    else:
        run.value = None


def _loaded(tracks: Tracks, run: _Run, update: int, source: Source) -> Growing | None:
    """Give the stored value of an update, to go on from."""
    track = run.track
    version = next(version for version, number in track.versions.items() if number == update)
    place = tracks.ids[track.at[update]]
    data = source.value(tracks.thread, tracks.namespace, track.channel, place, version)
    if data is None:
        return None
    value = Growing()
    try:
        value.start(data)
    except ValueError as error:
        run.reasons.append(str(error))
        return None
    return value


def _run(tracks: Tracks, track: Track) -> _Run:
    before = _before(tracks, track)
    if tracks.is_linear:
        return _Run(track, before)
    counts = Counter(before)
    return _Run(track, before, forks=frozenset(u for u, count in counts.items() if count > 1))


def _before(tracks: Tracks, track: Track) -> list[int]:
    """Give the update that each update follows in its branch, -1 for none."""
    if tracks.is_linear:
        return list(range(-1, len(track.at) - 1))
    numbers = {at: number for number, at in enumerate(track.at)}
    newest: list[int] = []
    before = []
    for at, parent in enumerate(tracks.parents):
        earlier = newest[parent] if parent != UNKNOWN else -1
        if at in numbers:
            before.append(earlier)
        newest.append(numbers.get(at, earlier))
    return before


def _merge(tracks: Tracks, run: _Run, writes: list[PendingWrite]) -> None:
    for write in writes:
        if run.value is None:
            return
        problem = _problem(run.value, write)
        if problem:
            run.value = None
            run.reasons.append(problem)
            place = f"thread {tracks.thread}, checkpoint {write.checkpoint_id}"
            tracks.problems.append(f"{place}, channel {write.channel}: {problem}")


def _problem(value: Growing, write: PendingWrite) -> str:
    """Merge a write; what is wrong with it, or nothing."""
    if write.type in _NO_OBJECT:
        return ""
    if write.type != "msgpack":
        return f"a write stored as {write.type}"
    try:
        value.merge(write.data)
    except ValueError as error:
        return str(error)
    return ""


def _first_children(tracks: Tracks) -> dict[str, int]:
    children: dict[str, int] = {}
    for position, parent in enumerate(tracks.parents):
        if parent != UNKNOWN:
            children.setdefault(tracks.ids[parent], position)
    return children
