"""What several tasks of one superstep write is kept in one order, and once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import fan_out, sends

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class ParallelWriters(Guarantee):
    """Tasks that write one channel in one superstep, by edges and by Send, failing and retried."""

    name: ClassVar[str] = "parallel-writers"
    promise: ClassVar[str] = (
        "Writes of parallel tasks are merged in one order, the same when read back, and once each."
    )
    source: ClassVar[str] = "langgraph-checkpoint before 4.3.0 restored them in the order of a hash"
    how: ClassVar[str] = (
        "eight nodes, twelve Sends, a failing one and new input after it, retries by RetryPolicy"
    )
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way that tasks come to write together."""
        return {
            "nodes side by side": lambda bench: _turns(bench, "quiet"),
            "sends": _sends,
            "one fails, then new input": _fails_once,
            "retries": lambda bench: _turns(bench, "retry"),
        }


def _turns(bench: Bench, mood: str) -> None:
    with bench.twins(fan_out) as twins:
        for turn in range(4):
            twins.run({"notes": [f"turn {turn}"], "mood": mood})


def _sends(bench: Bench) -> None:
    with bench.twins(sends) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})


def _fails_once(bench: Bench) -> None:
    with bench.twins(fan_out) as twins:
        twins.run({"notes": ["first"], "mood": "quiet"})
        twins.run({"notes": ["second"], "mood": "fail"})
        twins.reopen()
        twins.update({"mood": "quiet"}, as_node=None)
        twins.run({"notes": ["third"], "mood": "quiet"})
