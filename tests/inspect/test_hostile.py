"""Stored values say what they like: they are measured, never built."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import ormsgpack
import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from deltabench.checkpointers.postgres_address import connect
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRAP = "deltabench_trap"


@pytest.fixture
def sprung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Put a module on the path that leaves a file when imported; tells whether it was."""
    (tmp_path / f"{TRAP}.py").write_text(
        "import pathlib\n"
        "def spring(*args, **kwargs): pathlib.Path(__file__).with_name('sprung').touch()\n"
        "spring()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    def tell() -> bool:
        return (tmp_path / "sprung").exists() or TRAP in sys.modules

    return tell


def hostile() -> dict[str, bytes]:
    """Values that call a function of the trap when they are loaded, by type tag."""
    call = ormsgpack.packb([TRAP, "spring", [], "spring"])
    objects = [ormsgpack.Ext(code, call) for code in range(8)]
    return {
        "msgpack": ormsgpack.packb(objects, default=lambda ext: ext),
        "json": f'{{"lc": 2, "type": "constructor", "id": ["{TRAP}", "spring"]}}'.encode(),
        "pickle": f"c{TRAP}\nspring\n(tR.".encode(),
    }


def test_the_trap_works(sprung: Callable[[], bool]) -> None:
    """Langgraph's own serializer, asked to build such a value, imports the module."""
    assert not sprung()
    serializer = JsonPlusSerializer(allowed_msgpack_modules=True)
    serializer.loads_typed(("msgpack", hostile()["msgpack"]))
    assert sprung()
    sys.modules.pop(TRAP)


@pytest.mark.parametrize("tag", ["msgpack", "json", "pickle"])
def test_a_hostile_write_is_measured_only(
    copied: Callable[[int | None], Path], sprung: Callable[[], bool], tag: str
) -> None:
    """In the writes that a delta channel is derived from: counted, and nothing is imported."""
    path = copied(5)
    value = hostile()[tag]
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("SELECT sum(length(value)) FROM writes").fetchone()[0]
        connection.execute(
            "UPDATE writes SET type = ?, value = ? WHERE rowid ="
            " (SELECT rowid FROM writes WHERE channel = 'messages' LIMIT 1 OFFSET 6)",
            (tag, value),
        )
        connection.commit()
        after = connection.execute("SELECT sum(length(value)) FROM writes").fetchone()[0]
    assert after != before
    found = look(path)
    assert sum(v for k, v in found.found.sums.items() if k[-1] == "write_bytes") == after
    assert not sprung()


@pytest.mark.parametrize("tag", ["msgpack", "json", "pickle"])
def test_a_hostile_checkpoint_is_measured_only(
    copied: Callable[[int | None], Path], sprung: Callable[[], bool], tag: str
) -> None:
    """As a whole checkpoint, with metadata that are no better."""
    path = copied(None)
    data = hostile()[tag]
    if tag == "msgpack":
        values = {"channel_values": {"messages": ormsgpack.Ext(5, data)}, "channel_versions": {}}
        data = ormsgpack.packb(values, default=lambda ext: ext)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "UPDATE checkpoints SET type = ?, checkpoint = ?, metadata = ? WHERE rowid = 40",
            (tag, data, hostile()["json"]),
        )
        connection.commit()
        rows = connection.execute(
            "SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints"
        ).fetchone()[0]
    found = look(path)
    keys = found.found.sums["table", "checkpoints", "bytes"] - rows
    assert 0 < keys < 84 * 150
    assert not sprung()


def test_a_hostile_value_in_postgres_is_measured_only(
    copied_schema: Callable[[int | None], str], sprung: Callable[[], bool]
) -> None:
    """The same in a server: all writes and all snapshots of a delta channel."""
    url, value = copied_schema(20), hostile()["msgpack"]
    with closing(connect(url)) as connection:
        for table in ("checkpoint_writes", "checkpoint_blobs"):
            sql = f"UPDATE {table} SET blob = %s WHERE channel = 'messages'"  # noqa: S608
            connection.execute(sql, (value,))
    sums = look(url).found.sums
    assert sums["channel", "", "messages", "write_bytes"] == 60 * len(value)
    assert sums["channel", "", "messages", "snapshot_bytes"] == 2 * len(value)
    assert not sprung()
