"""Series made from a pattern of turns, for laws that hold whatever the sizes are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.model.series import ChannelSeries, FixedBytes, Lane, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECKPOINTS_PER_TURN = 4


def series_of(
    growth: Sequence[Sequence[int]], *, checkpointer: str = "memory", fixed_bytes: int = 700
) -> Series:
    """A thread in which turn t makes one update for each entry of `growth[t]`, so many bytes.

    Every turn has the same number of checkpoints, of which the last ones are updates.
    """
    places: list[int] = []
    sizes: list[int] = []
    writes: list[int] = []
    turns: list[int] = []
    size = 100
    for turn, steps in enumerate(growth, 1):
        for number in range(CHECKPOINTS_PER_TURN):
            step = number - CHECKPOINTS_PER_TURN + len(steps)
            if step >= 0:
                size += steps[step]
                places.append(len(turns))
                sizes.append(size)
                writes.append(steps[step])
            turns.append(turn)
    messages = ChannelSeries(
        channel="messages",
        checkpoints=tuple(places),
        value_bytes=tuple(sizes),
        write_bytes=tuple(writes),
        key_bytes=(2,) * len(places),
    )
    total, fixed = 0, []
    for turn, steps in enumerate(growth, 1):
        total += fixed_bytes + sum(steps)
        fixed.append(FixedBytes(turn=turn, size_bytes=total))
    return Series(
        source="a pattern",
        checkpointer=checkpointer,
        durability="async",
        superstep_bound=5000,
        lanes=(
            Lane(
                namespace="",
                turns=tuple(turns),
                channels=(messages,),
                entries=(1,) * len(turns),
                metadata_entries=(5,) * len(turns),
            ),
        ),
        fixed=tuple(fixed),
    )
