"""What several tasks of one superstep write is kept in one order, and once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import PARTS, WRITERS, fan_out, sends

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.twins import Twins


class ParallelWriters(Guarantee):
    """Tasks that write one channel in one superstep, by edges and by Send, failing and retried."""

    name: ClassVar[str] = "parallel-writers"
    promise: ClassVar[str] = (
        "Writes of parallel tasks are merged in one order, the same when read back, and once each."
    )
    source: ClassVar[str] = "langgraph-checkpoint before 4.3.0 restored them in the order of a hash"
    how: ClassVar[str] = (
        "eight nodes and twelve Sends; one fails, then new input or a resume; "
        "retries by RetryPolicy"
    )
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way that tasks come to write together."""
        return {
            "nodes side by side": lambda bench: _turns(bench, "quiet"),
            "sends": lambda bench: _sends(bench, "quiet"),
            "one fails, then new input": _fails,
            "one fails, then a resume": _fails_once,
            "one of the sends fails": _sends_fail,
            "retries": lambda bench: _turns(bench, "retry"),
            "retries of sends": lambda bench: _sends(bench, "retry"),
        }


def _turns(bench: Bench, mood: str) -> None:
    with bench.twins(fan_out) as twins:
        for turn in range(4):
            twins.run({"notes": [f"turn {turn}"], "mood": mood})


def _sends(bench: Bench, mood: str) -> None:
    with bench.twins(sends) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"], "mood": mood})
            _once_each(twins, [f"part {part} of turn {turn}" for part in range(PARTS)])


def _fails(bench: Bench) -> None:
    with bench.twins(fan_out) as twins:
        twins.run({"notes": ["first"], "mood": "quiet"})
        twins.run({"notes": ["second"], "mood": "fail"}, may_raise=True)
        twins.reopen()
        twins.run({"notes": ["third"], "mood": "quiet"})


def _fails_once(bench: Bench) -> None:
    """What the others wrote is kept, and only the one that failed runs again."""
    with bench.twins(fan_out) as twins:
        for turn in range(2):
            twins.run({"notes": [f"turn {turn}"], "mood": "fail once"}, may_raise=True)
            twins.run(None)
            seen = 1 + turn * (1 + len(WRITERS))
            _once_each(twins, [f"{name} saw {seen}" for name in WRITERS])


def _sends_fail(bench: Bench) -> None:
    with bench.twins(sends) as twins:
        for turn in range(2):
            twins.run({"notes": [f"turn {turn}"], "mood": "fail once"}, may_raise=True)
            twins.run(None)
            _once_each(twins, [f"part {part} of turn {turn}" for part in range(PARTS)])


def _once_each(twins: Twins, written: list[str]) -> None:
    """No write is lost and none is there twice, on each twin alone."""
    for side in twins.sides:
        notes = side.state(twins.config())["values"]["notes"]
        found = [notes.count(note) for note in written]
        twins.require([1] * len(written), found, observed="how often each write is there")
