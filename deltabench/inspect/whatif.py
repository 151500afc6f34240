"""What one channel's values would take under full snapshots and under each K.

A derived figure, not a measurement: the same checkpoints and writes, and the snapshots
that langgraph would take of the values whose sizes are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.inspect.counters import around_bytes, entry_bytes
from deltabench.inspect.layout import layout_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.inspect.rows import Kind
    from deltabench.inspect.tracks import Track, Tracks

Policy = int | None  # a snapshot frequency; None is full snapshots


@dataclass(frozen=True, slots=True)
class Depth:
    """Updates to replay when reading: at the newest checkpoint, the sum over all, the most."""

    head: int
    sum: int
    worst: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One channel under one policy, in bytes: its values, and its part of the counters."""

    value_cost: int
    counter_bytes: int
    snapshots: int
    depth: Depth


@dataclass(frozen=True, slots=True)
class Asked:
    """A namespace, and the policies to try; `limit` is in supersteps without a snapshot."""

    tracks: Tracks
    kind: Kind
    policies: Sequence[Policy]
    limit: int


def outcome(asked: Asked, track: Track, policy: Policy, counted: bytearray) -> Outcome:
    """Work out one channel under one policy.

    Sets in `counted` the checkpoints whose metadata name the channel.
    """
    if policy is None:
        cost = layout_of(asked.kind).full_bytes(asked.tracks, track)
        return Outcome(cost, 0, 0, Depth(0, 0, 0))
    return _delta(asked, track, policy, counted)


def _delta(asked: Asked, track: Track, k: int, counted: bytearray) -> Outcome:
    tracks = asked.tracks
    parents, count = tracks.parents, len(tracks.parents)
    # One more element, which stays zero: the state before the first checkpoint, whose
    # parent is -1.
    updates, supersteps, newest = [0] * (count + 1), [0] * (count + 1), [0] * (count + 1)
    numbers = [0] * count
    for number, at in enumerate(track.at, 1):
        numbers[at] = number
    snapshots: list[int] = []
    for at in range(count):
        parent = parents[at]
        since, steps, value = updates[parent], supersteps[parent] + 1, newest[parent]
        if numbers[at]:
            value = numbers[at]
            since += 1
        if value and (since >= k or steps >= asked.limit):
            snapshots.append(value - 1)
            since = steps = 0
        else:
            counted[at] = 1
        updates[at], supersteps[at], newest[at] = since, steps, value
    layout = layout_of(asked.kind)
    return Outcome(
        value_cost=sum(layout.snapshot_bytes(tracks, track, update) for update in snapshots),
        counter_bytes=_counter_bytes(track.channel, updates[:-1], supersteps[:-1]),
        snapshots=len(snapshots),
        depth=Depth(updates[count - 1] if count else 0, sum(updates), max(updates)),
    )


def counters_around(counted: bytearray) -> int:
    """Bytes around the entries of counters, in all checkpoints that have any."""
    return around_bytes() * sum(counted)


def _counter_bytes(channel: str, updates: Sequence[int], supersteps: Sequence[int]) -> int:
    shown = [(u, s) for u, s in zip(updates, supersteps, strict=True) if u or s]
    digits = sum(len(str(u)) + len(str(s)) for u, s in shown)
    return len(shown) * entry_bytes(channel) + digits
