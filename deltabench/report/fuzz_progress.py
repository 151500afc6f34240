"""How far fuzzing is: on a terminal one line that changes, elsewhere one line a checkpointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from deltabench.report.fuzz_lines import summary

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console

    from deltabench.verify.fuzz.vocabulary import FuzzOutcome


class FuzzProgress:
    """Told of every sequence on one checkpointer, and of what they came to."""

    def __init__(self, console: Console, checkpointer: str, sequences: int) -> None:
        self._console = console
        self._checkpointer = checkpointer
        self._wanted = sequences
        self._status = console.status(self._text(0, 0)) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def sequence(self, sequences: int, operations: int) -> None:
        """So many are through."""
        if self._status is not None:
            self._status.update(self._text(sequences, operations))

    def outcome(self, outcome: FuzzOutcome) -> None:
        """All are through."""
        self._console.print(summary(outcome), highlight=False, markup=False, soft_wrap=True)

    def _text(self, sequences: int, operations: int) -> str:
        return (
            f"fuzzing on {self._checkpointer}: {sequences:,}/{self._wanted:,} sequences, "
            f"{operations:,} operations"
        )
