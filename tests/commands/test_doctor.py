"""`deltabench doctor` on the command line."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from deltabench.verify.history import load_history
from deltabench.verify.places import FILE_NAME, open_saver, prepared_place
from deltabench.verify.probes import note_taker

if TYPE_CHECKING:
    from pathlib import Path


def _doctor(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deltabench", "doctor", *arguments],
        capture_output=True,
        text=True,
        check=False,
        input=given,
    )


def test_a_broken_database_ends_in_exit_code_1(tmp_path: Path) -> None:
    """And the file is as it was."""
    path = tmp_path / "a.sqlite"
    with prepared_place("sqlite") as place:
        with open_saver(place) as saver:
            graph = note_taker(saver, 1000)
            for turn in range(3):
                graph.invoke({"notes": ["x"], "turn": turn}, {"configurable": {"thread_id": "t"}})
        with sqlite3.connect(place.sqlite_path) as connection:
            connection.execute("VACUUM INTO ?", (str(path),))
        assert place.sqlite_path.name == FILE_NAME
    with sqlite3.connect(path) as connection:
        newest = "SELECT max(checkpoint_id) FROM checkpoints"
        connection.execute(f"DELETE FROM checkpoints WHERE checkpoint_id <> ({newest})")  # noqa: S608
    before = path.read_bytes()
    done = _doctor("--database", str(path), "--json")
    assert done.returncode == 1, done.stderr
    parts = {part["title"]: part for part in json.loads(done.stdout)["parts"]}
    (finding,) = parts["Database"]["findings"]
    assert finding["level"] == "fault"
    assert path.read_bytes() == before


def test_old_versions_are_told_from_a_list() -> None:
    """The first environment that was tried has faults, and each has a remedy."""
    oldest = load_history().environments[0]
    pins = "\n".join(f"{name}=={version}" for name, version in oldest.versions.items())
    done = _doctor("--requirements", "-", given=pins)
    assert done.returncode == 1
    assert "FAULT  parallel-writers fails on" in done.stdout
    assert "-> pip install 'langgraph>=" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--database", "none.sqlite"], "error: none.sqlite: cannot be read"),
        (["--graph", "none.py:graph"], "error: "),
        (["--checkpointer", "redis"], "error: "),
        (["--requirements", "none.txt"], "error: none.txt: cannot be read"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    """With exit code 2, and no traceback."""
    done = _doctor(*arguments)
    assert done.returncode in {2, 5}
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1
