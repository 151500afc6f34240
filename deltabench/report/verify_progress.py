"""How far a verification is: on a terminal one line that changes, elsewhere one line a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from deltabench.report.verdicts import WORDS

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console

    from deltabench.verify.vocabulary import CaseResult, Verdict


class VerifyProgress:
    """Told of every case and every verdict, from several threads."""

    def __init__(self, console: Console, cells: int) -> None:
        self._console = console
        self._cells = cells
        self._done = 0
        self._cases = 0
        self._status = console.status("starting") if console.is_terminal else None

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

    def case(self, guarantee: str, checkpointer: str, result: CaseResult) -> None:
        """One more case is through."""
        self._cases += 1
        if self._status is not None:
            self._status.update(
                f"{self._done}/{self._cells} verdicts, {self._cases:,} cases; "
                f"{guarantee} on {checkpointer}: {result.case}"
            )

    def verdict(self, verdict: Verdict) -> None:
        """One more pair is through."""
        self._done += 1
        word = WORDS[verdict.status]
        self._console.print(
            f"{self._done}/{self._cells} {verdict.guarantee} on {verdict.checkpointer}: {word}",
            highlight=False,
            markup=False,
        )
