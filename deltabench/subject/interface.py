"""What a subject is to everything that drives or reads it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.pregel import Pregel

    from deltabench.cells import ChannelReadback, Durability

THREAD_ID = "deltabench-thread"


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """A compiled graph under one storage policy, ready to be driven."""

    graph: Pregel[Any]
    channels: tuple[ChannelReadback, ...]

    @property
    @abstractmethod
    def recursion_limit(self) -> int:
        """Supersteps after which langgraph stops a turn."""

    @abstractmethod
    def turn(self, turn: int, durability: Durability, thread_id: str = THREAD_ID) -> dict[str, Any]:
        """Run one turn (from 1) to its end and return the state that `invoke` returns."""

    def config(self, thread_id: str = THREAD_ID, checkpoint_id: str | None = None) -> Any:
        """The runnable config of a thread, or of one checkpoint in it."""
        configurable: dict[str, str] = {"thread_id": thread_id}
        if checkpoint_id is not None:
            configurable |= {"checkpoint_ns": "", "checkpoint_id": checkpoint_id}
        return {"configurable": configurable, "recursion_limit": self.recursion_limit}
