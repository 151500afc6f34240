"""A checkpointer gives back what was put into it, whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee, NotTriedError
from deltabench.verify.oracle.plain import plain
from deltabench.verify.probes import note_taker
from deltabench.verify.savers.conformance import run_conformance
from deltabench.verify.savers.counting import count_reads
from deltabench.verify.savers.thread import CHANNEL, opened_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.vocabulary import Variant

# Savers read in pages, PostgreSQL's of 1,024 rows: one more shows whether pages join.
DEEP_ROWS = 1_100
TASKS = 12
# Beside the walk over the parents a read looks for the newest checkpoint, and so on.
_CALLS_BESIDE_WALK = 3


class AnyCheckpointer(Guarantee):
    """What a delta channel asks of a saver, tried on the saver itself; for your own as well."""

    name: ClassVar[str] = "any-checkpointer"
    promise: ClassVar[str] = (
        "A checkpointer gives writes in langgraph's order, snapshots as such, and each parent."
    )
    source: ClassVar[str] = "BaseCheckpointSaver.get_delta_channel_history, writes_sort_key"
    how: ClassVar[str] = (
        f"{TASKS} tasks stored out of order; snapshots read back; a fork's parents; a replay of "
        f"{DEEP_ROWS:,} rows; calls of one read counted; langgraph's conformance suite"
    )
    # The saver does not know of durability: that is how often the runtime calls it.
    variants: ClassVar[tuple[Variant, ...]] = (ALL_VARIANTS[0], ALL_VARIANTS[3])

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each thing that a replay rests on."""
        return {
            "order of pending writes": _order,
            "a snapshot keeps its type": _snapshot,
            "parents over a fork": _parents,
            f"a replay of {DEEP_ROWS:,} rows": _deep,
            "calls of one read": _calls,
            "langgraph's conformance suite": _conformance,
        }


def _order(bench: Bench) -> None:
    """Ids of tasks are given in the opposite order of their paths, by which langgraph sorts."""
    with opened_thread(bench) as thread:
        first = thread.put(thread.start, snapshot=[])
        for number in (5, 0, 11, 3, 8, 1, 10, 2, 7, 4, 9, 6):
            values = [f"task {number:02} a", f"task {number:02} b"]
            thread.write(first, values, task=TASKS - number, path=f"~path {number:02}")
        expected = [f"task {number:02} {part}" for number in range(TASKS) for part in "ab"]
        second = thread.put(first)
        replayed = thread.replayed(second)
        thread.require(expected, replayed["writes"], "the writes that a replay gets")
        found = thread.tuple_of(first)
        pending = [value for _, _, value in (found.pending_writes or [])] if found else None
        thread.require(expected, pending, "the pending writes of the checkpoint")


def _snapshot(bench: Bench) -> None:
    with opened_thread(bench) as thread:
        config = thread.start
        for value in ([], ["one", {"two": [3, None]}]):
            config = thread.put(config, snapshot=value)
            found = thread.tuple_of(config)
            kept = found.checkpoint["channel_values"].get(CHANNEL) if found else None
            expected = {"type": "_DeltaSnapshot", "value": value}
            thread.require(expected, plain(kept), "the snapshot in its checkpoint")
            child = thread.put(config)
            thread.require(expected, thread.replayed(child)["seed"], "the seed of a replay")


def _parents(bench: Bench) -> None:
    with opened_thread(bench) as thread:
        root = thread.put(thread.start, snapshot=["root"])
        branches: dict[str, Any] = {}
        for name in ("left", "right"):
            config = root
            for depth in range(3):
                thread.write(config, [f"{name} {depth}"], task=len(branches) * 3 + depth + 1)
                config = thread.put(config)
            branches[name] = config
        # Both branches hang on the root, whose writes belong to both.
        at_root = ["left 0", "right 0"]
        for name, head in branches.items():
            on_path = [*at_root, f"{name} 1", f"{name} 2"]
            thread.require(on_path, thread.replayed(head)["writes"], f"the writes of the {name}")
            thread.require(_ids(thread, head), _listed(thread, head), f"the parents of the {name}")


def _ids(thread: Any, config: Any) -> list[str]:
    """The ids from a checkpoint to the root, by one read after the other."""
    ids: list[str] = []
    while config is not None:
        found = thread.tuple_of(config)
        if found is None:
            return [*ids, "a parent that is not there"]
        ids.append(found.checkpoint["id"])
        config = found.parent_config
    return ids


def _listed(thread: Any, config: Any) -> list[str]:
    """The same ids, by the parents that a listing of the whole thread names."""
    parents = {
        found.config["configurable"]["checkpoint_id"]: found.parent_config
        for found in thread.calls.gather(thread.saver, "list", thread.start)
    }
    ids: list[str] = []
    at = config
    while at is not None:
        ids.append(at["configurable"]["checkpoint_id"])
        at = parents.get(ids[-1])
    return ids


def _deep(bench: Bench) -> None:
    with opened_thread(bench) as thread:
        config = thread.put(thread.start, snapshot=["seed"])
        for row in range(DEEP_ROWS):
            thread.write(config, [row], task=row + 1)
            config = thread.put(config)
        replayed = thread.replayed(config)
        thread.require(list(range(DEEP_ROWS)), replayed["writes"], "the writes that a replay gets")
        seed = {"type": "_DeltaSnapshot", "value": ["seed"]}
        thread.require(seed, replayed["seed"], "the seed of a replay")


def _calls(bench: Bench) -> None:
    """A read may walk over the parents one by one, but not over more than there are."""
    with opened_thread(bench) as thread:
        graph = note_taker(thread.saver, 1_000)
        counted = count_reads(thread.saver)
        told = []
        for more, turns in ((5, 5), (20, 25)):
            for _ in range(more):
                thread.calls.call(graph, "invoke", {"notes": ["more"]}, thread.start)
            checkpoints = len(thread.calls.gather(thread.saver, "list", thread.start))
            counted.clear()
            thread.calls.call(graph, "get_state", thread.start)
            told.append(f"{counted.calls} after {turns} turns")
            most = checkpoints + _CALLS_BESIDE_WALK
            thread.require(
                "so",
                "so" if counted.calls <= most else f"{counted.calls} calls",
                f"whether a read over {checkpoints} checkpoints takes at most {most} calls",
            )
        bench.facts.append(f"calls of the checkpointer to read one state: {', '.join(told)}")


def _conformance(bench: Bench) -> None:
    """It awaits all its calls, in either mode."""
    found = run_conformance(bench)
    if not found.passed and not found.failures:
        raise NotTriedError("the suite awaits its calls, which this checkpointer does not offer")
    without = f"; not offered: {', '.join(found.not_offered)}" if found.not_offered else ""
    bench.facts.append(f"conformance suite: {found.passed} tests passed{without}")
    with opened_thread(bench) as thread:
        thread.require([], list(found.failures), "the failures of the suite")
