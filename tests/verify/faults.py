"""Faults that savers in the world have had, planted into a saver by changing its class."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
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


def goes_away(saver: Any) -> None:
    """After some puts the database cannot be reached any more."""
    plain = type(saver).put
    puts = [0]

    def put(self: Any, *args: Any) -> Any:
        puts[0] += 1
        if puts[0] > 5:
            raise sqlite3.OperationalError("disk I/O error on postgresql://me:secret@host")
        return plain(self, *args)

    _become(saver, put=put)


def kills_its_process(saver: Any) -> None:
    """As the system does with a process that takes too much memory."""

    def put(*_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    _become(saver, put=put)


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


def kills_readers(saver: Any) -> None:  # noqa: ARG001 - as every fault
    """As the system does with a process that takes too much memory, but not with this one."""
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
