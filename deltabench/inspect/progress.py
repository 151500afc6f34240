"""How far an inspection is, on standard error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

from deltabench.report.units import format_bytes

if TYPE_CHECKING:
    from types import TracebackType

_TERMINAL_SECONDS = 0.2
_LOG_SECONDS = 15.0


class Progress:
    """One line that is written over on a terminal, and a line now and then in a log."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._every_seconds = _TERMINAL_SECONDS if self._live else _LOG_SECONDS
        self._last = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live and self._shown:
            sys.stderr.write("\r\x1b[K")

    def show(self, done: int, threads: int, size_bytes: int) -> None:
        """Tell, if it is time to: threads done, of how many, and the bytes found in them."""
        now = time.monotonic()
        if now - self._last < self._every_seconds:
            return
        self._last, self._shown = now, True
        line = f"{done:,}/{threads:,} threads  {format_bytes(size_bytes)}"
        sys.stderr.write(f"\r\x1b[K{line}" if self._live else f"{line}\n")
        sys.stderr.flush()
