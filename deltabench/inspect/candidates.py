"""Which channels a snapshot frequency could be given to, judged by what they store.

The reducer of a channel is not in the database. A channel that accumulates stores values
which together are larger than what was written to it; one that is replaced at each update
stores exactly what was written.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from deltabench.inspect.tracks import UNKNOWN

if TYPE_CHECKING:
    from deltabench.inspect.tracks import Track

_CLEARLY_MORE = 1.02


class Standing(Enum):
    """What a channel is to the what-if figures."""

    DELTA = "delta"  # a delta channel by its own counters or snapshots
    GROWS = "grows"  # whole values that accumulate writes
    PERHAPS = "perhaps"  # one update says nothing; other threads may
    FIXED = "fixed"  # replaced at each update, or no state at all: stays as it is
    UNKNOWN = "unknown"  # cannot be predicted


def standing(track: Track) -> Standing:
    """Judge one channel of one namespace; UNKNOWN sets its `problem`."""
    if track.is_counted or track.snapshot_rows:
        return Standing.UNKNOWN if track.problem else Standing.DELTA
    if not track.at or UNKNOWN in track.value_bytes:
        return Standing.FIXED
    if len(track.at) == 1:
        return Standing.PERHAPS
    if not track.writes.rows:
        if track.value_bytes[-1] > track.value_bytes[0]:
            track.problem = "its writes are not stored (durability exit?)"
            return Standing.UNKNOWN
        return Standing.FIXED
    accumulates = sum(track.value_bytes) > _CLEARLY_MORE * track.writes.size_bytes
    return Standing.GROWS if accumulates else Standing.FIXED
