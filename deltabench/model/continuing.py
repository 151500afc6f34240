"""Continues a series beyond its end: the last whole periods, over and over.

A session grows by what its turns add, and turns repeat: every tenth may bring a large
result. The period is found in the series itself, as the one that foretells the last turns
best from those before. Everything beyond the recorded end is an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deltabench.errors import DeltabenchError
from deltabench.model.curves import fixed_curve
from deltabench.model.series import ChannelSeries, FixedBytes, Lane

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from deltabench.model.series import Series

# Fewer turns show no growth that could be continued.
FEWEST_TURNS = 4
# A longer period must foretell better by this share, and by this part of what a turn adds.
_BETTER, _PART = 0.8, 0.002


@dataclass(frozen=True, slots=True)
class Continued:
    """A series of as many turns as asked for, those beyond `recorded_turns` estimated."""

    series: Series
    recorded_turns: int
    period_turns: int


def continued(series: Series, turns: int, period: int | None = None) -> Continued:
    """Continue a series to `turns`, or cut it there if it is longer.

    `period`, in turns, is looked for in the series unless it is known.

    Raises DeltabenchError if it has too few turns to show how it grows.
    """
    recorded = series.turns
    if turns > recorded and recorded < FEWEST_TURNS:
        raise DeltabenchError(
            f"{recorded} turns of {series.source} are too few to continue",
            hint=f"record {FEWEST_TURNS} turns or more, 50 are better",
        )
    if turns > recorded and len(set(series.lanes[0].turns)) < recorded:
        raise DeltabenchError(
            f"{series.source} does not say which checkpoint belongs to which turn",
            hint="a recorded session does: sweep --exact",
        )
    if period is None:
        period = _period(series) if turns > recorded else 1
    fixed = fixed_curve(series)
    if turns > recorded:
        grown = _repeated(np.diff(fixed, prepend=0), period, turns)
        fixed = np.concatenate([fixed, fixed[-1] + np.cumsum(grown)])
    lane = _lane(series.lanes[0], recorded, period, turns)
    whole = series.model_copy(
        update={
            "lanes": (lane, *(_cut(other, turns) for other in series.lanes[1:])),
            "fixed": tuple(
                FixedBytes.model_construct(turn=turn, size_bytes=int(size))
                for turn, size in enumerate(fixed[:turns], 1)
            ),
            "estimated": series.estimated or turns > recorded,
        }
    )
    return Continued(series=whole, recorded_turns=recorded, period_turns=period)


def _period(series: Series) -> int:
    """The number of turns after which growth repeats."""
    rows = [np.diff(fixed_curve(series), prepend=0)]
    lane = series.lanes[0]
    rows.extend(_growth_by_turn(lane, channel, series.turns) for channel in lane.channels)
    growth = np.array(rows, dtype=np.float64)[:, 1:]  # the first turn also begins the thread
    scale = np.maximum(np.abs(growth).mean(axis=1, keepdims=True), 1)
    growth /= scale
    count = growth.shape[1]
    best, least = 1, np.inf
    for period in range(1, count // 2 + 1):
        missed = float(np.abs(growth[:, period:] - growth[:, :-period]).mean())
        if missed < min(least * _BETTER, least - _PART):
            best, least = period, missed
    return best


def _growth_by_turn(lane: Lane, channel: ChannelSeries, turns: int) -> NDArray[np.int64]:
    ends = np.zeros(turns + 1, dtype=np.int64)
    for place, size in zip(channel.checkpoints, channel.value_bytes, strict=True):
        ends[lane.turns[place]] = size
    # A turn without an update leaves the value as it was.
    known = np.where(ends > 0, np.arange(turns + 1), 0)
    values = ends[np.maximum.accumulate(known)]
    grown: NDArray[np.int64] = values[1:] - values[:-1]
    return grown


def _repeated(per_turn: NDArray[np.int64], period: int, turns: int) -> NDArray[np.int64]:
    """Mean growth at each phase of the period, for the turns after those given."""
    recorded = len(per_turn)
    periods = max(1, (recorded - 1) // period)  # the first turn begins the thread
    tail = per_turn[recorded - periods * period :].reshape(periods, period).mean(axis=0)
    more: NDArray[np.int64] = np.rint(tail[np.arange(turns - recorded) % period]).astype(np.int64)
    return more


def _lane(lane: Lane, recorded: int, period: int, turns: int) -> Lane:
    if turns <= recorded:
        return _cut(lane, turns)
    first = recorded - period + 1  # the turn with which the last period begins
    begin = lane.turns.index(first)
    block = len(lane.turns) - begin
    copies = -(-(turns - recorded) // period)
    more_turns = [
        turn + period * copy for copy in range(1, copies + 1) for turn in lane.turns[begin:]
    ]
    grown = Lane.model_construct(
        namespace=lane.namespace,
        turns=(*lane.turns, *more_turns),
        channels=tuple(
            _channel(channel, lane, begin, block, copies, period, recorded)
            for channel in lane.channels
        ),
        entries=lane.entries + lane.entries[begin:] * copies,
        metadata_entries=lane.metadata_entries + lane.metadata_entries[begin:] * copies,
    )
    return _cut(grown, turns)


def _channel(  # noqa: PLR0913, PLR0917 - one call, above
    channel: ChannelSeries,
    lane: Lane,
    begin: int,
    block: int,
    copies: int,
    period: int,
    recorded: int,
) -> ChannelSeries:
    """Repeat the updates of the last period; growth per period is the mean of all periods."""
    places = np.array(channel.checkpoints, dtype=np.int64)
    start = int(np.searchsorted(places, begin))
    if start == len(places):
        return channel
    values = np.array(channel.value_bytes, dtype=np.float64)
    growth = _growth_by_turn(lane, channel, recorded)
    periods = max(1, (recorded - 1) // period)
    per_period = growth[recorded - periods * period :].sum() / periods
    last = growth[recorded - period :].sum()
    base = values[start - 1] if start else 0.0
    # Within a period as in the last one, stretched to what a period grows by on average.
    steps = (values[start:] - base) * (per_period / last if last > 0 else 1.0)
    numbers = np.arange(1, copies + 1)[:, None]
    grown = values[-1] + (numbers - 1) * per_period + steps[None, :]
    more = (places[start:][None, :] + numbers * block).ravel()
    forced = np.array([update for update in channel.forced if update >= start], dtype=np.int64)
    again = (forced[None, :] + numbers * len(places[start:])).ravel()

    def repeated(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return sizes + sizes[start:] * copies

    return ChannelSeries.model_construct(
        channel=channel.channel,
        checkpoints=(*channel.checkpoints, *more.tolist()),
        value_bytes=(*channel.value_bytes, *np.rint(grown).astype(np.int64).ravel().tolist()),
        write_bytes=repeated(channel.write_bytes),
        forced=(*channel.forced, *again.tolist()),
        key_bytes=repeated(channel.key_bytes),
    )


def _cut(lane: Lane, turns: int) -> Lane:
    if not lane.turns or lane.turns[-1] <= turns:
        return lane
    count = int(np.searchsorted(lane.turns, turns, side="right"))
    channels = []
    for channel in lane.channels:
        kept = int(np.searchsorted(channel.checkpoints, count))
        channels.append(
            ChannelSeries.model_construct(
                channel=channel.channel,
                checkpoints=channel.checkpoints[:kept],
                value_bytes=channel.value_bytes[:kept],
                write_bytes=channel.write_bytes[:kept],
                forced=tuple(update for update in channel.forced if update < kept),
                key_bytes=channel.key_bytes[:kept],
            )
        )
    return Lane.model_construct(
        namespace=lane.namespace,
        turns=lane.turns[:count],
        channels=tuple(channels),
        entries=lane.entries[:count],
        metadata_entries=lane.metadata_entries[:count],
    )
