"""Faults that savers in the world have had, planted into a saver by changing its class."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.serde.types import _DeltaSnapshot


def _become(saver: Any, **methods: Any) -> None:
    saver.__class__ = type(f"Faulty{type(saver).__name__}", (type(saver),), methods)


def drops_writes(saver: Any) -> None:
    """Every second batch of writes is lost."""
    plain, awaited = type(saver).put_writes, type(saver).aput_writes
    seen = [0]

    def loses() -> bool:
        seen[0] += 1
        return seen[0] % 2 == 0

    def put_writes(self: Any, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        if not loses():
            plain(self, config, writes, task_id, task_path)

    async def aput_writes(
        self: Any, config: Any, writes: Any, task_id: str, task_path: str = ""
    ) -> None:
        if not loses():
            await awaited(self, config, writes, task_id, task_path)

    _become(saver, put_writes=put_writes, aput_writes=aput_writes)


def reorders_writes(saver: Any) -> None:
    """A replay gets its writes from the newest to the oldest."""
    plain = type(saver).get_delta_channel_history

    def get_delta_channel_history(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = plain(self, *args, **kwargs)
        return {name: {**each, "writes": each["writes"][::-1]} for name, each in found.items()}

    _become(saver, get_delta_channel_history=get_delta_channel_history)


def forgets_snapshots(saver: Any) -> None:
    """A snapshot is stored as the plain value that it holds, without its type."""
    plain = type(saver).put

    def put(self: Any, config: Any, checkpoint: Any, metadata: Any, versions: Any) -> Any:
        values = {
            name: [] if isinstance(value, _DeltaSnapshot) else value
            for name, value in checkpoint["channel_values"].items()
        }
        return plain(self, config, {**checkpoint, "channel_values": values}, metadata, versions)

    _become(saver, put=put)
