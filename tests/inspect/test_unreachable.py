"""Rows that nobody can reach any more, each kind planted and counted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from deltabench.checkpointers.postgres_address import connect
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from deltabench.inspect.found import Inspection


def rows(found: Inspection) -> dict[str, int]:
    """Rows out of reach, without those kinds of which there are none."""
    sums = found.found.sums
    return {k[1]: v for k, v in sums.items() if (k[0], k[-1]) == ("unreachable", "rows") and v}


@pytest.fixture
def change(copied: Callable[[int | None], Path]) -> Callable[[str], Inspection]:
    """Change a delta thread by SQL, then inspect it."""

    def run(sql: str) -> Inspection:
        path = copied(5)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(sql)
        return look(path)

    return run


def test_a_whole_thread_has_none(change: Callable[[str], Inspection]) -> None:
    """Nothing is out of reach in a thread as the agent left it."""
    assert rows(change("")) == {}


def test_writes_of_a_missing_checkpoint(change: Callable[[str], Inspection]) -> None:
    """Deleting the newest checkpoint leaves its writes, with the bytes of their keys."""
    newest = "(SELECT max(checkpoint_id) FROM checkpoints)"
    found = change(
        f"UPDATE writes SET checkpoint_id = {newest} WHERE rowid IN (1, 2);"  # noqa: S608
        f" DELETE FROM checkpoints WHERE checkpoint_id = {newest}"
    )
    assert rows(found) == {"writes": 2}
    assert found.found.sums["unreachable", "writes", "bytes"] > 2 * 80


def test_a_pruned_thread_is_cut_off(change: Callable[[str], Inspection]) -> None:
    """Keeping the newest checkpoints leaves one without its parent, and old writes."""
    found = change("DELETE FROM checkpoints WHERE rowid <= 80")
    assert rows(found)["orphans"] == 1
    assert rows(found)["writes"] > 100
    assert found.summed("table", "checkpoints", "rows").value == 4
    assert "sizes unknown" in found.found.reasons["", "messages"]


def test_an_abandoned_branch(change: Callable[[str], Inspection]) -> None:
    """What hangs on an older checkpoint than the thread goes on from is a branch aside."""
    found = change(
        "UPDATE checkpoints SET parent_checkpoint_id ="
        " (SELECT checkpoint_id FROM checkpoints WHERE rowid = 70) WHERE rowid = 75"
    )
    assert rows(found) == {"branches": 4}
    sums = found.found.sums
    assert 4 * 500 < sums["unreachable", "branches", "bytes"] < sums["total",]


def test_values_in_no_checkpoint(copied_schema: Callable[[int | None], str]) -> None:
    """In PostgreSQL values outlive their checkpoints: those of the newest 4 alone are used."""
    url = copied_schema(None)
    whole = look(url)
    with closing(connect(url)) as connection:
        connection.execute(
            "DELETE FROM checkpoints WHERE checkpoint_id NOT IN"
            " (SELECT checkpoint_id FROM checkpoints ORDER BY checkpoint_id DESC LIMIT 4)"
        )
        sizes = connection.execute(
            "SELECT count(*) AS rows, sum(octet_length(blob)) AS bytes FROM checkpoint_blobs"
        ).fetchone()
    assert sizes is not None
    found = look(url)
    assert rows(whole) == {}
    values = rows(found)["values"]
    assert sizes["rows"] - 8 < values < sizes["rows"]
    assert found.found.sums["table", "checkpoint_blobs", "rows"] == sizes["rows"]
    stored = sum(v for k, v in found.found.sums.items() if k[-1] == "value_bytes")
    assert stored >= sizes["bytes"]


def test_an_older_schema_is_read(
    copied_schema: Callable[[int | None], str], copied: Callable[[int | None], Path]
) -> None:
    """Savers that knew no task path left no such column; all else is the same."""
    url, path = copied_schema(5), copied(5)
    before = look(url).found.sums, look(path).found.sums
    with closing(connect(url)) as connection:
        connection.execute("ALTER TABLE checkpoint_writes DROP COLUMN task_path")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE writes DROP COLUMN task_path")
    for old, new in zip(before, (look(url).found.sums, look(path).found.sums), strict=True):
        assert new["total",] < old["total",]
        assert new["kind", "snapshots"] == old["kind", "snapshots"]
        assert new["change", "delta"] == old["change", "delta"]
        key = next(k for k in old if k[0] == "change" and k[3:] == ("messages", 20, "bytes"))
        assert new[key] == old[key]
