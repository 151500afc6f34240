"""Every checkpoint of a thread can be read, replayed and forked from, for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import note_taker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.twins import Twins

TURNS = 3


class TimeTravel(Guarantee):
    """Reads, replays and forks from every checkpoint, old branches read again after each."""

    name: ClassVar[str] = "time-travel"
    promise: ClassVar[str] = (
        "Each checkpoint can be read, replayed and forked from, and no branch changes another."
    )
    source: ClassVar[str] = "langgraph time travel; langgraph#8443, #8551: forks replayed a branch"
    how: ClassVar[str] = (
        "forks from every checkpoint with new input, with an edit and by replay; "
        "after each, the head and every old checkpoint are read again"
    )
    latency_of: ClassVar[str | None] = "get_state_history"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way to go on from an old checkpoint."""
        return {
            "fork with new input": lambda bench: _from_every(bench, _with_input),
            "fork with an edit": lambda bench: _from_every(bench, _with_edit),
            "replay": lambda bench: _from_every(bench, _by_replay),
            "fork of a fork": _fork_of_a_fork,
        }


def _from_every(bench: Bench, go_on: Callable[[Twins, int], None]) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(TURNS):
            twins.run({"notes": [f"turn {turn}"]})
        for at in range(twins.checkpoints()):
            go_on(twins, at)


def _with_input(twins: Twins, at: int) -> None:
    twins.run({"notes": [f"forked at {at}"]}, at=at)


def _with_edit(twins: Twins, at: int) -> None:
    twins.update({"notes": [f"edited at {at}"]}, at=at, as_node="think")
    twins.run(None)


def _by_replay(twins: Twins, at: int) -> None:
    twins.run(None, at=at)


def _fork_of_a_fork(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        twins.run({"notes": ["trunk"]})
        for depth in range(4):
            twins.run({"notes": [f"branch {depth}"]}, at=max(0, twins.checkpoints() - 2))
            twins.run({"notes": [f"goes on {depth}"]})
