"""A run waits for people, as long as they need, and goes on where it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from langgraph.types import Command

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import asker, breakpoints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.side import Side


class HumanInTheLoop(Guarantee):
    """Interrupts, answered at once or after the store was opened again."""

    name: ClassVar[str] = "human-in-the-loop"
    promise: ClassVar[str] = (
        "A run that waits for an answer shows what it asks, and goes on from there with the answer."
    )
    source: ClassVar[str] = "langgraph interrupt and Command(resume=...), breakpoints"
    how: ClassVar[str] = (
        "one interrupt; parallel ones answered together and one by one; breakpoints; "
        "resumed by a new graph on a store that was opened again"
    )
    latency_of: ClassVar[str | None] = "stream"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way of asking and answering."""
        return {
            "answered together": _together,
            "answered one by one": _one_by_one,
            "answered after reopening": _after_reopening,
            "breakpoint before a node": _breakpoint,
            "edited while waiting": _edited_while_waiting,
        }


def _answers(side: Side, config: Any, count: int | None = None) -> dict[str, str]:
    waiting = side.state(config)["interrupts"]
    return {i["id"]: f"answer to {i['value']}" for i in waiting[:count]}


def _resume(twins: Any, count: int | None = None) -> None:
    """Answer by id: ids differ between twins, so each is asked for its own."""
    twins.begin("resume")
    config = twins.config()
    events = twins.both(
        lambda side: side.do(
            "stream",
            Command(resume=_answers(side, config, count)),
            config,
            gather=True,
            stream_mode="values",
            durability=twins.variant.durability,
        )
    )
    twins.same(*events, observed="the streamed events")
    twins.check()


def _together(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            _resume(twins)


def _one_by_one(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        for turn in range(2):
            twins.run({"notes": [f"turn {turn}"]})
            for _ in range(2):
                _resume(twins, 1)


def _after_reopening(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            twins.reopen()
            _resume(twins)


def _breakpoint(bench: Bench) -> None:
    with bench.twins(breakpoints) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            twins.run(None)


def _edited_while_waiting(bench: Bench) -> None:
    with bench.twins(breakpoints) as twins:
        twins.run({"notes": ["hello"]})
        twins.update({"notes": ["corrected"]})
        twins.run(None)
        twins.run({"notes": ["again"]})
