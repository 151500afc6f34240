"""Nothing is written, whatever state the database is in and whoever reads it."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import pytest

from deltabench.checkpointers.postgres_address import connect
from deltabench.errors import DeltabenchError
from deltabench.inspect.postgres_open import open_read_only as open_postgres
from deltabench.inspect.scan import open_source
from deltabench.inspect.sqlite_open import open_read_only as open_sqlite
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.inspect.conftest import Recorded

ROLE = "deltabench_reader"
_WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
for task in "ab":  # a read between two commits leaves a mark in -shm that the second passes
    connection.execute("SELECT count(*) FROM writes").fetchone()
    connection.execute(
        "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type,"
        " value) VALUES ('later', '', 'x', ?, 0, 'c', 'msgpack', x'90')", (task,)
    )
    connection.commit()
print("written", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def writer(copied: Callable[[int | None], Path]) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """Give a database that another process has open, its last row only in the WAL."""
    path = copied(5)
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        yield path, process
        process.kill()


def files(path: Path) -> dict[str, str]:
    """Checksums of the database and its companions."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in path.parent.glob(f"{path.name}*")
    }


def test_a_closed_database_is_left_as_it_was(copied: Callable[[int | None], Path]) -> None:
    """In WAL mode without a WAL: no companion appears, and no byte changes."""
    path = copied(None)
    before = files(path)
    assert list(before) == ["copy.sqlite"]
    look(path)
    assert files(path) == before


def test_a_rollback_journal_database_is_left_as_it_was(
    copied: Callable[[int | None], Path],
) -> None:
    """The other journal mode, which needs no companion to read."""
    path = copied(None)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    before = files(path)
    look(path)
    assert files(path) == before


def test_a_live_wal_is_read_and_left_as_it_was(
    writer: tuple[Path, subprocess.Popen[str]],
) -> None:
    """What another process has just committed is seen, its files do not change, dead or alive."""
    path, process = writer
    before = files(path)
    assert sorted(before) == ["copy.sqlite", "copy.sqlite-shm", "copy.sqlite-wal"]
    assert look(path).threads == 2
    assert files(path) == before
    process.kill()
    process.wait()
    assert look(path).threads == 2
    assert files(path) == before


def test_a_wal_without_its_index_is_refused(writer: tuple[Path, subprocess.Popen[str]]) -> None:
    """A copy that lacks a companion cannot be read without writing one: it is not read."""
    path, process = writer
    process.kill()
    process.wait()
    path.with_name("copy.sqlite-shm").unlink()
    before = files(path)
    with pytest.raises(DeltabenchError, match="copy all three files"):
        look(path)
    assert files(path) == before


def test_a_writer_that_comes_in_between_is_told(copied: Callable[[int | None], Path]) -> None:
    """A file that is read without a lock may change: then the figures are not to be trusted."""
    path = copied(5)
    with open_source(str(path)) as source:
        assert not source.changed()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM writes")
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert "written to while it was read" in source.changed()


def test_sqlite_refuses_to_write(copied: Callable[[int | None], Path]) -> None:
    """The connection itself cannot write."""
    with (
        closing(open_sqlite(copied(5))) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM writes")


def test_postgres_refuses_to_write(recorded: Callable[[str, str, int | None], Recorded]) -> None:
    """Even for the owner of the tables the server refuses, now and after a new transaction."""
    with closing(open_postgres(recorded("postgres", "A", 5).database)) as connection:
        for setting in ("default_transaction_read_only", "transaction_read_only"):
            assert connection.execute(f"SHOW {setting}").fetchone() == ("on",)
        for _ in range(2):
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                connection.execute("DELETE FROM checkpoint_writes")
            connection.rollback()


def test_a_role_that_may_only_read_gets_the_same_answer(
    recorded: Callable[[str, str, int | None], Recorded],
) -> None:
    """No table is locked, created or written: SELECT is enough."""
    url = recorded("postgres", "A", 5).database
    with closing(connect(url)) as owner:
        schema = owner.execute("SELECT current_schema AS name").fetchone()["name"]  # type: ignore[index]
        owner.execute(f"CREATE ROLE {ROLE} LOGIN")
        try:
            owner.execute(f"GRANT USAGE ON SCHEMA {schema} TO {ROLE}")
            with pytest.raises(DeltabenchError, match=r"may not read.*GRANT SELECT"):
                look(psycopg.conninfo.make_conninfo(url, user=ROLE))
            owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {ROLE}")
            found = look(psycopg.conninfo.make_conninfo(url, user=ROLE))
        finally:
            owner.execute(f"DROP OWNED BY {ROLE}")
            owner.execute(f"DROP ROLE {ROLE}")
    assert found.found.sums == look(url).found.sums
