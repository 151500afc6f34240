"""The rules of snapshots, held against langgraph's own predicate step by step."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from langgraph.channels.delta import DeltaChannel
from langgraph.pregel import _checkpoint

from deltabench.model.cadence import cadence
from deltabench.model.series import ChannelSeries


def _series(written: list[bool], forced: list[bool]) -> ChannelSeries:
    places = [number for number, is_written in enumerate(written) if is_written]
    return ChannelSeries(
        channel="notes",
        checkpoints=tuple(places),
        value_bytes=tuple(range(len(places))),
        write_bytes=(1,) * len(places),
        forced=tuple(u for u, number in enumerate(places) if forced[number]),
    )


def _by_langgraph(
    written: list[bool], forced: list[bool], frequency: int, bound: int
) -> list[tuple[int, int, bool]]:
    channel: Any = DeltaChannel(lambda state, _: state, list, snapshot_frequency=frequency)
    channel.value = []
    counters, found = (0, 0), []
    versions: dict[str, str | int | float] = {}
    with patch.object(_checkpoint, "DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT", bound):
        for is_written, is_forced in zip(written, forced, strict=True):
            counters = (counters[0] + is_written, counters[1] + 1)
            if is_written:
                versions["notes"] = "1"
            due = _checkpoint.delta_channels_to_snapshot(
                {"notes": channel}, {"notes": counters}, versions
            )
            snapshots = bool(due) or (is_written and is_forced)
            if snapshots:
                counters = (0, 0)
            found.append((*counters, snapshots))
    return found


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from([False, False, True])), max_size=40),
    st.integers(1, 12),
    st.integers(1, 12),
)
def test_snapshots_and_counters_are_those_of_langgraph(
    steps: list[tuple[bool, bool]], frequency: int, bound: int
) -> None:
    """After every checkpoint, whatever was written, forced, or left idle up to the bound."""
    written, forced = [step[0] for step in steps], [step[1] for step in steps]
    series = _series(written, forced)
    ruled = cadence(series, len(steps), frequency, bound)
    places = {snapshot.checkpoint: snapshot for snapshot in ruled.snapshots}
    assert [
        (int(ruled.updates_since[n]), int(ruled.supersteps_since[n]), n in places)
        for n in range(len(steps))
    ] == _by_langgraph(written, forced, frequency, bound)
    for number, snapshot in places.items():
        assert snapshot.idle is not written[number]
        assert snapshot.update == sum(written[: number + 1]) - 1
