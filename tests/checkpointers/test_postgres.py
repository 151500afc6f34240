"""The PostgreSQL checkpointer counts inside the server and leaves nothing behind."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.checkpointers import postgres_address
from deltabench.checkpointers.embedded import embedded_url
from deltabench.checkpointers.postgres import CELL_URL, URL, PostgresBackend
from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from deltabench.checkpointers.interface import OpenCheckpointer

    Open = Callable[[str], AbstractContextManager[OpenCheckpointer]]


def _rows(opened: Any, table: str) -> list[dict[str, Any]]:
    """Give the rows of a table, JSON as the text that the server makes of it."""
    columns = (
        "*"
        if table != "checkpoints"
        else (
            "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
            " checkpoint::text AS checkpoint, metadata::text AS metadata"
        )
    )
    rows: list[dict[str, Any]] = opened.saver.conn.execute(
        f"SELECT {columns} FROM {table}"  # noqa: S608 - names from this test
    ).fetchall()
    return rows


@pytest.mark.parametrize("delta", [False, True])
def test_bytes_are_all_that_the_tables_hold(
    opened: Open, small_session: Any, *, delta: bool
) -> None:
    """Values, writes, rows and keys together are the length of every column of every row."""
    with opened("postgres") as postgres:
        small_session.drive(postgres.saver, turns=5, delta=delta)
        stored = postgres.count(5)
        tables = {
            table: _rows(postgres, table)
            for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
        }
    columns = [
        value
        for rows in tables.values()
        for row in rows
        for value in row.values()
        if isinstance(value, (str, bytes))
    ]
    assert stored.total_bytes == sum(len(c.encode() if isinstance(c, str) else c) for c in columns)
    assert stored.checkpoint_rows == len(tables["checkpoints"])
    assert stored.write_rows == len(tables["checkpoint_writes"])
    assert stored.write_bytes == sum(len(row["blob"]) for row in tables["checkpoint_writes"])


@pytest.mark.parametrize("delta", [False, True])
def test_values_are_split_by_channel(opened: Open, small_session: Any, *, delta: bool) -> None:
    """Each channel has the bytes of its blobs and of its inline values, and no markers."""
    with opened("postgres") as postgres:
        small_session.drive(postgres.saver, turns=5, delta=delta)
        stored = postgres.count(5)
        expected: dict[tuple[str, str], list[int]] = {}
        blobs = set()
        for row in _rows(postgres, "checkpoint_blobs"):
            blobs.add((row["checkpoint_ns"], row["channel"], row["version"]))
            key = (row["checkpoint_ns"].split(":")[0], row["channel"])
            expected.setdefault(key, []).append(len(row["blob"]))
        markers = 0
        for row in _rows(postgres, "checkpoints"):
            checkpoint = json.loads(row["checkpoint"])
            for channel, value in checkpoint["channel_values"].items():
                version = checkpoint["channel_versions"][channel]
                if value is True and (row["checkpoint_ns"], channel, version) in blobs:
                    markers += 1
                    continue
                key = (row["checkpoint_ns"].split(":")[0], channel)
                text = json.dumps(value, ensure_ascii=False)
                expected.setdefault(key, []).append(len(text.encode()))
    found = {(c.namespace, c.channel): (c.value_rows, c.value_bytes) for c in stored.channels}
    assert {key: counts for key, counts in found.items() if counts[0]} == {
        key: (len(sizes), sum(sizes)) for key, sizes in expected.items()
    }
    assert markers == (1 if delta else 0)


def test_statements_are_those_of_the_saver(opened: Open, small_session: Any) -> None:
    """Reading a checkpoint is one statement, a batch is one; counting and setup are none."""
    with opened("postgres") as postgres:
        assert postgres.statements() == 0
        small_session.drive(postgres.saver, turns=1, delta=False)
        before = postgres.statements()
        assert before is not None
        postgres.count(1)
        postgres.physical_bytes()
        assert postgres.statements() == before
        found = postgres.saver.get_tuple(small_session.CONFIG)
        assert postgres.statements() == before + 1
        assert found is not None
        postgres.saver.put_writes(found.config, [("title", "a"), ("title", "b")], "task")
        assert postgres.statements() == before + 2


def test_physical_bytes_follow_the_session(opened: Open, small_session: Any) -> None:
    """Compressible values shrink in their columns; tables, indexes and WAL hold at least them."""
    with opened("postgres") as postgres:
        graph = small_session.drive(postgres.saver, turns=1, delta=False)
        empty = postgres.physical_bytes()
        graph.invoke({"notes": ["text " * 40_000]}, small_session.CONFIG)
        sizes = postgres.physical_bytes()
        stored = postgres.count(2)
    assert stored.value_bytes > 400_000
    assert 0 < sizes["value_compressed_bytes"] < stored.value_bytes / 2
    assert sizes["write_compressed_bytes"] > empty["write_compressed_bytes"]
    assert sizes["checkpoint_compressed_bytes"] > empty["checkpoint_compressed_bytes"]
    assert sizes["relation_bytes"] > sizes["value_compressed_bytes"] + sizes["index_bytes"]
    assert sizes["wal_written_bytes"] > empty["wal_written_bytes"] > 0


def _schemas() -> set[str]:
    with postgres_address.connect(embedded_url()) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace").fetchall()
    return {row["nspname"] for row in rows if row["nspname"].startswith("deltabench_")}


def test_schemas_are_fresh_and_dropped_whatever_happens() -> None:
    """Two cells have two schemas; each goes with its cell, also after an interruption."""
    before = _schemas()
    found: list[set[str]] = []

    def interrupted() -> None:
        with PostgresBackend().prepare(), PostgresBackend().prepare():
            found.append(_schemas() - before)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(found[0]) == 2
    assert _schemas() == before


def test_a_cell_that_holds_locks_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that a killed cell left in a transaction does not stop the clean-up."""
    before = _schemas()
    with PostgresBackend().prepare() as place:
        monkeypatch.setenv(CELL_URL, place[CELL_URL])
        left = postgres_address.connect(place[CELL_URL])
        left.autocommit = False
        left.execute("LOCK TABLE checkpoints IN ACCESS EXCLUSIVE MODE")
    assert _schemas() == before
    left.close()


def test_other_schemas_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of the user's own, even named like one of the saver's, is not touched."""
    with postgres_address.connect(embedded_url()) as connection:
        connection.execute("CREATE TABLE public.checkpoints (mine text)")
        connection.execute("INSERT INTO public.checkpoints VALUES ('kept')")
        try:
            monkeypatch.setenv(URL, embedded_url())
            with PostgresBackend().prepare() as place:
                monkeypatch.setenv(CELL_URL, place[CELL_URL])
                with PostgresBackend().open() as opened:
                    assert opened.count(0).checkpoint_rows == 0
            rows = connection.execute("SELECT mine FROM public.checkpoints").fetchall()
            assert rows == [{"mine": "kept"}]
        finally:
            connection.execute("DROP TABLE public.checkpoints")


def test_an_unreachable_server_is_one_line() -> None:
    """Host, port and database are told, the password is not, and the command ends as refused."""
    backend = PostgresBackend("postgresql://me:geh3im@127.0.0.1:1/mydb")
    with pytest.raises(DeltabenchError) as caught, backend.prepare():
        pass
    assert "127.0.0.1:1/mydb: nothing listens there" in str(caught.value)
    assert "geh3im" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == ExitCode.REFUSED


def test_a_user_without_rights_is_one_line() -> None:
    """A user who may not create schemas is told so."""
    with postgres_address.connect(embedded_url()) as connection:
        connection.execute("CREATE ROLE deltabench_guest LOGIN PASSWORD 'geh3im'")
        try:
            guest = embedded_url().replace("postgres:@", "deltabench_guest:geh3im@")
            with (
                pytest.raises(DeltabenchError, match="InsufficientPrivilege") as caught,
                PostgresBackend(guest).prepare(),
            ):
                pass
        finally:
            connection.execute("DROP ROLE deltabench_guest")
    assert "geh3im" not in str(caught.value)


@pytest.mark.parametrize("missing", ["psycopg", "langgraph.checkpoint.postgres"])
def test_a_missing_extra_names_the_command(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the command that installs it is told."""
    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "psycopg":
        monkeypatch.delitem(sys.modules, "langgraph.checkpoint.postgres", raising=False)
    with (
        pytest.raises(DeltabenchError) as caught,
        PostgresBackend("postgresql://localhost/x").prepare(),
    ):
        pass
    assert "pip install 'deltabench[postgres]'" in str(caught.value)
