"""Turns the tracks of one namespace into sums: what is stored, and what would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.checkpointers.tally import collapsed
from deltabench.inspect import whatif
from deltabench.inspect.candidates import Standing, standing
from deltabench.inspect.sums import Sums
from deltabench.inspect.tracks import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.inspect.rows import Kind
    from deltabench.inspect.tracks import Track, Tracks
    from deltabench.inspect.whatif import Policy

_TABLES = {
    "sqlite": ("checkpoints", "", "writes"),
    "postgres": ("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
}


_PREDICTED = {Standing.DELTA, Standing.GROWS, Standing.PERHAPS}


@dataclass(frozen=True, slots=True)
class Asked:
    """The kind of database, the policies to try, and langgraph's bound in supersteps."""

    kind: Kind
    policies: Sequence[Policy]
    bound: int


def count(tracks: Tracks, asked: Asked) -> Sums:
    """Sums of one namespace."""
    found = Sums(problems=tracks.problems)
    namespace = collapsed(tracks.namespace)
    _tables(found, tracks, asked.kind)
    found.sums["namespace", namespace, "bytes"] += tracks.total_bytes
    found.sums["namespace", namespace, "checkpoints"] += len(tracks.ids)
    found.sums["namespace", namespace, "calls"] += 1
    found.sums["total",] += tracks.total_bytes
    _unreachable(found, tracks)
    judged = {name: standing(track) for name, track in tracks.channels.items()}
    for name, track in tracks.channels.items():
        _channel(found, namespace, track, judged[name])
    floor = tracks.total_bytes - sum(
        found.sums["kind", part] for part in ("whole values", "snapshots", "deltas")
    )
    found.sums["kind", "floor"] += floor
    _what_if(found, tracks, judged, asked)
    return found


def _tables(found: Sums, tracks: Tracks, kind: Kind) -> None:
    checkpoints, values, writes = _TABLES[kind]
    sums, pending = found.sums, tracks.writes
    inline = tracks.value_bytes
    if values:
        blobs = tracks.blob_bytes
        sums["table", values, "rows"] += tracks.blob_rows
        sums["table", values, "bytes"] += blobs + tracks.value_key_bytes
        inline -= blobs
    sums["table", checkpoints, "rows"] += len(tracks.ids)
    sums["table", checkpoints, "bytes"] += tracks.row_bytes + tracks.key_bytes + inline
    sums["table", writes, "rows"] += pending.rows
    sums["table", writes, "bytes"] += pending.size_bytes + pending.key_bytes


def _channel(found: Sums, namespace: str, track: Track, judged: Standing) -> None:
    sums, name = found.sums, track.channel
    for what, value in (
        ("value_rows", track.full_rows + track.lost_rows),
        ("value_bytes", track.full_bytes + track.lost_bytes),
        ("snapshot_rows", track.snapshot_rows),
        ("snapshot_bytes", track.snapshot_bytes),
        ("write_rows", track.writes.rows),
        ("write_bytes", track.writes.size_bytes),
        ("updates", len(track.at)),
    ):
        sums["channel", namespace, name, what] += value
    found.top(("largest", namespace, name), max(track.largest_bytes, track.writes.largest_bytes))
    sums["kind", "whole values"] += track.full_bytes + track.lost_bytes
    sums["kind", "snapshots"] += track.snapshot_bytes
    if track.is_counted or track.snapshot_rows:
        sums["kind", "deltas"] += track.writes.size_bytes
    if judged is Standing.UNKNOWN:
        found.reasons[namespace, name] = track.problem


def _unreachable(found: Sums, tracks: Tracks) -> None:
    aside = [] if tracks.is_linear else _aside(tracks)
    for what, rows, size_bytes in (
        ("values", tracks.lost_blobs.rows, tracks.lost_blobs.all_bytes),
        ("writes", tracks.lost_writes.rows, tracks.lost_writes.all_bytes),
        ("branches", len(aside), sum(tracks.checkpoint_bytes[n] for n in aside)),
        ("orphans", len(tracks.orphans), sum(tracks.checkpoint_bytes[n] for n in tracks.orphans)),
    ):
        found.sums["unreachable", what, "rows"] += rows
        found.sums["unreachable", what, "bytes"] += size_bytes


def _aside(tracks: Tracks) -> list[int]:
    """Positions of the checkpoints that the newest one does not descend from."""
    on_the_way = set()
    at = len(tracks.ids) - 1
    while at != UNKNOWN:
        on_the_way.add(at)
        at = tracks.parents[at]
    return [n for n in range(len(tracks.ids)) if n not in on_the_way]


def _what_if(found: Sums, tracks: Tracks, judged: dict[str, Standing], asked: Asked) -> None:
    namespace = collapsed(tracks.namespace)
    chosen = [track for name, track in tracks.channels.items() if judged[name] in _PREDICTED]
    # Stored counters are not told apart by channel: where one cannot be predicted, all stay.
    counters_stay = any(
        track.is_counted and judged[name] is Standing.UNKNOWN
        for name, track in tracks.channels.items()
    )
    stored = 0 if counters_stay else tracks.counter_bytes
    for policy in asked.policies:
        outcomes, counters = whatif.outcomes(tracks, chosen, asked.kind, policy, asked.bound)
        found.sums["counters", policy] += (0 if counters_stay else counters) - stored
        for track, outcome in zip(chosen, outcomes, strict=True):
            channel = (namespace, track.channel)
            key = ("change", judged[track.channel], *channel, policy)
            found.sums[*key, "bytes"] += outcome.cost_bytes - track.stored_cost
            found.sums[*key, "snapshots"] += outcome.snapshots
            found.sums[*key, "depth"] += outcome.sum_depth
            found.sums[*key, "at"] += len(tracks.ids)
            for what in outcome.estimates:
                found.estimates.add((*channel, policy, what))
            found.top(("worst", *channel, policy), outcome.worst_depth)
            found.top(("head", *channel, policy), outcome.head_depth)
