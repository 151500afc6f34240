"""One twin: a graph under one policy, on a place of its own, and all that can be seen of it."""

from __future__ import annotations

import time
from collections import defaultdict
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from deltabench.checkpointers.registry import NAMES
from deltabench.errors import DeltabenchError
from deltabench.verify.calls import calls_of, reaching
from deltabench.verify.oracle.compare import first_difference
from deltabench.verify.oracle.fresh import FreshRead, FreshReadError, read_freshly
from deltabench.verify.oracle.plain import plain, plain_state
from deltabench.verify.places import is_gone

if TYPE_CHECKING:
    from langgraph.pregel import Pregel

    from deltabench.verify.oracle.compare import Apart
    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.places import Place
    from deltabench.verify.vocabulary import Mode


STUB_STEP = -2


def is_stub(state: dict[str, Any]) -> bool:
    """Whether this is the empty checkpoint to which `exit` hangs a thread's first delta writes.

    It has no counterpart under full snapshots, so it is left out of the comparison here.
    """
    return state["metadata"].get("step") == STUB_STEP and "source" not in state["metadata"]


class Side:
    """A live graph on an open saver; `snapshot_frequency` None means full snapshots."""

    def __init__(
        self, place: Place, build: Build, snapshot_frequency: int | None, mode: Mode
    ) -> None:
        self.place = place
        self.build = build
        self.snapshot_frequency = snapshot_frequency
        self.mode: Mode = mode
        self.calls = calls_of(mode)
        self.saver = self.calls.open(place)
        self.graph: Pregel[Any] = build(self.saver, snapshot_frequency)
        # Whether every check also reads in another process, which takes most of its time.
        self.reads_elsewhere = place.outlives_process
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        # Thread -> checkpoint id -> what it showed when it was first read.
        self._first_seen: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        # Checkpoint id -> whether it is such a stub.
        self._stubs: dict[str, bool] = {}

    def reopen(self, snapshot_frequency: int | str | None = "same") -> None:
        """Close the saver and go on with a new one and a new graph, perhaps of another K."""
        self.calls.close()
        if snapshot_frequency != "same":
            self.snapshot_frequency = snapshot_frequency  # type: ignore[assignment]
        self.calls = calls_of(self.mode)
        self.saver = self.calls.open(self.place)
        self.graph = self.build(self.saver, self.snapshot_frequency)
        self._require_kept()

    def _require_kept(self) -> None:
        """A store of the user's that lives as long as its saver cannot be opened again."""
        if self.place.checkpointer in NAMES:
            return
        for thread_id in self._first_seen:
            config = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
            if self.calls.call(self.saver, "get_tuple", config) is None:
                spec = self.place.checkpointer
                raise DeltabenchError(f"checkpointer {spec!r} keeps nothing when opened again")

    def close(self) -> None:
        """Close the saver."""
        self.calls.close()

    def do(self, method: str, *args: Any, gather: bool = False, **kwargs: Any) -> Any:
        """Call the graph and give the plain result, or the error that it raised, as plain data."""
        # langgraph gives a message its id in place, which the other twin must not inherit.
        args = tuple(self._reaching(deepcopy(arg)) for arg in args)
        call = self.calls.gather if gather else self.calls.call
        start_seconds = time.perf_counter()
        try:
            result = call(self.graph, method, *args, **kwargs)
        except Exception as error:
            if is_gone(error):
                raise
            return {"raised": plain(error)}  # what a twin raises is part of what it shows
        self.seconds[method].append(time.perf_counter() - start_seconds)
        return plain(result)

    def answers(self, config: Any, count: int | None = None) -> dict[str, str]:
        """Answers to the interrupts that wait, or to the first `count`, by their ids."""
        waiting = self.state(config)["interrupts"]
        return {each["id"]: f"answer to {each['value']}" for each in waiting[:count]}

    def ask(self, method: str, *args: Any) -> Any:
        """Call the saver and give the plain result, or the error that it raised."""
        try:
            return plain(self.calls.call(self.saver, method, *args))
        except Exception as error:
            if is_gone(error):
                raise
            return {"raised": type(error).__name__}

    def state(self, config: Any, *, subgraphs: bool = True) -> dict[str, Any]:
        """Read one state through the live graph."""
        start_seconds = time.perf_counter()
        state = self.calls.call(
            self.graph, "get_state", self._reaching(config), subgraphs=subgraphs
        )
        self.seconds["get_state"].append(time.perf_counter() - start_seconds)
        return self._without_stub(plain_state(state), config)

    def history(self, config: Any) -> list[dict[str, Any]]:
        """Read every checkpoint of a thread, oldest first."""
        start_seconds = time.perf_counter()
        found = self.calls.gather(self.graph, "get_state_history", self._reaching(config))
        self.seconds["get_state_history"].append(time.perf_counter() - start_seconds)
        history = [plain_state(state) for state in reversed(found)]
        if history and is_stub(history[0]):
            self._stubs[history.pop(0)["id"]] = True
        return [self._without_stub(state, config) for state in history]

    def unlike_other_reads(self, config: Any, state: dict[str, Any]) -> tuple[str, Apart] | None:
        """Hold a state against what a fresh graph and a fresh process read of the thread."""
        fresh = self.build(self.saver, self.snapshot_frequency)
        read_again = self.calls.call(
            fresh, "get_state", reaching(fresh, self.saver, config), subgraphs=True
        )
        again = self._without_stub(plain_state(read_again), config)
        if apart := first_difference(state, again):
            return "the state read by a fresh graph", apart
        if not self.reads_elsewhere:
            return None
        read = FreshRead(
            self.place.elsewhere(), self.build, self.snapshot_frequency, self.mode, config
        )
        try:
            elsewhere = read_freshly(read)
        except FreshReadError as error:
            elsewhere = {"values": f"unreadable: {error}"}
        for part in ("values", "next", "metadata", "id"):
            if apart := first_difference({part: state[part]}, {part: elsewhere.get(part)}):
                return "the state read by a fresh process", apart
        return None

    def changed_since_first_seen(
        self, thread_id: str, history: list[dict[str, Any]]
    ) -> tuple[int, Apart] | None:
        """Find a checkpoint that no longer shows what it showed when it was new.

        Its tasks may change (they run); its values, metadata and parent may not.
        """
        seen = self._first_seen[thread_id]
        for state in history:
            part = {name: state[name] for name in ("values", "metadata", "parent")}
            if apart := first_difference(seen.setdefault(state["id"], part), part):
                return state["metadata"].get("step", -1), apart
        gone = seen.keys() - {state["id"] for state in history}
        if gone:
            missing = first_difference({"checkpoints": len(seen)}, {"checkpoints": len(history)})
            return (-1, missing) if missing else None
        return None

    def forget(self, thread_id: str) -> None:
        """Expect nothing any more of a thread that was deleted or pruned on purpose."""
        self._first_seen.pop(thread_id, None)

    def _reaching(self, argument: Any) -> Any:
        """An argument as it is, but for a config."""
        is_config = isinstance(argument, dict) and "configurable" in argument
        return reaching(self.graph, self.saver, argument) if is_config else argument

    def _without_stub(self, state: dict[str, Any], config: Any) -> dict[str, Any]:
        """The child of a stub counts as the first of its thread, as under full snapshots.

        Graphs inside of this one have stubs of their own, in their namespaces.
        """
        tasks = [
            task | {"state": self._without_stub(task["state"], config)}
            if isinstance(task["state"], dict) and "values" in task["state"]
            else task
            for task in state["tasks"]
        ]
        parent = None if self._hangs_on_stub(state, config) else state["parent"]
        return state | {"parent": parent, "tasks": tasks}

    def _hangs_on_stub(self, state: dict[str, Any], config: Any) -> bool:
        """Whether the parent of a state is a stub; a history shows those of this graph."""
        parent, namespace = state["parent"], state["namespace"]
        if namespace and parent is not None and parent not in self._stubs:
            where = {**config["configurable"], "checkpoint_ns": namespace, "checkpoint_id": parent}
            found = self.calls.call(self.saver, "get_tuple", {"configurable": where})
            self._stubs[parent] = found is not None and is_stub({"metadata": found.metadata})
        return self._stubs.get(parent, False)
