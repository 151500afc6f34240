"""What can be done to a thread, as data: done to both twins, or written into a script."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.verify.fuzz.code import call
from deltabench.verify.oracle.twins import BothRaisedError

if TYPE_CHECKING:
    from deltabench.cells import Durability
    from deltabench.verify.oracle.twins import Twins


@dataclass(frozen=True, slots=True)
class Operation(ABC):
    """One operation on one thread; `at` is a checkpoint, counted from the oldest."""

    thread: str

    @property
    @abstractmethod
    def kind(self) -> str:
        """What is done, in a word or two."""

    @property
    @abstractmethod
    def code(self) -> str:
        """The same as a call of a method of the script's twin."""

    @abstractmethod
    def do(self, twins: Twins) -> Any:
        """Do it to both twins and compare everything; gives the events of a run.

        Raises DifferenceFoundError, or BothRaisedError when both twins refuse it alike.
        """


@dataclass(frozen=True, slots=True)
class Run(Operation):
    """Run the graph on an input, a Command, or None: what is left to do."""

    given: Any
    durability: Durability
    at: int | None = None
    stop_before: str | None = None

    @property
    def kind(self) -> str:
        """Named by what is given, and where."""
        if self.given is None:
            return "go on" if self.at is None else "replay"
        what = "command" if type(self.given).__name__ == "Command" else "invoke"
        return what if self.at is None else f"{what} on an old checkpoint"

    @property
    def code(self) -> str:
        """A call of `run`."""
        stop = [self.stop_before] if self.stop_before else None
        return call(
            "run",
            self.thread,
            self.given,
            at=self.at,
            durability=self.durability,
            interrupt_before=stop,
        )

    def do(self, twins: Twins) -> Any:
        """Stream it."""
        stop = {"interrupt_before": [self.stop_before]} if self.stop_before else {}
        events = twins.run(
            self.given,
            self.thread,
            at=self.at,
            may_raise=True,
            durability=self.durability,
            **stop,
        )
        return _unless_raised(events)


@dataclass(frozen=True, slots=True)
class Resume(Operation):
    """Answer the interrupts that wait, or the first `count` of them."""

    durability: Durability
    count: int | None = None
    at: int | None = None

    @property
    def kind(self) -> str:
        """Named by where."""
        return "resume" if self.at is None else "resume on an old checkpoint"

    @property
    def code(self) -> str:
        """A call of `resume`."""
        return call("resume", self.thread, count=self.count, at=self.at, durability=self.durability)

    def do(self, twins: Twins) -> Any:
        """Stream it."""
        events = twins.resume(
            self.count, self.thread, at=self.at, may_raise=True, durability=self.durability
        )
        return _unless_raised(events)


@dataclass(frozen=True, slots=True)
class Update(Operation):
    """`update_state`."""

    values: Any
    as_node: str | None = None
    at: int | None = None

    @property
    def kind(self) -> str:
        """Named by where."""
        return "update_state" if self.at is None else "update_state of an old checkpoint"

    @property
    def code(self) -> str:
        """A call of `update`."""
        return call("update", self.thread, self.values, as_node=self.as_node, at=self.at)

    def do(self, twins: Twins) -> None:
        """Call it."""
        twins.update(self.values, self.thread, at=self.at, as_node=self.as_node)


@dataclass(frozen=True, slots=True)
class BulkUpdate(Operation):
    """`bulk_update_state`: several supersteps of several updates."""

    supersteps: list[Any]
    at: int | None = None

    @property
    def kind(self) -> str:
        """Named by where."""
        return "bulk_update_state" if self.at is None else "bulk_update_state of an old checkpoint"

    @property
    def code(self) -> str:
        """A call of `bulk_update`."""
        return call("bulk_update", self.thread, self.supersteps, at=self.at)

    def do(self, twins: Twins) -> None:
        """Call it."""
        twins.bulk_update(self.supersteps, self.thread, at=self.at)


@dataclass(frozen=True, slots=True)
class Delete(Operation):
    """Delete the thread; it may begin anew."""

    @property
    def kind(self) -> str:
        """As the method of the saver."""
        return "delete_thread"

    @property
    def code(self) -> str:
        """A call of `delete`."""
        return call("delete", self.thread)

    def do(self, twins: Twins) -> None:
        """Ask both savers."""
        twins.begin(self.kind)
        answers = twins.both(lambda side: side.ask("delete_thread", self.thread))
        twins.same(*answers, observed="what the saver answered")
        for side in twins.sides:
            side.forget(self.thread)
        twins.check(self.thread)


@dataclass(frozen=True, slots=True)
class Reopen(Operation):
    """Go on with new savers and new graphs, the delta one perhaps under another K.

    0 leaves K as it is; None makes it full snapshots.
    """

    snapshot_frequency: int | None = 0

    @property
    def kind(self) -> str:
        """Named by what changes."""
        return "reopen" if self.snapshot_frequency == 0 else "change of K"

    @property
    def code(self) -> str:
        """A call of `reopen`."""
        return f"reopen({self.snapshot_frequency})"

    def do(self, twins: Twins) -> None:
        """Reopen both, and read the thread anew."""
        twins.reopen("same" if self.snapshot_frequency == 0 else self.snapshot_frequency)
        twins.check(self.thread)


@dataclass(frozen=True, slots=True)
class NewProcess(Operation):
    """Go on with new savers and new graphs, and let another process read the thread, too."""

    @property
    def kind(self) -> str:
        """Named by what it stands for."""
        return "new process"

    @property
    def code(self) -> str:
        """In a script other savers and graphs stand for another process."""
        return "reopen(0)"

    def do(self, twins: Twins) -> None:
        """Reopen both, and read from elsewhere where something outlives this process."""
        twins.reopen()
        for side in twins.sides:
            side.reads_elsewhere = side.place.outlives_process
        try:
            twins.check(self.thread)
        finally:
            for side in twins.sides:
                side.reads_elsewhere = False


def _unless_raised(events: Any) -> Any:
    """Refuse events that are an error, which both twins raised alike and was compared."""
    if isinstance(events, dict):
        raise BothRaisedError(events["raised"]["type"])
    return events
