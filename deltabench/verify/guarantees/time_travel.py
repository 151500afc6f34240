"""Every checkpoint of a thread can be read, replayed and forked from, for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from langgraph.types import StateUpdate

from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee
from deltabench.verify.oracle.twins import in_order
from deltabench.verify.probes import note_taker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.side import Side
    from deltabench.verify.oracle.twins import Twins
    from deltabench.verify.vocabulary import Variant

TURNS = 3
# PostgreSQL's saver reads a chain in pages of 1,024 rows.
DEEP_CHECKPOINTS = 1_100
DEEP = f"{DEEP_CHECKPOINTS:,} checkpoints deep"
EXIT = "checkpoints under exit"


class TimeTravel(Guarantee):
    """Reads, replays and forks from every checkpoint, old branches read again after each."""

    name: ClassVar[str] = "time-travel"
    promise: ClassVar[str] = (
        "Each checkpoint can be read, replayed and forked from, and no branch changes another."
    )
    source: ClassVar[str] = "langgraph time travel; langgraph#8443, #8551: forks replayed a branch"
    how: ClassVar[str] = (
        "forks from every checkpoint with new input, with an edit and by replay; after each, "
        "the head and every old checkpoint are read again; a thread of "
        f"{DEEP_CHECKPOINTS:,} checkpoints without a snapshot"
    )
    latency_of: ClassVar[str | None] = "get_state_history"
    variants_of: ClassVar[Mapping[str, tuple[Variant, ...]]] = {
        DEEP: (ALL_VARIANTS[0], ALL_VARIANTS[3]),
        # Each of these forks from every checkpoint, or again and again.
        "fork with an edit": (ALL_VARIANTS[0], *ALL_VARIANTS[2:]),
        "fork of a fork": (ALL_VARIANTS[0], *ALL_VARIANTS[2:4]),
        "long forks": (ALL_VARIANTS[0], *ALL_VARIANTS[2:4]),
        EXIT: (ALL_VARIANTS[2], ALL_VARIANTS[4]),
    }

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way to go on from an old checkpoint."""
        return {
            "fork with new input": lambda bench: _from_every(bench, _with_input),
            "fork with an edit": lambda bench: _from_every(bench, _with_edit),
            "replay": lambda bench: _from_every(bench, _by_replay),
            "fork of a fork": _fork_of_a_fork,
            "long forks": _long_forks,
            DEEP: _deep,
            EXIT: _under_exit,
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


def _long_forks(bench: Bench) -> None:
    """Two branches that each cross several snapshots, gone on with in turn."""
    with bench.twins(note_taker) as twins:
        twins.run({"notes": ["trunk"]})
        trunk = twins.checkpoints() - 1
        for branch in range(2):
            twins.run({"notes": [f"branch {branch} begins"]}, at=trunk)
            for turn in range(3):
                twins.run({"notes": [f"branch {branch}, turn {turn}"]})


def _deep(bench: Bench) -> None:
    """The whole history would be read in the square of its length, so places of it are."""
    with bench.twins(note_taker) as twins:
        twins.reopen(2 * DEEP_CHECKPOINTS)
        twins.begin(f"bulk_update_state of {DEEP_CHECKPOINTS:,} supersteps")
        steps = [[StateUpdate({"notes": [number]}, "right")] for number in range(DEEP_CHECKPOINTS)]
        twins.both(lambda side: side.do("bulk_update_state", twins.config(), steps))
        ids = twins.both(lambda side: _ids(side, twins.config()))
        twins.require([DEEP_CHECKPOINTS] * 2, [*map(len, ids)], observed="how many there are")
        for at in (0, 1, DEEP_CHECKPOINTS // 2, 1_030, DEEP_CHECKPOINTS - 1):
            _read_at(twins, ids, at)
        twins.begin("a fork of checkpoint 1,030")
        given = {"notes": ["forked"]}
        events = twins.both(lambda side: _streamed(side, given, _at(twins, ids, side, 1_030)))
        twins.same(*map(in_order, events), observed="the streamed events")
        heads = twins.both(lambda side: side.state(twins.config()))
        twins.same(*heads, observed="the state of the fork")
        twins.require(1_031 + 4, len(heads[0]["values"]["notes"]), observed="notes in the fork")
        for at in (1_030, DEEP_CHECKPOINTS - 1):
            _read_at(twins, ids, at)


def _streamed(side: Side, given: Any, config: Any) -> Any:
    return side.do("stream", given, config, gather=True, stream_mode=["updates"])


def _ids(side: Side, config: Any) -> list[str]:
    """The ids of all checkpoints, oldest first; that of the empty one before the first is left."""
    found = side.calls.gather(side.saver, "list", config)
    return sorted(each.checkpoint["id"] for each in found if each.checkpoint["channel_versions"])


def _at(twins: Twins, ids: tuple[list[str], list[str]], side: Side, at: int) -> Any:
    of_side = ids[0] if side is twins.full else ids[1]
    return twins.config(checkpoint_id=of_side[at], checkpoint_ns="")


def _read_at(twins: Twins, ids: tuple[list[str], list[str]], at: int) -> None:
    states = twins.both(lambda side: side.state(_at(twins, ids, side, at)))
    twins.same(*states, observed="the state", checkpoint=at)
    for state in states:
        notes = state["values"].get("notes")
        twins.require(list(range(at + 1)), notes, observed=f"the notes of checkpoint {at:,}")


def _under_exit(bench: Bench) -> None:
    """One checkpoint a turn, whatever langgraph needs beside it to hang deltas on."""
    with bench.twins(note_taker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
        counts = twins.both(lambda side: len(side.calls.gather(side.saver, "list", twins.config())))
        twins.same(*counts, observed="how many checkpoints three turns leave")
