"""The state machine that draws one sequence of operations and does it on twins."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from langgraph.types import Command, StateUpdate

from deltabench.errors import DeltabenchError
from deltabench.verify.fuzz import draws
from deltabench.verify.fuzz.operations import (
    BulkUpdate,
    Delete,
    NewProcess,
    Reopen,
    Resume,
    Run,
    Update,
)
from deltabench.verify.fuzz.search import BrokenError
from deltabench.verify.fuzz.sequence import Sequence, Start
from deltabench.verify.oracle.twins import BothRaisedError, DifferenceFoundError
from deltabench.verify.places import is_gone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from deltabench.verify.fuzz.operations import Operation
    from deltabench.verify.fuzz.search import Search
    from deltabench.verify.oracle.twins import Twins

    OpenTwins = Callable[[Start], AbstractContextManager[Twins]]


def reason_of(error: Exception) -> str:
    """Why nothing more can be tried, in one line; a driver's words may quote a password."""
    if isinstance(error, DeltabenchError):
        return str(error)
    kind = type(error).__name__
    gone = f"the database cannot be reached ({kind})"
    return gone if is_gone(error) else f"a sequence ended in {kind}"


@contextmanager
def _telling() -> Iterator[None]:
    """Turn errors that are no difference into one that hypothesis does not shrink."""
    try:
        yield
    except (DifferenceFoundError, BothRaisedError):
        raise
    except SystemExit as error:
        raise KeyboardInterrupt from error  # the process is to end; that is no finding
    except Exception as error:
        raise BrokenError(reason_of(error)) from error


class Machine(RuleBasedStateMachine):
    """One sequence. What was done is kept as data; hypothesis draws it and shrinks it.

    After a difference nothing more is done, since all that follows would differ too.
    """

    def __init__(self, open_twins: OpenTwins, search: Search) -> None:
        super().__init__()
        self._open = open_twins
        self._search = search
        self._stack = ExitStack()
        self._twins: Twins | None = None
        self._sequence: Sequence | None = None
        self._noted = 0
        self._waiting: set[str] = set()

    @initialize(mode=st.sampled_from(["sync", "async"]), frequency=draws.FREQUENCIES)
    def start(self, mode: Any, frequency: int | None) -> None:
        """Open twins: sync or async calls, and K of the delta twin at first."""
        self._search.begin()
        start = Start(mode, frequency)
        self._sequence = Sequence(start)
        with _telling():
            self._twins = self._stack.enter_context(self._open(start))

    def teardown(self) -> None:
        """Close the twins."""
        with _telling():
            self._stack.close()
        if self._sequence is not None:
            self._search.end(self._sequence)

    @rule(
        thread=draws.THREADS,
        shapes=draws.shapes(),
        wishes=draws.WISHES,
        durability=draws.DURABILITIES,
        stop_before=st.sampled_from([None, None, None, "left", "close"]),
    )
    def run(
        self, thread: str, shapes: Any, wishes: list[str], durability: Any, stop_before: Any
    ) -> None:
        """A new turn."""
        self._do(Run(thread, self._given(shapes, wishes), durability, None, stop_before))

    @rule(
        thread=draws.THREADS,
        shapes=draws.shapes(),
        wishes=draws.WISHES,
        durability=draws.DURABILITIES,
        data=st.data(),
    )
    def fork(self, thread: str, shapes: Any, wishes: list[str], durability: Any, data: Any) -> None:
        """A new turn from an old checkpoint."""
        if (at := self._at(thread, data)) is not None:
            self._do(Run(thread, self._given(shapes, wishes), durability, at))

    @rule(thread=draws.THREADS, durability=draws.DURABILITIES)
    def go_on(self, thread: str, durability: Any) -> None:
        """Do what is left to do."""
        if self._exists(thread):
            self._do(Run(thread, None, durability))

    @rule(thread=draws.THREADS, durability=draws.DURABILITIES, data=st.data())
    def replay(self, thread: str, durability: Any, data: Any) -> None:
        """Go on from an old checkpoint."""
        if (at := self._at(thread, data)) is not None:
            self._do(Run(thread, None, durability, at))

    @precondition(lambda self: self._waiting)
    @rule(
        durability=draws.DURABILITIES,
        count=st.sampled_from([None, 1]),
        old=st.booleans(),
        data=st.data(),
    )
    def resume(self, durability: Any, count: int | None, old: bool, data: Any) -> None:  # noqa: FBT001 - hypothesis names it
        """Answer what a run waits for, at the newest checkpoint or an older one."""
        thread = data.draw(st.sampled_from(sorted(self._waiting)))
        at = self._at(thread, data) if old else None
        self._do(Resume(thread, durability, count, at))

    @rule(
        thread=draws.THREADS,
        shapes=draws.shapes(),
        goto=st.sampled_from(["left", "think", "work"]),
        durability=draws.DURABILITIES,
    )
    def command(self, thread: str, shapes: Any, goto: str, durability: Any) -> None:
        """Write and go to a node."""
        if self._exists(thread):
            given: Command[Any] = Command(update=draws.written(shapes, self._label()), goto=goto)
            self._do(Run(thread, given, durability))

    @rule(
        thread=draws.THREADS,
        shapes=draws.shapes(),
        as_node=draws.WRITERS,
        old=st.booleans(),
        data=st.data(),
    )
    def update(self, thread: str, shapes: Any, as_node: Any, old: bool, data: Any) -> None:  # noqa: FBT001 - hypothesis names it
        """`update_state` of the newest checkpoint or an older one."""
        at = self._at(thread, data) if old else None
        self._do(Update(thread, draws.written(shapes, self._label()), as_node, at))

    @rule(thread=draws.THREADS, as_node=st.sampled_from([draws.COPY, draws.END]), data=st.data())
    def copy(self, thread: str, as_node: str, data: Any) -> None:
        """Copy a checkpoint, or end there what was left to do."""
        if (at := self._at(thread, data)) is not None:
            self._do(Update(thread, None, as_node, at))

    @rule(
        thread=draws.THREADS,
        supersteps=st.lists(
            st.lists(st.tuples(draws.shapes(), draws.WRITERS), min_size=1, max_size=2),
            min_size=1,
            max_size=3,
        ),
        old=st.booleans(),
        data=st.data(),
    )
    def bulk_update(self, thread: str, supersteps: Any, old: bool, data: Any) -> None:  # noqa: FBT001 - hypothesis names it
        """`bulk_update_state` of the newest checkpoint or an older one."""
        at = self._at(thread, data) if old else None
        label = self._label()
        updates = [
            [
                StateUpdate(draws.written(shapes, f"{label}, step {step}, {number}"), as_node)
                for number, (shapes, as_node) in enumerate(of_step)
            ]
            for step, of_step in enumerate(supersteps)
        ]
        self._do(BulkUpdate(thread, updates, at))

    @rule(thread=draws.THREADS)
    def delete(self, thread: str) -> None:
        """Delete a thread."""
        if self._exists(thread):
            self._do(Delete(thread))

    @rule(thread=draws.THREADS, frequency=draws.FREQUENCIES)
    def change_frequency(self, thread: str, frequency: int | None) -> None:
        """Another K, also from full snapshots and back to them."""
        self._do(Reopen(thread, frequency))

    @rule(thread=draws.THREADS, process=st.booleans())
    def reopen(self, thread: str, process: bool) -> None:  # noqa: FBT001 - hypothesis names it
        """New savers and graphs."""
        self._do(NewProcess(thread) if process else Reopen(thread))

    def _do(self, operation: Operation) -> None:
        twins, sequence = self._twins, self._sequence
        if twins is None or sequence is None or sequence.is_over:
            return
        events = None
        try:
            with _telling():
                sequence.add(operation, twins)
                events = operation.do(twins)
        except DifferenceFoundError as error:
            sequence.is_over = True
            self._search.difference(sequence, error.difference)
            return
        except BothRaisedError:
            sequence.raised_alike += 1
        self._note_waiting(operation, events)
        for noted in twins.noted[self._noted :]:
            self._noted += 1
            self._search.difference(sequence, noted)

    def _note_waiting(self, operation: Operation, events: Any) -> None:
        if isinstance(operation, Run | Resume):
            asks = "'__interrupt__'" in repr(events)
            (self._waiting.add if asks else self._waiting.discard)(operation.thread)
        elif isinstance(operation, Delete):
            self._waiting.discard(operation.thread)

    def _given(self, shapes: Any, wishes: list[str]) -> dict[str, Any]:
        return {**draws.written(shapes, self._label()), "wishes": wishes}

    def _label(self) -> str:
        return f"write {len(self._sequence.operations) if self._sequence else 0}"

    def _exists(self, thread: str) -> bool:
        """Whether anything was done to the thread; what is not there cannot be gone on with."""
        done = [] if self._sequence is None else self._sequence.operations
        return any(each.thread == thread for each in done)

    def _at(self, thread: str, data: Any) -> int | None:
        """One of the checkpoints of the thread, the newest first when shrunk; None if none."""
        if self._twins is None or self._sequence is None or self._sequence.is_over:
            return None
        if not self._exists(thread) or not (count := self._twins.checkpoints(thread)):
            return None
        return int(count - 1 - data.draw(st.integers(0, count - 1)))
