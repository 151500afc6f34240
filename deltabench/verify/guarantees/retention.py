"""Deleting old checkpoints leaves the newest ones what they were."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from deltabench.checkpointers.registry import NAMES
from deltabench.inspect.scan import open_source
from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee, NotTriedError
from deltabench.verify.oracle.compare import first_difference
from deltabench.verify.oracle.twins import attempted
from deltabench.verify.probes import note_taker
from deltabench.verify.probes_nested import nested_asking, remembering
from deltabench.verify.retention.newest import database_of, keep_newest, run_sql
from deltabench.verify.retention.plan import plan_threads
from deltabench.verify.retention.statements import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.oracle.side import Side
    from deltabench.verify.oracle.twins import Twins
    from deltabench.verify.places import Place
    from deltabench.verify.vocabulary import Variant

TURNS = 5
LOST = "the newest checkpoints after keeping only these"


class Retention(Guarantee):
    """What checkpointers offer, what teams write themselves, and what may go."""

    name: ClassVar[str] = "retention"
    promise: ClassVar[str] = "Deleting old checkpoints leaves the newest ones what they were."
    source: ClassVar[str] = "langgraph#8531, #8625, #6883: retention that does not break a replay"
    how: ClassVar[str] = (
        "delete_thread, delete_for_runs, prune; the newest 1 and 3 kept by SQL of one's own; "
        "the rows that verify --retention says may go"
    )
    variants: ClassVar[tuple[Variant, ...]] = (ALL_VARIANTS[0], ALL_VARIANTS[2], ALL_VARIANTS[3])

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way to delete."""
        return {
            "delete_thread": partial(_offered, "delete_thread", "thread"),
            "delete_for_runs of others": partial(_offered, "delete_for_runs", ["no such run"]),
            "prune, delete": partial(_offered, "prune", ["thread"], strategy="delete"),
            "prune, keep_latest": partial(_offered, "prune", ["thread"], strategy="keep_latest"),
            "the newest one kept": partial(_newest_kept, 1),
            "the newest three kept": partial(_newest_kept, 3),
            "what may go, one kept": partial(_safely, note_taker, 1),
            "what may go, three kept": partial(_safely, note_taker, 3),
            "what may go of subgraphs": partial(_safely, remembering, 1),
            "what may go while paused": partial(_safely, nested_asking, 1),
        }


def _driven(twins: Twins, build: Build) -> None:
    for turn in range(TURNS):
        twins.run({"notes": [f"turn {turn}"], "turn": turn})
        if build is nested_asking and turn < TURNS - 1:
            twins.resume()


def _offered(method: str, given: Any, bench: Bench, **options: Any) -> None:
    """After it a thread is either as it was or gone as a whole, and a new turn goes well.

    A twin that refuses must have left everything in its place.
    """
    with bench.twins(note_taker) as twins:
        for side in twins.sides:
            if getattr(type(side.saver), method) is getattr(BaseCheckpointSaver, method):
                raise NotTriedError(f"the checkpointer does not offer {method}")
        _driven(twins, note_taker)
        twins.run({"notes": ["beside"], "turn": 0}, "other")
        before = [_shown(side, twins, 1) for side in twins.sides]
        twins.begin(method)

        def delete(side: Side) -> None:
            side.calls.call(side.saver, method, given, **options)

        outcomes = [attempted(delete, side)[1] for side in twins.sides]
        for side, expected in zip(twins.sides, before, strict=True):
            found = _shown(side, twins, 1)
            if found["states"]:
                _as_before(twins, side, expected, found, f"the newest checkpoint after {method}")
            side.forget("thread")
        twins.check("other")
        refused = [type(error).__name__ if error else "done" for error in outcomes]
        if apart := first_difference({"it": refused[0]}, {"it": refused[1]}):
            twins.differ(f"what {method} comes to", apart)
        twins.run({"notes": ["after"], "turn": TURNS})


def _as_before(twins: Twins, side: Side, expected: Any, found: Any, observed: str) -> None:
    if apart := first_difference(expected, found):
        twins.differ(f"{observed}, {'full' if side is twins.full else 'delta'} twin", apart)


def _newest_kept(keep: int, bench: Bench) -> None:
    """Under full snapshots nothing is lost by it; whether it is under delta is the question."""
    if bench.checkpointer not in NAMES:
        raise NotTriedError("how to delete rows of this checkpointer is not known")
    with bench.twins(note_taker) as twins:
        _driven(twins, note_taker)
        before = [_shown(side, twins, keep) for side in twins.sides]
        twins.begin(f"keep the newest {keep}")
        for side in twins.sides:
            keep_newest(side.place, side.saver, "thread", keep)
        for side, expected in zip(twins.sides, before, strict=True):
            _as_before(twins, side, expected, _shown(side, twins, keep), LOST)


def _safely(build: Build, keep: int, bench: Bench) -> None:
    """The rows that a plan lets go are deleted, on both twins, and a new turn follows."""
    if bench.checkpointer not in {"sqlite", "postgres"}:
        raise NotTriedError("only databases can be looked into from outside")
    with bench.twins(build) as twins:
        _driven(twins, build)
        before = [_shown(side, twins, keep) for side in twins.sides]
        twins.begin("delete what may go")
        for side in twins.sides:
            gone = _delete(side.place, keep)
            twins.claim("there is something to delete", holds=gone > 0)
        after = [_shown(side, twins, keep) for side in twins.sides]
        for side, expected, found in zip(twins.sides, before, after, strict=True):
            _as_before(twins, side, expected, found, "the newest checkpoints")
            side.forget("thread")
        twins.begin("a turn after it")
        given = {"notes": ["after"], "turn": TURNS}
        if build is nested_asking:
            twins.both(lambda side: side.do("invoke", _answers(side, twins), twins.config()))
        twins.both(lambda side: side.do("invoke", given, twins.config()))
        twins.same(*twins.both(lambda side: _values(side, twins)), observed="the state")


def _answers(side: Side, twins: Twins) -> Any:
    return Command(resume=side.answers(twins.config()))


def _values(side: Side, twins: Twins) -> Any:
    state = side.state(twins.config())
    return {"values": state["values"], "next": state["next"]}


def _shown(side: Side, twins: Twins, keep: int) -> Any:
    """All that is read of the newest checkpoints, but for links to what may be gone."""
    history = side.history(twins.config())[-keep:]
    configs = (twins.config(checkpoint_id=each["id"], checkpoint_ns="") for each in history)
    states = [side.state(config) for config in configs]
    if history:
        states.append(side.state(twins.config()))
    return {"states": [state | {"parent": None} for state in states]}


def _delete(place: Place, keep: int) -> int:
    """Delete what may go; gives the number of statements that did it."""
    with open_source(database_of(place)) as source:
        plans = [plan for thread in plan_threads(source, ["thread"], keep) for plan in thread]
        lines = list(statements(plans, source.kind))
    deletes = [line.rstrip(";") for line in lines if line.startswith("DELETE")]
    run_sql(place, deletes)
    return len(deletes)
