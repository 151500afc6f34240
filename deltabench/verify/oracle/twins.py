"""Drives both twins through the same operations and compares them after each."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

from langgraph.types import Command

from deltabench.checkpointers.registry import NAMES
from deltabench.errors import DeltabenchError
from deltabench.verify.oracle.compare import Apart, Matching, first_difference, without_ids
from deltabench.verify.oracle.own_store import require_own_stores
from deltabench.verify.oracle.side import Side
from deltabench.verify.places import is_gone, prepared_place
from deltabench.verify.vocabulary import Difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import Variant

THREAD = "thread"
TASK_RESULTS = "what tasks wrote"
MESSAGE_IDS = "ids of messages"
OLD_CHECKPOINT = "an old checkpoint of both twins"
# Method of the graph -> seconds of each call: of the full twin, and of the delta twin.
Seconds = tuple[dict[str, list[float]], dict[str, list[float]]]
# What langgraph streams at every superstep, all of which is compared.
STREAM_MODES = ("values", "updates")


class DifferenceFoundError(Exception):
    """The twins are not alike; ends the case, since all that follows would differ too."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.line)
        self.difference = difference


class BothRaisedError(Exception):
    """Both twins raised the same error where none was expected: nothing can be said."""


class Twins:
    """A full twin and a delta twin; every operation is done on both and then checked.

    With `conceals` no content of a thread is told, and of its keys only those names.
    """

    def __init__(
        self, full: Side, delta: Side, variant: Variant, conceals: frozenset[str] | None = None
    ) -> None:
        self.full = full
        self.conceals = conceals
        self.delta = delta
        self.variant = variant
        self.matching = Matching()
        self.noted: list[Difference] = []
        self.operations = 0
        self.operation = "the start"

    @property
    def sides(self) -> tuple[Side, Side]:
        """Full first."""
        return self.full, self.delta

    def config(self, thread_id: str = THREAD, **configurable: Any) -> dict[str, Any]:
        """The config of a thread."""
        return {"configurable": {"thread_id": thread_id, **configurable}}

    def at(self, side: Side, thread_id: str = THREAD, at: int | None = None) -> dict[str, Any]:
        """The config of a checkpoint (index from the oldest), by the id that the twin gave it."""
        if at is None:
            return self.config(thread_id)
        checkpoint_id = side.history(self.config(thread_id))[at]["id"]
        return self.config(thread_id, checkpoint_id=checkpoint_id, checkpoint_ns="")

    def begin(self, operation: str) -> None:
        """Name what is done next, for the report of a difference."""
        self.operations += 1
        self.operation = f"{operation} (operation {self.operations})"

    def run(
        self,
        given: Any,
        thread_id: str = THREAD,
        *,
        at: int | None = None,
        may_raise: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Run the graph to its end or next interrupt; gives the plain events of the full twin.

        `at` goes on from that checkpoint (index from the oldest, per twin by its own id)
        instead of from the newest. The events of every superstep are compared, then the
        whole thread. Raises BothRaisedError when both twins raise alike, unless they may.
        """
        kwargs.setdefault("durability", self.variant.durability)
        kwargs.setdefault("stream_mode", list(STREAM_MODES))
        return self.drive(
            "run" if given is not None else "replay",
            lambda side: side.do(
                "stream", given, self.at(side, thread_id, at), gather=True, **kwargs
            ),
            thread_id,
            may_raise=may_raise,
        )

    def resume(
        self,
        count: int | None = None,
        thread_id: str = THREAD,
        *,
        at: int | None = None,
        may_raise: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Answer the interrupts that wait, or the first `count`; gives the plain events.

        Ids differ between twins, so each answers by those that it shows itself. `at` and
        `may_raise` are as in `run`.
        """
        kwargs.setdefault("durability", self.variant.durability)

        def resumed(side: Side) -> Any:
            config = self.at(side, thread_id, at)
            command: Command[Any] = Command(resume=side.answers(config, count))
            modes = list(STREAM_MODES)
            return side.do("stream", command, config, gather=True, stream_mode=modes, **kwargs)

        return self.drive("resume", resumed, thread_id, may_raise=may_raise)

    def drive(
        self,
        operation: str,
        stream: Callable[[Side], Any],
        thread_id: str = THREAD,
        *,
        may_raise: bool = False,
    ) -> Any:
        """Let both twins stream, and compare events and thread; gives those of the full twin.

        Raises BothRaisedError when both twins raise alike, unless they may.
        """
        self.begin(operation)
        events = self.both(stream)
        self.same(*map(in_order, events), observed="the streamed events")
        if not may_raise:
            self._require_answer(events[0])
        self.check(thread_id)
        self._live_as_stored(thread_id, events)
        return events[0]

    def update(
        self, values: Any, thread_id: str = THREAD, *, at: int | None = None, **kwargs: Any
    ) -> Any:
        """`update_state` on both twins; gives the plain answers of both, full first."""
        self.begin("update_state")
        answers = self.both(
            lambda side: side.do("update_state", self.at(side, thread_id, at), values, **kwargs)
        )
        self.same(*answers, observed="the config it returned")
        self._require_answer(answers[0])
        self.check(thread_id)
        return answers

    def bulk_update(
        self, supersteps: Any, thread_id: str = THREAD, *, at: int | None = None
    ) -> Any:
        """`bulk_update_state` on both twins; gives the plain answers of both, full first."""
        self.begin("bulk_update_state")
        answers = self.both(
            lambda side: side.do("bulk_update_state", self.at(side, thread_id, at), supersteps)
        )
        self.same(*answers, observed="the config it returned")
        self._require_answer(answers[0])
        self.check(thread_id)
        return answers

    def both(self, do: Callable[[Side], Any]) -> tuple[Any, Any]:
        """Do something on both twins; the order changes each time, so that neither is warm.

        Raises DifferenceFoundError when only one of them can do it, and the error itself
        when neither can.
        """
        first, second = self.sides if self.operations % 2 else reversed(self.sides)
        done = {id(side): attempted(do, side) for side in (first, second)}
        (full, full_error), (delta, delta_error) = done[id(self.full)], done[id(self.delta)]
        for error in (full_error, delta_error):
            if error and (is_gone(error) or isinstance(error, DeltabenchError)):
                raise error
        if full_error and delta_error:
            raise full_error
        if full_error or delta_error:
            ended = _ended(full_error), _ended(delta_error)
            apart = Apart(("it",), *ended, ended)
            self.differ("what came of it", apart)
        return full, delta

    def _require_answer(self, answer: Any) -> None:
        """Twins that raise alike have not shown that a promise is kept."""
        if isinstance(answer, dict) and "raised" in answer:
            kind = answer["raised"]["type"]
            raise BothRaisedError(f"both twins raise {kind} after {self.operation}")

    def same(self, full: Any, delta: Any, *, observed: str, checkpoint: int | None = None) -> None:
        """Compare what both twins showed; raises DifferenceFoundError at the first difference."""
        if apart := first_difference(full, delta, self.matching):
            self.differ(observed, apart, checkpoint)

    def check(self, thread_id: str = THREAD) -> None:
        """Compare everything that can be seen of a thread, on and between the twins."""
        config = self.config(thread_id)
        histories = self.both(lambda side: side.history(config))
        self._same_histories(*histories)
        states = self.both(lambda side: side.state(config))
        shown = [without_results(state) for state in states]
        self.same(*shown, observed="the state")
        self._same_as_first_seen(thread_id, histories)
        for side, state in zip(self.sides, states, strict=True):
            if other := side.unlike_other_reads(config, state):
                self.differ(f"{other[0]}, {self._name(side)} twin", other[1])

    def _same_as_first_seen(self, thread_id: str, histories: tuple[Any, Any]) -> None:
        """Old checkpoints must show what they showed; what changes alike on both is noted.

        Such as by a Command, whose writes langgraph hangs on the checkpoint it starts from.
        """
        full, delta = (
            side.changed_since_first_seen(thread_id, history)
            for side, history in zip(self.sides, histories, strict=True)
        )
        if full and delta and full[0] == delta[0]:
            self._note_once(OLD_CHECKPOINT, full[1], full[0])
            for side, history in zip(self.sides, histories, strict=True):
                side.forget(thread_id)
                side.changed_since_first_seen(thread_id, history)
            return
        for side, changed in ((self.full, full), (self.delta, delta)):
            if changed:
                twin = self._name(side)
                self.differ(f"an old checkpoint of the {twin} twin", changed[1], changed[0])

    def differ(self, observed: str, apart: Apart, checkpoint: int | None = None) -> None:
        """Raise DifferenceFoundError for this place."""
        raise DifferenceFoundError(self._difference(observed, apart, checkpoint))

    def _difference(self, observed: str, apart: Apart, checkpoint: int | None) -> Difference:
        if self.conceals is not None:
            apart = apart.without_content(self.conceals)
        channel = None
        if "values" in apart.path[:-1]:
            channel = str(apart.path[apart.path.index("values") + 1])
        return Difference(
            operation=self.operation,
            observed=observed,
            path=apart.text,
            channel=channel,
            checkpoint=checkpoint,
            expected=apart.expected,
            found=apart.found,
        )

    def require(self, expected: Any, found: Any, *, observed: str) -> None:
        """Hold something that was found against what the promise says, without a twin."""
        if apart := first_difference({"value": expected}, {"value": found}):
            self.differ(observed, apart)

    def claim(self, fact: str, *, holds: bool) -> None:
        """Hold a fact that must be so on each twin alone."""
        self.require("so", "so" if holds else "not so", observed=f"whether {fact}")

    def checkpoints(self, thread_id: str = THREAD) -> int:
        """How many checkpoints the thread has."""
        return len(self.full.history(self.config(thread_id)))

    def reopen(self, snapshot_frequency: int | str | None = "same") -> None:
        """Open both places again, the delta one perhaps with another K (None: as full)."""
        self.begin("reopen")
        self.full.reopen()
        self.delta.reopen(snapshot_frequency)

    def close(self) -> None:
        """Close both savers."""
        for side in self.sides:
            side.close()

    def _same_histories(self, full: list[Any], delta: list[Any]) -> None:
        for one, other in zip(full, delta, strict=False):
            step = one["metadata"].get("step")
            results = [[task.pop("result") for task in state["tasks"]] for state in (one, other)]
            self.same(one, other, observed="the history", checkpoint=step)
            self._note(*results, checkpoint=step)
        self.same({"checkpoints": len(full)}, {"checkpoints": len(delta)}, observed="the history")

    def _note(self, full: list[Any], delta: list[Any], *, checkpoint: int | None) -> None:
        """Take note of what tasks are said to have written, once, and go on.

        It is shown beside the state and changes nothing that follows.
        """
        apart = first_difference({"results": full}, {"results": delta}, self.matching)
        only = self.matching.only_found
        if only and only.path[0] == "results":
            apart, only = apart or only, None
        for observed, place in ((TASK_RESULTS, apart), (MESSAGE_IDS, only)):
            if place:
                self._note_once(observed, place, checkpoint)

    def _note_once(self, observed: str, apart: Apart, checkpoint: int | None = None) -> None:
        if not any(each.observed == observed for each in self.noted):
            self.noted.append(self._difference(observed, apart, checkpoint))

    def _live_as_stored(self, thread_id: str, events: tuple[Any, Any]) -> None:
        """The last values that a run gave must be those that are read back.

        Where the full twin reads others, langgraph's serializer gives them, whatever the
        policy: that is noted. What the twins read back has been compared before.
        """
        for side, streamed in zip(self.sides, events, strict=True):
            if apart := self._unlike_live(side, thread_id, streamed):
                observed = f"the live state against the one read back, {self._name(side)} twin"
                if side is not self.full:
                    self.differ(observed, apart)
                self._note_once(observed, apart)
                return

    def _unlike_live(self, side: Side, thread_id: str, streamed: Any) -> Apart | None:
        values = (
            [e["items"][-1] for e in streamed if _is_values(e)] if type(streamed) is list else []
        )
        if not values:
            return None
        live = {k: v for k, v in values[-1].items() if k != "__interrupt__"}
        stored = side.state(self.config(thread_id))["values"]
        return first_difference(
            {"values": live}, {"values": {k: v for k, v in stored.items() if k in live}}
        )

    def _name(self, side: Side) -> str:
        return "full" if side is self.full else "delta"


def attempted(do: Callable[[Side], Any], side: Side) -> tuple[Any, Exception | None]:
    """What a twin gave, or the error that it ended in."""
    try:
        return do(side), None
    except DifferenceFoundError:
        raise
    except Exception as error:  # noqa: BLE001 - the other twin tells what it means
        return None, error


def _ended(error: Exception | None) -> str:
    return "done" if error is None else f"ended in {type(error).__name__}"


def without_results(state: dict[str, Any]) -> dict[str, Any]:
    """A state without what its tasks wrote, of which the history takes note."""
    tasks = [{k: v for k, v in task.items() if k != "result"} for task in state["tasks"]]
    return state | {"tasks": tasks}


def in_order(events: Any) -> Any:
    """Sort what parallel nodes of one superstep gave, who finish in any order.

    These are updates, and interrupts in any mode; ids do not count in the order.
    """
    if not isinstance(events, list):
        return events
    ordered: list[Any] = []
    for of_parallel_nodes, group in groupby(events, key=_is_of_one_node):
        same_kind = list(group)
        ordered += sorted(same_kind, key=_text) if of_parallel_nodes else same_kind
    return ordered


def _text(event: Any) -> str:
    return without_ids(repr(event))


def _is_of_one_node(event: Any) -> bool:
    if not isinstance(event, dict):
        return False
    # Before the mode stands the namespace where subgraphs are streamed, too.
    *_, mode, content = event.get("items") or [None, None]
    return mode == "updates" or (isinstance(content, dict) and "__interrupt__" in content)


def _is_values(event: Any) -> bool:
    return isinstance(event, dict) and event.get("items", [None])[0] == "values"


@contextmanager
def open_twins(  # noqa: PLR0913 - all that a bench has to say
    build: Build,
    checkpointer: str,
    variant: Variant,
    *,
    postgres_url: str | None = None,
    change: Change | None = None,
    noted: list[Difference] | None = None,
    seconds: Seconds | None = None,
    conceals: frozenset[str] | None = None,
) -> Iterator[Twins]:
    """Open both twins, each on an empty place of its own.

    `build(saver, snapshot_frequency)` compiles the graph; None means full snapshots.
    `change` is applied to the savers of the delta twin; `noted` gets the differences that
    do not end the case, `seconds` the times of every call, full twin first.
    """
    with ExitStack() as stack:
        full_place, delta_place = (
            stack.enter_context(
                prepared_place(checkpointer, postgres_url=postgres_url, change=of_side)
            )
            for of_side in (None, change)
        )
        full = Side(full_place, build, None, variant.mode)
        stack.callback(full.close)
        delta = Side(delta_place, build, variant.snapshot_frequency, variant.mode)
        stack.callback(delta.close)
        if checkpointer not in NAMES:
            require_own_stores(full, delta)
        twins = Twins(full, delta, variant, conceals)
        try:
            yield twins
        finally:
            if noted is not None:
                noted += twins.noted
            if seconds is not None:
                for side, of_side in zip(twins.sides, seconds, strict=True):
                    for method, samples in side.seconds.items():
                        of_side.setdefault(method, []).extend(samples)
