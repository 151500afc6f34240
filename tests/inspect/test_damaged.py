"""Damaged rows are counted and named; everything else goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from deltabench.errors import DeltabenchError
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# The write of update 48, which no snapshot follows at K = 5.
_NEWEST = """
    (SELECT rowid FROM writes WHERE channel = 'messages' ORDER BY checkpoint_id DESC LIMIT 1)
"""


def spoil(path: Path, sql: str) -> None:
    """Change the database."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)


def test_a_checkpoint_that_is_cut_off_is_named(copied: Callable[[int | None], Path]) -> None:
    """The line has thread, checkpoint and channel; its bytes are counted, other rows split."""
    path = copied(None)
    cut = "substr(checkpoint, 1, length(checkpoint) / 2)"
    spoil(path, f"UPDATE checkpoints SET checkpoint = {cut} WHERE rowid = 60")  # noqa: S608
    with closing(sqlite3.connect(path)) as connection:
        (id_,) = connection.execute(
            "SELECT checkpoint_id FROM checkpoints WHERE rowid = 60"
        ).fetchone()
        rows = connection.execute("SELECT sum(length(checkpoint)) FROM checkpoints").fetchone()[0]
    found = look(path)
    (problem,) = found.found.problems
    assert problem.startswith(f"thread t, checkpoint {id_}, channel ")
    assert "cut off" in problem
    assert found.found.sums["table", "checkpoints", "bytes"] > rows
    assert found.found.sums["table", "checkpoints", "rows"] == 84
    assert found.total(5).value < found.summed("total").value / 5


def test_a_write_that_is_cut_off_is_named(copied: Callable[[int | None], Path]) -> None:
    """Sizes from there on are unknown, which is said, and only that channel is not predicted."""
    path = copied(5)
    spoil(
        path,
        "UPDATE writes SET value = substr(value, 1, length(value) - 5)"  # noqa: S608
        f" WHERE rowid = {_NEWEST}",
    )
    found = look(path)
    (problem,) = found.found.problems
    assert "channel messages: msgpack data is cut off" in problem
    assert "sizes unknown" in found.found.reasons["", "messages"]
    assert found.predicted() == [("", "files")]


def test_a_missing_write_is_not_guessed(copied: Callable[[int | None], Path]) -> None:
    """Without the write of an update the size after it is unknown, so nothing is predicted."""
    path = copied(5)
    spoil(path, f"DELETE FROM writes WHERE rowid = {_NEWEST}")  # noqa: S608
    assert "sizes unknown" in look(path).found.reasons["", "messages"]


def test_a_half_written_file_is_one_line(copied: Callable[[int | None], Path]) -> None:
    """A copy that was not finished ends in an error with a hint."""
    path = copied(None)
    path.write_bytes(path.read_bytes()[:300_000])
    with pytest.raises(DeltabenchError, match="is the copy complete"):
        look(path)
