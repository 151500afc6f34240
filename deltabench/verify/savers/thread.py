"""A thread written into a saver directly, as langgraph's runtime would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from deltabench.verify.calls import calls_of
from deltabench.verify.oracle.compare import first_difference
from deltabench.verify.oracle.plain import plain
from deltabench.verify.oracle.twins import DifferenceFoundError
from deltabench.verify.places import prepared_place
from deltabench.verify.vocabulary import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

    from deltabench.verify.calls import Calls
    from deltabench.verify.guarantees.interface import Bench

CHANNEL = "notes"
THREAD = "thread"


class SaverThread:
    """One thread of one saver, with one delta channel."""

    def __init__(self, calls: Calls, saver: BaseCheckpointSaver[Any]) -> None:
        self.calls = calls
        self.saver = saver
        self._version: Any = None
        self._steps = 0

    @property
    def start(self) -> Any:
        """The config of the thread before its first checkpoint."""
        return {"configurable": {"thread_id": THREAD, "checkpoint_ns": ""}}

    def put(self, parent: Any, *, snapshot: list[Any] | None = None) -> Any:
        """Add a checkpoint after `parent`, perhaps with a snapshot; gives its config."""
        self._version = self.saver.get_next_version(self._version, None)
        checkpoint = empty_checkpoint()
        checkpoint["id"] = str(uuid6(clock_seq=self._steps))
        checkpoint["channel_versions"] = {CHANNEL: self._version}
        if snapshot is not None:
            checkpoint["channel_values"] = {CHANNEL: _DeltaSnapshot(snapshot)}
        metadata = {"source": "loop", "step": self._steps}
        self._steps += 1
        return self.calls.call(
            self.saver, "put", parent, checkpoint, metadata, {CHANNEL: self._version}
        )

    def write(self, config: Any, values: list[Any], *, task: int = 1, path: str = "") -> None:
        """Add the writes of one task to a checkpoint; `task` makes its id."""
        writes = [(CHANNEL, value) for value in values]
        self.calls.call(self.saver, "put_writes", config, writes, str(UUID(int=task)), path)

    def tuple_of(self, config: Any) -> CheckpointTuple | None:
        """Read one checkpoint."""
        found: CheckpointTuple | None = self.calls.call(self.saver, "get_tuple", config)
        return found

    def replayed(self, config: Any) -> dict[str, Any]:
        """What a replay of the channel gets at a checkpoint: its seed and writes, plain."""
        found = self.calls.call(
            self.saver, "get_delta_channel_history", config=config, channels=[CHANNEL]
        )[CHANNEL]
        return {
            "seed": plain(found["seed"]) if "seed" in found else None,
            "writes": [value for _, _, value in found["writes"]],
        }

    def require(self, expected: Any, found: Any, observed: str) -> None:
        """Hold what came back against what was put; raises DifferenceFoundError."""
        if apart := first_difference({"found": expected}, {"found": found}):
            raise DifferenceFoundError(
                Difference(
                    operation=f"putting {self._steps:,} checkpoints",
                    observed=observed,
                    path=apart.text,
                    channel=CHANNEL,
                    expected=apart.expected,
                    found=apart.found,
                )
            )


@contextmanager
def opened_thread(bench: Bench) -> Iterator[SaverThread]:
    """Open the saver of a bench on an empty place, for one thread."""
    with prepared_place(
        bench.checkpointer, postgres_url=bench.postgres_url, change=bench.change
    ) as place:
        calls = calls_of(bench.variant.mode)
        try:
            yield SaverThread(calls, calls.open(place))
        finally:
            calls.close()
