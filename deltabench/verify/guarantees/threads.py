"""Threads of one store do not see each other, and go as a whole."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.oracle.plain import plain
from deltabench.verify.probes import note_taker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.side import Side
    from deltabench.verify.oracle.twins import Twins

NAMES = ("first", "second", "third", "fourth")


class Threads(Guarantee):
    """Several threads in turn and at once, two runs on one thread, copies and deletions."""

    name: ClassVar[str] = "threads"
    promise: ClassVar[str] = (
        "Threads do not see each other; copying or deleting one carries or removes all of it."
    )
    source: ClassVar[str] = "langgraph persistence: threads"
    how: ClassVar[str] = (
        "four threads in turn and at once; two runs on one; delete_thread, copy_thread"
    )
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way that threads meet."""
        return {
            "in turn": _in_turn,
            "at once": _at_once,
            "two runs on one thread": _two_on_one,
            "delete": _delete,
            "copy": _copy,
        }


def _in_turn(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(2):
            for name in NAMES:
                twins.run({"notes": [f"{name} {turn}"]}, name)
        for name in NAMES:
            twins.check(name)


def _invoke_all(twins: Twins, inputs: list[tuple[str, str]], side: Side) -> Any:
    calls = [({"notes": [text]}, twins.config(name)) for name, text in inputs]
    return plain(side.calls.together(side.graph, "invoke", *calls))


def _at_once(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(3):
            twins.begin("four runs at once")
            results = twins.both(partial(_invoke_all, twins, [(n, f"{n} {turn}") for n in NAMES]))
            twins.same(*results, observed="what the runs returned")
            for name in NAMES:
                twins.check(name)


def _two_on_one(bench: Bench) -> None:
    """Which run wins is open, so the twins are not compared: each must be of one mind."""
    with bench.twins(note_taker) as twins:
        twins.run({"notes": ["before"]})
        twins.begin("two runs at once on one thread")
        for side in twins.sides:
            _invoke_all(twins, [("thread", "one"), ("thread", "other")], side)
            state = side.state(twins.config())
            if other := side.unlike_other_reads(twins.config(), state):
                twins.differ(*other)
            kept = state["values"]["notes"]
            twins.require("before", kept[0], observed="the note from before both runs")
            for checkpoint in side.history(twins.config()):
                config = twins.config(checkpoint_id=checkpoint["id"], checkpoint_ns="")
                again = side.state(config)["values"]
                twins.require(checkpoint["values"], again, observed="a checkpoint read by its id")


def _delete(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for name in NAMES[:2]:
            twins.run({"notes": [f"{name} says hello"]}, name)
        twins.begin("delete_thread")
        for side in twins.sides:
            side.calls.call(side.saver, "delete_thread", NAMES[0])
            side.forget(NAMES[0])
            left = side.calls.gather(side.saver, "list", twins.config(NAMES[0]))
            twins.require(0, len(left), observed="checkpoints left of a deleted thread")
        for name in NAMES[:2]:
            twins.check(name)
        twins.run({"notes": ["anew"]}, NAMES[0])


def _copy(bench: Bench) -> None:
    """Official savers may not offer it; both twins must then say so alike."""
    with bench.twins(note_taker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]}, NAMES[0])
        twins.begin("copy_thread")
        answers = twins.both(lambda side: side.ask("copy_thread", NAMES[0], NAMES[1]))
        twins.same(*answers, observed="what copying returned")
        twins.check(NAMES[1])
        twins.run({"notes": ["on the copy"]}, NAMES[1])
        twins.check(NAMES[0])
