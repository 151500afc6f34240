"""What the same session stores under another K: the recorded run, with other snapshots.

Everything that K does not touch is the recorded run as it was counted. What K does touch
follows from the series: the whole values, their keys, and the counters in the metadata.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from deltabench.cells import LargestValue, StoredBytes
from deltabench.checkpointers.tally import collapsed
from deltabench.errors import DeltabenchError
from deltabench.model.cadence import cadence
from deltabench.model.curves import USUAL_ENTRIES, USUAL_METADATA_ENTRIES
from deltabench.model.formats import counter_bytes, row_bytes, snapshot_bytes

if TYPE_CHECKING:
    from deltabench.model.cadence import Cadence
    from deltabench.model.series import Lane, Series


@dataclass(slots=True)
class Effects:
    """What one K adds to a session, up to and including a turn."""

    turn: int
    value_rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    value_bytes: Counter[tuple[str, str]] = field(default_factory=Counter)
    largest_bytes: dict[tuple[str, str], int] = field(default_factory=dict)
    row_bytes: int = 0
    key_bytes: int = 0
    snapshots: Counter[str] = field(default_factory=Counter)

    @property
    def total_bytes(self) -> int:
        """Everything that the K adds."""
        return self.value_bytes.total() + self.row_bytes + self.key_bytes

    def include(self, earlier: Effects) -> None:
        """Add what was there already at an earlier turn."""
        for mine, its in (
            (self.value_rows, earlier.value_rows),
            (self.value_bytes, earlier.value_bytes),
            (self.snapshots, earlier.snapshots),
        ):
            mine.update(its)  # type: ignore[arg-type]  # mypy takes the last two for one type
        for key, size in earlier.largest_bytes.items():
            self.largest_bytes[key] = max(size, self.largest_bytes.get(key, 0))
        self.row_bytes += earlier.row_bytes
        self.key_bytes += earlier.key_bytes


def effects(series: Series, frequency: int, turns: tuple[int, ...]) -> tuple[Effects, ...]:
    """What K adds, after each of these turns, which must rise.

    Raises DeltabenchError if langgraph's bound on supersteps would snapshot a channel that
    was not written: the versions drawn after that are others than those recorded.
    """
    found = tuple(Effects(turn=turn) for turn in turns)
    bound = series.superstep_bound
    for lane in series.lanes:
        cadences = {c.channel: cadence(c, len(lane.turns), frequency, bound) for c in lane.channels}
        if any(snapshot.idle for each in cadences.values() for snapshot in each.snapshots):
            raise DeltabenchError(
                f"K={frequency} reaches langgraph's bound of {bound:,} supersteps without an "
                "update of a channel; the versions drawn after that cannot be derived",
                hint="measure that K in a sweep of its own, or take fewer turns",
            )
        _add_snapshots(series.checkpointer, lane, cadences, found)
        _add_counters(series.checkpointer, lane, cadences, found)
    for earlier, later in pairwise(found):
        later.include(earlier)
    return found


def derived_storage(counted: StoredBytes, own: Effects, its: Effects) -> StoredBytes:
    """What would have been counted at a mark: `own` effects in place of `its` own.

    `counted` is the recorded run's storage at that mark, `its` the effects of its own K.
    """
    rows, sizes = own.value_rows, own.value_bytes
    channels = []
    for old in counted.channels:
        key = (old.namespace, old.channel)
        channels.append(
            old.model_copy(
                update={
                    "value_rows": old.value_rows + rows[key] - its.value_rows[key],
                    "value_bytes": old.value_bytes + sizes[key] - its.value_bytes[key],
                }
            )
        )
    return counted.model_copy(
        update={
            "channels": tuple(channels),
            "value_rows": sum(channel.value_rows for channel in channels),
            "value_bytes": sum(channel.value_bytes for channel in channels),
            "row_bytes": counted.row_bytes + own.row_bytes - its.row_bytes,
            "key_bytes": counted.key_bytes + own.key_bytes - its.key_bytes,
            "largest_value": _largest(counted, own),
        }
    )


def _add_snapshots(
    checkpointer: str, lane: Lane, cadences: dict[str, Cadence], found: tuple[Effects, ...]
) -> None:
    """Add every snapshot to the first mark that it is held at."""
    marks = [each.turn for each in found]
    together: dict[int, list[str]] = {}
    for channel in lane.channels:
        key = (collapsed(lane.namespace), channel.channel)
        for snapshot in cadences[channel.channel].snapshots:
            place = bisect_left(marks, lane.turns[snapshot.checkpoint])
            if place == len(found):
                break  # after the last mark
            effect = found[place]
            size = snapshot_bytes(channel.value_bytes[snapshot.update])
            effect.value_rows[key] += 1
            effect.value_bytes[key] += size
            effect.largest_bytes[key] = max(size, effect.largest_bytes.get(key, 0))
            effect.snapshots[channel.channel] += 1
            effect.key_bytes += channel.key_bytes[snapshot.update] if channel.key_bytes else 0
            together.setdefault(snapshot.checkpoint, []).append(channel.channel)
    for checkpoint, channels in together.items():
        place = bisect_left(marks, lane.turns[checkpoint])
        entries = lane.entries[checkpoint] if lane.entries else USUAL_ENTRIES
        found[place].row_bytes += row_bytes(checkpointer, channels, entries)


def _add_counters(
    checkpointer: str, lane: Lane, cadences: dict[str, Cadence], found: tuple[Effects, ...]
) -> None:
    import numpy as np

    count = len(lane.turns)
    entries = np.array(lane.metadata_entries or [USUAL_METADATA_ENTRIES] * count, dtype=np.int64)
    counters = {
        name: (each.updates_since, each.supersteps_since) for name, each in cadences.items()
    }
    sums = np.concatenate([[0], np.cumsum(counter_bytes(checkpointer, counters, entries))])
    start = 0
    for effect in found:
        end = bisect_right(lane.turns, effect.turn)
        effect.row_bytes += int(sums[end] - sums[start])
        start = end


def _largest(counted: StoredBytes, own: Effects) -> LargestValue | None:
    """Whatever is largest: a snapshot under this K, or what the recorded run holds anyway."""
    found = [(-size, channel) for (_, channel), size in own.largest_bytes.items()]
    if counted.largest_value:
        found.append((-counted.largest_value.size_bytes, counted.largest_value.channel))
    if not found:
        return None
    size, channel = min(found)
    return LargestValue(channel=channel, size_bytes=-size)


def depth(series: Series, frequency: int) -> tuple[int, int]:
    """Most updates and most supersteps since a snapshot, over the channels at the end."""
    bound = series.superstep_bound
    walked = (0, 0)
    for lane in series.lanes[:1]:  # the thread itself; a resume reads no other
        for channel in lane.channels:
            if channel.checkpoints:
                ruled = cadence(channel, len(lane.turns), frequency, bound)
                walked = (
                    max(walked[0], int(ruled.updates_since[-1])),
                    max(walked[1], int(ruled.supersteps_since[-1])),
                )
    return walked
