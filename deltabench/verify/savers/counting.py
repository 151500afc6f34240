"""Counts how often langgraph asks a saver while it reads one state."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

_READS = ("get_tuple", "list", "get_delta_channel_history")


class Reads(Counter[str]):
    """Calls by method, plain and awaited."""

    @property
    def calls(self) -> int:
        """How many there were; an awaited method that calls its plain form counts once."""
        awaited = sum(count for name, count in self.items() if name.startswith("a"))
        return max(awaited, self.total() - awaited)


def count_reads(saver: BaseCheckpointSaver[Any]) -> Reads:
    """Make a saver count the calls of its reading methods, those from inside of it too.

    A saver that walks the parents of a checkpoint one by one is so seen to do it: each
    step is a call, and on a remote store a round trip.
    """
    counted = Reads()
    cls = type(saver)

    def counting(method: str) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            counted[method] += 1
            return getattr(cls, method)(self, *args, **kwargs)

        return call

    names = [name for read in _READS for name in (read, f"a{read}") if hasattr(cls, name)]
    members = {name: counting(name) for name in names}
    saver.__class__ = type(cls.__name__, (cls,), {"__module__": cls.__module__, **members})
    return counted
