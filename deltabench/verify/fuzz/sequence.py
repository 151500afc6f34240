"""A sequence of operations, as it is drawn, done, and written into a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deltabench.verify.fuzz.operations import BulkUpdate, Reopen, Run, Update

if TYPE_CHECKING:
    from deltabench.verify.fuzz.operations import Operation
    from deltabench.verify.oracle.twins import Twins
    from deltabench.verify.vocabulary import Mode


@dataclass(frozen=True, slots=True)
class Start:
    """How the twins are opened; `snapshot_frequency` None begins with two full twins."""

    mode: Mode
    snapshot_frequency: int | None


@dataclass(slots=True)
class Sequence:
    """What was done to the twins so far.

    `begins_thread` says that there was no checkpoint before the last operation,
    `beside_written` that it updates a checkpoint of which some tasks have written already.
    `raised_alike` counts operations that both twins refused with the same error; after a
    difference the sequence `is_over`.
    """

    start: Start
    operations: list[Operation] = field(default_factory=list)
    begins_thread: bool = False
    beside_written: bool = False
    raised_alike: int = 0
    is_over: bool = False

    def add(self, operation: Operation, twins: Twins) -> None:
        """Take note of what is done next, and where."""
        is_run = isinstance(operation, Run)
        self.begins_thread = is_run and not twins.checkpoints(operation.thread)
        self.beside_written = False
        if isinstance(operation, Update | BulkUpdate):
            config = twins.at(twins.full, operation.thread, operation.at)
            tasks = twins.full.state(config)["tasks"]
            self.beside_written = any(task["result"] is not None for task in tasks)
        self.operations.append(operation)

    @property
    def case(self) -> str:
        """What was done last, and where that is a matter of its own.

        A Command that begins a thread is one, an update beside what tasks have written is
        another, and so are full channels that go on with what delta channels wrote.
        """
        begins = " that begins a thread" * self.begins_thread
        beside = " beside tasks that have written" * self.beside_written
        reopened = [each.snapshot_frequency for each in self.operations if isinstance(each, Reopen)]
        frequencies = [self.start.snapshot_frequency, *(k for k in reopened if k != 0)]
        back = frequencies[-1] is None and any(frequencies)
        return self.operations[-1].kind + begins + beside + ", full after delta" * back

    @property
    def size(self) -> tuple[int, int]:
        """Fewer operations are smaller, then those that say less."""
        return len(self.operations), sum(len(each.code) for each in self.operations)

    @property
    def calls(self) -> tuple[tuple[str, str], ...]:
        """The operations as source: the thread, and the call on the script's twin."""
        return tuple((operation.thread, operation.code) for operation in self.operations)
