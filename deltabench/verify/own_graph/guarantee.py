"""The session of a user's own graph, driven under full snapshots and under delta channels."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from langgraph.types import Command

from deltabench.session.inputs import again, read_inputs
from deltabench.subject.graph_subject import stand_for
from deltabench.subject.models import standing
from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.oracle.twins import STREAM_MODES
from deltabench.verify.own_graph.request import OwnGraph, build_own
from deltabench.verify.vocabulary import Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from deltabench.cells import Durability
    from deltabench.session.inputs import TurnInput
    from deltabench.subject.models import Stand
    from deltabench.verify.oracle.side import Side
    from deltabench.verify.oracle.twins import Twins
    from deltabench.verify.vocabulary import Mode

NAME = "your-graph"
_WAYS: tuple[tuple[Mode, Durability], ...] = (
    ("sync", "sync"),
    ("async", "async"),
    ("sync", "exit"),
)


class YourGraph(Guarantee):
    """Nothing of the thread is told: where it differs, but not what stands there."""

    name: ClassVar[str] = NAME
    promise: ClassVar[str] = "Your graph does the same under full snapshots and delta channels."
    source: ClassVar[str] = "your graph and your inputs"
    how: ClassVar[str] = (
        "the inputs turn by turn; opened again after each; delta from the middle on; "
        "another K from the middle on; forked after each turn"
    )
    latency_of: ClassVar[str | None] = "get_state"

    def __init__(self, own: OwnGraph) -> None:
        self._own = own
        first, *others = own.snapshot_frequencies
        ways = [(first, way) for way in _WAYS]
        ways += zip(others, cycle(_WAYS[1::-1]), strict=False)
        self._variants = tuple(
            Variant(mode=mode, durability=durability, snapshot_frequency=k)
            for k, (mode, durability) in ways
        )

    @property
    def variants(self) -> tuple[Variant, ...]:  # type: ignore[override]  # of one graph
        """The first K in every way to call and to save, the others in turn."""
        return self._variants

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way to go through the inputs."""
        return {
            "turn by turn": self._turn_by_turn,
            "opened again after each turn": self._opened_again,
            "delta from the middle on": self._delta_from_the_middle,
            "another K from the middle on": self._other_frequency,
            "forked after each turn": self._forked,
        }

    def _turn_by_turn(self, bench: Bench) -> None:
        with self._twins(bench) as twins:
            for turn in self._driven(twins):
                turn()

    def _opened_again(self, bench: Bench) -> None:
        with self._twins(bench) as twins:
            for turn in self._driven(twins):
                turn()
                twins.reopen()
                twins.check()

    def _delta_from_the_middle(self, bench: Bench) -> None:
        with self._twins(bench) as twins:
            twins.delta.reopen(None)
            for number, turn in enumerate(self._driven(twins)):
                if number == self._own.turns // 2:
                    twins.reopen(bench.variant.snapshot_frequency)
                turn()

    def _other_frequency(self, bench: Bench) -> None:
        with self._twins(bench) as twins:
            for number, turn in enumerate(self._driven(twins)):
                if number == self._own.turns // 2:
                    twins.reopen(bench.variant.snapshot_frequency + 2)
                turn()

    def _forked(self, bench: Bench) -> None:
        """Each input is given a second time, where it was given first."""
        with self._twins(bench) as twins:
            ends = [0]
            for turn in self._driven(twins):
                turn()
                ends.append(twins.checkpoints())
            turns = list(self._driven(twins))
            for number, line in enumerate(self._lines()):
                # A resume goes on with a pause, of which there is none at an end.
                if number and not line.resumes:
                    turns[number](at=ends[number] - 1)

    def _twins(self, bench: Bench) -> AbstractContextManager[Twins]:
        build = partial(build_own, self._own)
        graph = build(None, None)
        names = frozenset(map(str, (*graph.channels, *graph.nodes)))
        return bench.twins(build, names)

    def _lines(self) -> list[TurnInput]:
        lines = read_inputs(Path(self._own.request.inputs))
        turns = range(self._own.turns)
        return [again(lines[turn % len(lines)], turn // len(lines)) for turn in turns]

    def _driven(self, twins: Twins) -> Iterator[Callable[..., None]]:
        """The turns, to be called one after the other; each twin has models of its own."""
        stands = [stand_for(self._own.request) for _ in twins.sides]
        for number, line in enumerate(self._lines(), 1):
            yield partial(_turn, twins, stands, number, line)


def _turn(
    twins: Twins, stands: list[Stand], number: int, line: TurnInput, *, at: int | None = None
) -> None:
    value = Command(resume=line.value) if line.resumes else line.value
    twins.drive(f"turn {number}", lambda side: _streamed(twins, stands, side, (number, value, at)))


def _streamed(twins: Twins, stands: list[Stand], side: Side, what: tuple[int, Any, Any]) -> Any:
    number, value, at = what
    stand = stands[0] if side is twins.full else stands[1]
    stand.begin_turn(number)
    with standing(stand):
        events = side.do(
            "stream",
            deepcopy(value),  # a graph may change what it is given
            twins.at(side, at=at),
            gather=True,
            durability=twins.variant.durability,
            stream_mode=list(STREAM_MODES),
        )
    stand.end_turn()
    return events
