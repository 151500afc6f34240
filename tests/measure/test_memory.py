"""Memory of another process, watched from here."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import psutil
import pytest

from deltabench.measure.memory import SAMPLE_SECONDS, MemoryWatch

if TYPE_CHECKING:
    from collections.abc import Iterator

ALLOCATED_BYTES = 100_000_000
PROGRAM = f"""
import sys
for line in sys.stdin:
    held = b"x" * {ALLOCATED_BYTES} if line == "more\\n" else None
    print("done", flush=True)
"""


@contextmanager
def _child() -> Iterator[subprocess.Popen[str]]:
    """Start a process that holds 100 MB when it is told `more`, and lets go when told `less`."""
    with subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            _tell(process, "less")
            yield process
        finally:
            process.kill()


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def _tell(process: subprocess.Popen[str], what: str) -> None:
    """Tell the process what to do, and wait until it is done and surely sampled."""
    _pipe(process.stdin).write(f"{what}\n")
    _pipe(process.stdin).flush()
    assert _pipe(process.stdout).readline() == "done\n"
    time.sleep(10 * SAMPLE_SECONDS)


def test_an_allocation_is_seen_though_it_is_gone_again() -> None:
    """The peak has the 100 MB that the process held for a while, the baseline has not."""
    with _child() as process:
        watch = MemoryWatch(process.pid)
        watch.baseline()
        resident_bytes = psutil.Process(process.pid).memory_info().rss
        _tell(process, "more")
        _tell(process, "less")
        use = watch.stop()
    assert use.baseline_bytes == pytest.approx(resident_bytes, rel=0.2)
    grown_bytes = use.peak_bytes - use.baseline_bytes
    assert 0.95 * ALLOCATED_BYTES < grown_bytes < 1.5 * ALLOCATED_BYTES


def test_what_came_before_the_baseline_is_no_peak() -> None:
    """A peak while everything was imported is not held against the session."""
    with _child() as process:
        watch = MemoryWatch(process.pid)
        _tell(process, "more")
        _tell(process, "less")
        watch.baseline()
        time.sleep(3 * SAMPLE_SECONDS)
        use = watch.stop()
    assert 0 < use.baseline_bytes <= use.peak_bytes < ALLOCATED_BYTES


@pytest.mark.parametrize("reaped", [False, True])
def test_death_of_the_process_keeps_what_was_seen(*, reaped: bool) -> None:
    """A process that is killed, and even buried, leaves baseline and peak as they were."""
    with _child() as process:
        watch = MemoryWatch(process.pid)
        watch.baseline()
        _tell(process, "more")
        process.kill()
        if reaped:
            process.wait()
        else:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # a zombie from here on
        time.sleep(3 * SAMPLE_SECONDS)
        use = watch.stop()
    assert 0 < use.baseline_bytes < ALLOCATED_BYTES < use.peak_bytes


def test_the_watch_ends_with_its_process() -> None:
    """No thread goes on sampling a process that has ended."""
    with _child() as process:
        watch = MemoryWatch(process.pid)
        assert watch._thread.is_alive()
        process.kill()
        process.wait()
        watch._thread.join(timeout=10)
        assert not watch._thread.is_alive()
        watch.stop()


def test_stopping_ends_the_watch() -> None:
    """After `stop` no thread is left, though the process lives on."""
    watch = MemoryWatch(os.getpid())
    watch.baseline()
    first = watch.stop()
    assert not watch._thread.is_alive()
    assert first.peak_bytes >= first.baseline_bytes > 1_000_000
    assert watch.stop() == first
