"""A run waits for people, as long as they need, and goes on where it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from langgraph.types import Command

from deltabench.verify.calls import calls_of
from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee
from deltabench.verify.oracle.fresh import run_freshly
from deltabench.verify.probes import asker, breakpoints, breakpoints_after

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.oracle.side import Side
    from deltabench.verify.places import Place
    from deltabench.verify.vocabulary import Variant

IN_ANOTHER_PROCESS = "answered in another process"


class HumanInTheLoop(Guarantee):
    """Interrupts, answered at once or after the store was opened again."""

    name: ClassVar[str] = "human-in-the-loop"
    promise: ClassVar[str] = (
        "A run that waits for an answer shows what it asks, and goes on from there with the answer."
    )
    source: ClassVar[str] = "langgraph interrupt and Command(resume=...), breakpoints"
    how: ClassVar[str] = (
        "parallel interrupts answered together and one by one; breakpoints before and after; "
        "resumed by a new graph on a store that was opened again, and by another process"
    )
    latency_of: ClassVar[str | None] = "stream"
    variants_of: ClassVar[Mapping[str, tuple[Variant, ...]]] = {
        IN_ANOTHER_PROCESS: ALL_VARIANTS[::3],
        "breakpoint before a node": (ALL_VARIANTS[0], *ALL_VARIANTS[2:4]),
        "breakpoint after a node": (ALL_VARIANTS[0], *ALL_VARIANTS[2:4]),
    }

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way of asking and answering."""
        return {
            "answered together": _together,
            "answered one by one": _one_by_one,
            "answered after reopening": _after_reopening,
            IN_ANOTHER_PROCESS: _in_another_process,
            "breakpoint before a node": lambda bench: _breakpoint(bench, breakpoints),
            "breakpoint after a node": lambda bench: _breakpoint(bench, breakpoints_after),
            "edited while waiting": _edited_while_waiting,
        }


def _together(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            twins.resume()


def _one_by_one(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        for turn in range(2):
            twins.run({"notes": [f"turn {turn}"]})
            for _ in range(2):
                twins.resume(1)


def _after_reopening(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            twins.reopen()
            twins.resume()


def _in_another_process(bench: Bench) -> None:
    """Where nothing outlives the process there is none: the store is then opened again here."""
    with bench.twins(asker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            if not twins.full.place.outlives_process:
                twins.reopen()
                twins.resume()
                continue
            twins.begin("resume in another process")
            twins.both(lambda side: _answered_elsewhere(side, twins.config(), bench.variant))
            twins.check()


def _answered_elsewhere(side: Side, config: Any, variant: Variant) -> None:
    command: Command[Any] = Command(resume=side.answers(config))
    place = side.place.elsewhere()
    run_freshly(_go_on, place, side.build, side.snapshot_frequency, variant, (command, config))


def _go_on(
    place: Place,
    build: Build,
    snapshot_frequency: int | None,
    variant: Variant,
    given: tuple[Any, Any],
) -> None:
    calls = calls_of(variant.mode)
    graph = build(calls.open(place), snapshot_frequency)
    calls.call(graph, "invoke", *given, durability=variant.durability)
    calls.close()


def _breakpoint(bench: Bench, build: Build) -> None:
    with bench.twins(build) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            twins.run(None)


def _edited_while_waiting(bench: Bench) -> None:
    with bench.twins(breakpoints) as twins:
        twins.run({"notes": ["hello"]})
        twins.update({"notes": ["corrected"]})
        twins.run(None)
        twins.run({"notes": ["again"]})
