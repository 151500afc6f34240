"""What other levers than K would give on the same thread, and what each gives up.

Estimates: rows are taken to be of one size, and what langgraph stores besides them follows
from the recorded updates. The tests hold them against real runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.model.cadence import cadence
from deltabench.model.formats import snapshot_bytes

if TYPE_CHECKING:
    from deltabench.model.series import ChannelSeries, Series

EXIT_GIVES_UP = "a crash in mid-turn loses that turn; history and forks at ends of turns only"
NEWEST_GIVES_UP = "no history, time travel or forks"
NEWEST_DELTA_GIVES_UP = (
    f"{NEWEST_GIVES_UP}; rows back to the last snapshot must stay, or the state is lost"
)


class Lever(Value):
    """One way to store less that is not a choice of K; `stored_bytes` is estimated."""

    name: str
    stored_bytes: int
    gives_up: str


def levers(series: Series, frequency: int) -> tuple[Lever, ...]:
    """Estimate every lever at the end of the thread, beside delta channels with this K."""
    rows = _row_bytes(series)
    turns = len(set(series.lanes[0].turns))
    channels = [channel for channel in series.lanes[0].channels if channel.checkpoints]
    writes = sum(sum(channel.write_bytes) for _, channel in series.channels())
    whole = sum(snapshot_bytes(channel.value_bytes[-1]) for channel in channels)
    label = f"K={frequency}"
    return (
        Lever(
            name="full snapshots, durability exit",
            stored_bytes=turns * rows + sum(_ends(series, channel) for channel in channels),
            gives_up=EXIT_GIVES_UP,
        ),
        Lever(
            name=f"{label}, durability exit",
            stored_bytes=turns * rows
            + writes
            + sum(_exit_snapshots(series, channel, frequency) for channel in channels),
            gives_up=EXIT_GIVES_UP,
        ),
        Lever(
            name="full snapshots, newest checkpoint only",
            stored_bytes=rows + whole,
            gives_up=NEWEST_GIVES_UP,
        ),
        Lever(
            name=f"{label}, back to the last snapshot only",
            stored_bytes=_newest_delta(series, channels, frequency, rows),
            gives_up=NEWEST_DELTA_GIVES_UP,
        ),
    )


def _row_bytes(series: Series) -> int:
    """One checkpoint's rows on average, without the writes of the delta channels."""
    checkpoints = sum(len(lane.turns) for lane in series.lanes)
    writes = sum(sum(channel.write_bytes) for _, channel in series.channels())
    return max(0, series.fixed[-1].size_bytes - writes) // max(1, checkpoints)


def _ends(series: Series, channel: ChannelSeries) -> int:
    """The whole values at the ends of turns; in sqlite also of turns without an update."""
    turns = series.lanes[0].turns
    last = {turns[at]: size for at, size in zip(channel.checkpoints, channel.value_bytes,
                                                strict=True)}  # fmt: skip
    if series.checkpointer != "sqlite":
        return sum(last.values())
    total = size = 0
    for turn in sorted(set(turns)):
        size = last.get(turn, size)
        total += size
    return total


def _exit_snapshots(series: Series, channel: ChannelSeries, frequency: int) -> int:
    """Snapshots where K was reached by the end of a turn."""
    turns = series.lanes[0].turns
    total = since = 0
    for number, (at, size) in enumerate(zip(channel.checkpoints, channel.value_bytes,
                                            strict=True), 1):  # fmt: skip
        since += 1
        is_last = number == len(channel.checkpoints)
        ends_turn = is_last or turns[channel.checkpoints[number]] != turns[at]
        if ends_turn and since >= frequency:
            total += snapshot_bytes(size)
            since = 0
    return total


def _newest_delta(series: Series, channels: list[ChannelSeries], frequency: int, rows: int) -> int:
    """The last snapshot of each channel, the writes since, and the rows that they hang on."""
    count = len(series.lanes[0].turns)
    total = furthest = 0
    for channel in channels:
        ruled = cadence(channel, count, frequency, series.superstep_bound)
        first = ruled.snapshots[-1].update + 1 if ruled.snapshots else 0
        if ruled.snapshots:
            total += snapshot_bytes(channel.value_bytes[first - 1])
        total += sum(channel.write_bytes[first:])
        furthest = max(furthest, int(ruled.supersteps_since[-1]))
    return total + rows * (furthest + 1)
