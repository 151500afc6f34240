"""Checkpointers that misbehave on purpose, for cells that must fail in the right way."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

_CALLS_BEFORE_THE_FAULT = 12


class _FaultySaver(InMemorySaver):
    """Works for the first calls of `put_writes`, and then does what `fault` does."""

    calls = 0

    def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        """Store, or misbehave."""
        self.calls += 1
        if self.calls == _CALLS_BEFORE_THE_FAULT:
            self.fault()
            return
        super().put_writes(config, writes, task_id, task_path)

    def fault(self) -> None:
        """Drop these writes."""


class _Hanging(_FaultySaver):
    def fault(self) -> None:
        time.sleep(3600)


class _Killed(_FaultySaver):
    def fault(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class _Raising(_FaultySaver):
    def fault(self) -> None:
        raise OSError("the store is gone\nand this is a second line")


def dropping() -> InMemorySaver:
    """A saver that loses the writes of one task."""
    return _FaultySaver()


def hanging() -> InMemorySaver:
    """A saver that never returns."""
    return _Hanging()


def killed() -> InMemorySaver:
    """A saver whose process is killed."""
    return _Killed()


def raising() -> InMemorySaver:
    """A saver that raises."""
    return _Raising()


def sound() -> InMemorySaver:
    """A saver without any fault, which does not outlive its process."""
    return InMemorySaver()
