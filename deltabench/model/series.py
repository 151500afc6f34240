"""What a session wrote, update by update: enough to tell what any K would have stored.

A recorded run, a transcript, a graph and an existing database all give this one value;
everything that derives, continues or recommends reads it and nothing else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Frozen(BaseModel):
    """As `cells.Value`, which cannot be asked: a measurement holds a series."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ChannelSeries(_Frozen):
    """The updates of one channel, in order; the tuples run in parallel, one entry each.

    `checkpoints`: the checkpoint of the lane that the update fell in, from 0.
    `value_bytes`: the whole value after it, serialized, without the frame of a snapshot.
    `write_bytes`: the pending writes that it folded.
    `forced`: updates (from 0) of which langgraph stores a snapshot whatever K is, such as
    the first input of a thread or an `Overwrite`.
    `key_bytes`: what a snapshot there adds to the keys, where that was recorded.
    A delta channel that was never written has no updates, but belongs here.
    """

    channel: str
    checkpoints: tuple[int, ...]
    value_bytes: tuple[int, ...]
    write_bytes: tuple[int, ...]
    forced: tuple[int, ...] = ()
    key_bytes: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _is_parallel(self) -> Self:
        if not len(self.checkpoints) == len(self.value_bytes) == len(self.write_bytes):
            msg = f"the updates of {self.channel} are not of one number"
            raise ValueError(msg)
        if any(late <= early for early, late in pairwise(self.checkpoints)):
            msg = f"the updates of {self.channel} are not in the order of their checkpoints"
            raise ValueError(msg)
        return self


class Lane(_Frozen):
    """One chain of checkpoints: the thread itself, or one call of a subgraph in it.

    `turns` gives the turn (from 1) of each checkpoint. Where turns are not known, as in
    a database, a checkpoint whose `source` is `input` begins one. `entries` counts, per
    checkpoint, the values of other channels that its row holds, and `metadata_entries` the
    entries of its metadata besides the counters, where they were recorded: how many there
    are decides how long some serialized heads are.
    """

    namespace: str
    turns: tuple[int, ...]
    channels: tuple[ChannelSeries, ...]
    entries: tuple[int, ...] = ()
    metadata_entries: tuple[int, ...] = ()


class FixedBytes(_Frozen):
    """What no K touches, after `turn`: pending writes, rows, keys, values of other channels.

    That is everything but snapshots, and the counters towards them in the metadata.
    """

    turn: int = Field(ge=0)
    size_bytes: int = Field(ge=0)


class Series(_Frozen):
    """A session as its checkpointer saw it.

    `source` is what a person calls it (`workload B`). `fixed` holds at least the end of
    the session. `superstep_bound` is langgraph's own, after which any channel is
    snapshotted. `estimated` is set where sizes were not recorded but concluded, as those
    of values that a delta database never stored.
    """

    source: str
    checkpointer: str
    durability: Literal["sync", "async", "exit"]
    superstep_bound: int = Field(ge=1)
    lanes: tuple[Lane, ...] = Field(min_length=1)
    fixed: tuple[FixedBytes, ...] = Field(min_length=1)
    estimated: bool = False

    @property
    def turns(self) -> int:
        """The length of the session."""
        return self.fixed[-1].turn

    def channels(self) -> Iterator[tuple[Lane, ChannelSeries]]:
        """Every channel of every lane."""
        for lane in self.lanes:
            for channel in lane.channels:
                yield lane, channel
