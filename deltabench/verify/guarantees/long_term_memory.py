"""What is put into a store is there for every thread, and is no part of any checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.oracle.plain import plain
from deltabench.verify.probes import REMEMBERED, rememberer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class LongTermMemory(Guarantee):
    """A store beside the checkpointer."""

    name: ClassVar[str] = "long-term-memory"
    promise: ClassVar[str] = (
        "A store keeps its content across threads, and none of it is in the checkpoints."
    )
    source: ClassVar[str] = "langgraph memory: stores"
    how: ClassVar[str] = "one thread puts, another reads; every checkpoint is searched for it"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One case, over three threads."""
        return {"across threads": _across_threads}


def _across_threads(bench: Bench) -> None:
    with bench.twins(rememberer) as twins:
        for number, thread in enumerate(("first", "second", "third")):
            twins.run({"notes": [f"hello {number}"]}, thread)
        for side in twins.sides:
            notes = side.state(twins.config("third"))["values"]["notes"]
            twins.require("knew 2", notes[-1], observed="what the third thread found in the store")
            stored = side.calls.gather(side.saver, "list", None)
            text = repr([plain((row.checkpoint, row.pending_writes)) for row in stored])
            twins.claim("no checkpoint holds the memory", holds=REMEMBERED not in text)
