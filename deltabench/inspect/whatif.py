"""What a namespace would store under full snapshots and under each K.

A derived figure, not a measurement: the same checkpoints and writes, and the snapshots
that langgraph would take of the values whose sizes are known. A delta thread's messages
keep the ids that langgraph gave them, which a reducer of full snapshots may not do. A
thread of durability `exit` stays one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.inspect.layout import layout_of
from deltabench.inspect.names import write_bytes
from deltabench.inspect.replay import replay
from deltabench.model.formats import counter_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.inspect.rows import Kind
    from deltabench.inspect.tracks import Track, Tracks

Policy = int | None  # a snapshot frequency; None is full snapshots


@dataclass(frozen=True, slots=True)
class Outcome:
    """One channel under one policy: bytes of its values, with all that comes with them.

    `head_depth`, `worst_depth` and `sum_depth` are the updates to replay when reading the
    newest checkpoint, the worst, and all of them one by one. `estimates` names what is not
    known to the byte: "sizes" of values, or how many messages lack "ids".
    """

    cost_bytes: int
    snapshots: int = 0
    head_depth: int = 0
    worst_depth: int = 0
    sum_depth: int = 0
    estimates: frozenset[str] = frozenset()


def outcomes(
    tracks: Tracks, chosen: Sequence[Track], kind: Kind, policy: Policy, bound: int
) -> tuple[list[Outcome], int]:
    """Give each chosen channel's outcome, and the bytes of the counters of all.

    `bound` is in supersteps without a snapshot, langgraph's own.
    """
    layout = layout_of(kind)
    if policy is None:
        return [
            Outcome(layout.full_bytes(tracks, track), estimates=_estimates(track, None))
            for track in chosen
        ], 0
    import numpy as np

    found, counters = [], {}
    for track in chosen:
        cadence = replay(tracks, track, policy, bound)
        counters[track.channel] = (cadence.updates, cadence.supersteps)
        snapshots = np.array(cadence.snapshots, dtype=np.int64)
        found.append(
            Outcome(
                cost_bytes=write_bytes(track) + layout.snapshot_bytes(tracks, track, snapshots),
                snapshots=len(cadence.snapshots),
                head_depth=int(cadence.updates[-1]) if len(cadence.updates) else 0,
                worst_depth=int(cadence.updates.max(initial=0)),
                sum_depth=int(cadence.updates.sum()),
                estimates=_estimates(track, cadence.snapshots),
            )
        )
    others = np.zeros(len(tracks.ids), dtype=np.int64)
    return found, int(counter_bytes(kind, counters, others).sum())


def _estimates(track: Track, snapshots: list[int] | None) -> frozenset[str]:
    """What is estimated about these snapshots; None stands for whole values throughout."""
    found = set()
    if track.estimated and (snapshots is None or not track.estimated.isdisjoint(snapshots)):
        found.add("sizes")
    if track.unnamed_estimated and snapshots is not None:
        found.add("ids")
    return frozenset(found)
