"""A child process that gets a text on standard input and answers in lines."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Self

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ERROR_LINES_KEPT = 20
_JOIN_SECONDS = 10.0


class StalledError(Exception):
    """The child said nothing for too long."""


class Child:
    """Runs a module of this interpreter; leaving the context ends it and its children."""

    def __init__(self, module: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
            [sys.executable, "-m", module],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C reaches the parent only, which ends the child
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=_ERROR_LINES_KEPT)
        self._readers = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]

    def __enter__(self) -> Self:
        for reader in self._readers:
            reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        for stream in self._streams():
            with suppress(BrokenPipeError):
                stream.close()

    def send(self, text: str) -> None:
        """Write the whole of standard input; a child that has ended already is no error."""
        stdin = next(iter(self._streams()))
        with suppress(BrokenPipeError):
            stdin.write(text)
            stdin.close()

    def lines(self, stall_seconds: float) -> Iterator[str]:
        """Yield lines until the child ends; StalledError after so long without one."""
        while True:
            try:
                line = self._lines.get(timeout=stall_seconds)
            except queue.Empty:
                raise StalledError from None
            if line is None:
                return
            yield line

    def end(self) -> int:
        """Kill what still runs, and return the exit code (negative: the signal)."""
        if self.process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                for member in psutil.Process(self.process.pid).children(recursive=True):
                    with suppress(psutil.NoSuchProcess):
                        member.kill()
            self.process.kill()
        return self.wait()

    def wait(self) -> int:
        """Wait for the end of the child and of everything it wrote."""
        code = self.process.wait()
        for reader in self._readers:
            reader.join(_JOIN_SECONDS)
        return code

    @property
    def last_error_line(self) -> str:
        """The last line on standard error that is not empty."""
        return next((line.strip() for line in reversed(self._errors) if line.strip()), "")

    def _streams(self) -> Iterable[IO[str]]:
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        return [pipe for pipe in pipes if pipe is not None]

    def _read_lines(self) -> None:
        for line in self.process.stdout or ():
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        self._errors.extend(self.process.stderr or ())
