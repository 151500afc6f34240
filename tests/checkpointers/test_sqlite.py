"""The SQLite checkpointer counts every column of every row, without touching large values."""

from __future__ import annotations

import sqlite3
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.checkpointers.registry import backend_named
from deltabench.checkpointers.sqlite import DIRECTORY
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from deltabench.checkpointers.interface import OpenCheckpointer

    Open = Callable[[str], AbstractContextManager[OpenCheckpointer]]


def _rows(opened: Any, table: str) -> list[dict[str, Any]]:
    cursor = opened.saver.conn.plain_cursor()
    cursor.row_factory = sqlite3.Row
    return [dict(row) for row in cursor.execute(f"SELECT * FROM {table}")]  # noqa: S608


@pytest.mark.parametrize("delta", [False, True])
def test_bytes_are_all_that_the_tables_hold(
    opened: Open, small_session: Any, *, delta: bool
) -> None:
    """Values, writes, rows and keys together are the length of every column of every row."""
    with opened("sqlite") as sqlite:
        small_session.drive(sqlite.saver, turns=5, delta=delta)
        stored = sqlite.count(5)
        rows = [*_rows(sqlite, "checkpoints"), *_rows(sqlite, "writes")]
    columns = [value for row in rows for value in row.values() if isinstance(value, (str, bytes))]
    assert stored.total_bytes == sum(len(c.encode() if isinstance(c, str) else c) for c in columns)
    assert stored.checkpoint_rows + stored.write_rows == len(rows)
    assert stored.key_bytes == sum(len(c.encode()) for c in columns if isinstance(c, str))


@pytest.mark.parametrize("delta", [False, True])
def test_values_and_writes_are_split_by_channel(
    opened: Open, small_session: Any, *, delta: bool
) -> None:
    """Each channel has the bytes that its values take when read back and serialized alone."""
    with opened("sqlite") as sqlite:
        small_session.drive(sqlite.saver, turns=5, delta=delta)
        serde = sqlite.saver.serde
        values: dict[tuple[str, str], list[int]] = {}
        for row in _rows(sqlite, "checkpoints"):
            checkpoint = serde.loads_typed((row["type"], row["checkpoint"]))
            for channel, value in checkpoint["channel_values"].items():
                key = (row["checkpoint_ns"].split(":")[0], channel)
                # None is stored apart as no bytes at all, and inline as one.
                size = len(serde.dumps_typed(value)[1]) or 1
                values.setdefault(key, []).append(size)
        writes: dict[tuple[str, str], list[int]] = {}
        for row in _rows(sqlite, "writes"):
            key = (row["checkpoint_ns"].split(":")[0], row["channel"])
            writes.setdefault(key, []).append(len(row["value"]))
        stored = sqlite.count(5)
    found = {(c.namespace, c.channel): c for c in stored.channels}
    assert set(found) == set(values) | set(writes)
    for key, channel in found.items():
        assert (channel.value_rows, channel.value_bytes) == (
            len(values.get(key, [])),
            sum(values.get(key, [])),
        )
        assert (channel.write_rows, channel.write_bytes) == (
            len(writes.get(key, [])),
            sum(writes.get(key, [])),
        )
    assert stored.largest_value is not None
    assert stored.largest_value.size_bytes == max(map(max, [*values.values(), *writes.values()]))


def test_another_process_counts_the_same(opened: Open, small_session: Any) -> None:
    """Rows that were written before opening are read back and split alike."""
    with opened("sqlite") as sqlite:
        small_session.drive(sqlite.saver, turns=3, delta=False)
        with backend_named("sqlite").open() as again:
            assert again.count(3) == sqlite.count(3)


def test_a_replaced_checkpoint_counts_once(opened: Open, small_session: Any) -> None:
    """Storing a checkpoint again under its id replaces what was counted for it."""
    with opened("sqlite") as sqlite:
        small_session.drive(sqlite.saver, turns=1, delta=False)
        before = sqlite.count(1)
        newest = sqlite.saver.get_tuple(small_session.CONFIG)
        assert newest is not None
        checkpoint = newest.checkpoint
        checkpoint["channel_values"]["title"] += "!" * 100
        config = {"configurable": {**newest.parent_config["configurable"]}}  # type: ignore[index]
        sqlite.saver.put(config, checkpoint, newest.metadata, {})  # type: ignore[arg-type]
        after = sqlite.count(1)
        again = sqlite.count(1)
    assert after.checkpoint_rows == before.checkpoint_rows
    # A text of over 31 bytes has a head of two bytes.
    assert after.value_bytes - before.value_bytes == 101
    assert after == again


def _put_values(saver: Any, values: dict[str, str]) -> None:
    """Store a checkpoint with these values, always under the same id."""
    checkpoint = {
        "v": 4,
        "id": "1",
        "ts": "",
        "channel_values": values,
        "channel_versions": {},
        "versions_seen": {},
    }
    saver.put({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}, checkpoint, {}, {})


def test_a_replaced_checkpoint_of_equal_size_is_split_anew(opened: Open) -> None:
    """Bytes that move from one channel to another are noticed, though the row keeps its size."""
    with opened("sqlite") as sqlite:
        _put_values(sqlite.saver, {"a": "xx", "b": "y"})
        _put_values(sqlite.saver, {"a": "x", "b": "yy"})
        sizes = {c.channel: c.value_bytes for c in sqlite.count(1).channels}
    assert sizes == {"a": 2, "b": 3}


def test_a_checkpoint_replaced_from_elsewhere_is_read_back(opened: Open) -> None:
    """A row that another connection wrote again is counted as it is now."""
    with opened("sqlite") as sqlite:
        _put_values(sqlite.saver, {"a": "x"})
        with backend_named("sqlite").open() as other:
            _put_values(other.saver, {"a": "x" * 10})
        sizes = {c.channel: c.value_bytes for c in sqlite.count(1).channels}
    assert sizes == {"a": 11}


def test_counting_loads_no_value(opened: Open, small_session: Any) -> None:
    """Counting a session with a large value needs far less memory than the value."""
    with opened("sqlite") as sqlite:
        graph = small_session.drive(sqlite.saver, turns=1, delta=False)
        graph.invoke({"title": "x" * 4_000_000}, small_session.CONFIG)
        tracemalloc.start()
        stored = sqlite.count(2)
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert stored.value_bytes > 4_000_000
    assert peak_bytes < 400_000


def test_statements_are_those_of_the_saver(opened: Open, small_session: Any) -> None:
    """Reading one checkpoint is two statements; counting and setting up are none."""
    with opened("sqlite") as sqlite:
        assert sqlite.statements() == 0
        small_session.drive(sqlite.saver, turns=1, delta=False)
        before = sqlite.statements()
        assert before is not None
        sqlite.count(1)
        sqlite.physical_bytes()
        assert sqlite.statements() == before
        sqlite.saver.get_tuple(small_session.CONFIG)
        assert sqlite.statements() == before + 2
        sqlite.saver.conn.execute("SELECT 1")  # type: ignore[attr-defined]
        assert sqlite.statements() == before + 3


def test_physical_bytes_are_file_sizes(opened: Open, small_session: Any) -> None:
    """The database has everything once the WAL is folded in; the WAL is told as it was."""
    with opened("sqlite") as sqlite:
        small_session.drive(sqlite.saver, turns=3, delta=False)
        path = Path(sqlite.saver.conn.execute("PRAGMA database_list").fetchone()[2])  # type: ignore[attr-defined]
        wal = Path(f"{path}-wal")
        wal_bytes = wal.stat().st_size
        sizes = sqlite.physical_bytes()
        assert wal.stat().st_size == 0
        assert sizes == {"database_bytes": path.stat().st_size, "wal_bytes": wal_bytes}
        assert sizes["database_bytes"] > sqlite.count(3).total_bytes
    assert not path.parent.exists()


def test_the_directory_goes_whatever_happens() -> None:
    """An exception in the cell leaves no directory behind."""
    places: list[str] = []

    def fail() -> None:
        with backend_named("sqlite").prepare() as place:
            places.append(place[DIRECTORY])
            assert Path(places[0]).is_dir()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not Path(places[0]).exists()


def test_no_place_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A temporary directory that cannot be used is refused with what to do."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with (
        pytest.raises(DeltabenchError, match=r"no temporary directory.*TMPDIR"),
        backend_named("sqlite").prepare(),
    ):
        pass


def test_opening_unprepared_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening what nobody prepared names the missing variable."""
    monkeypatch.delenv(DIRECTORY, raising=False)
    with (
        pytest.raises(DeltabenchError, match=DIRECTORY),
        backend_named("sqlite").open(),
    ):
        pass
