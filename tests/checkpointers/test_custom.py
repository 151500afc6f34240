"""Any other checkpointer, counted at its serializer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.checkpointers.registry import backend_named
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from deltabench.checkpointers.interface import OpenCheckpointer

    Open = Callable[[str], AbstractContextManager[OpenCheckpointer]]

FACTORIES = '''
import json
import os
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

SHARED = InMemorySaver()

def memory():
    return InMemorySaver()

def sqlite():
    return SqliteSaver.from_conn_string(os.environ["DELTABENCH_DIRECTORY"] + "/x.db")

def shared():
    return SHARED

class Silent(InMemorySaver):
    """Stores without its serializer."""
    def put(self, config, checkpoint, metadata, new_versions):
        return {"configurable": {**config["configurable"], "checkpoint_id": checkpoint["id"]}}
    def put_writes(self, config, writes, task_id, task_path=""):
        pass

class Late(InMemorySaver):
    """Serializes something when nothing is being stored."""
    def get_tuple(self, config):
        self.serde.dumps_typed("late")
        return super().get_tuple(config)

class Whole(InMemorySaver):
    """Serializes checkpoints whole, to JSON."""
    def __init__(self):
        from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
        class Json(JsonPlusSerializer):
            def dumps_typed(self, obj):
                return "json", json.dumps(obj, default=str).encode()
        super().__init__(serde=Json())
    def put(self, config, checkpoint, metadata, new_versions):
        self.serde.dumps_typed(checkpoint)
        return {"configurable": {**config["configurable"], "checkpoint_id": checkpoint["id"]}}

class Slots:
    """No saver at all."""

def needs(argument):
    return InMemorySaver()

def fails():
    raise RuntimeError("no\\nserver")

async def coroutine():
    return InMemorySaver()

not_a_function = 5
'''


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """Give the path of a file of factories."""
    path = tmp_path / "factories.py"
    path.write_text(FACTORIES)
    return str(path)


@pytest.mark.parametrize("delta", [False, True])
def test_blobs_are_counted_as_memory_counts_them(
    opened: Open, small_session: Any, spec: str, *, delta: bool
) -> None:
    """A saver with separate values gives the bytes that are really in its tables."""
    with opened("memory") as memory:
        small_session.drive(memory.saver, turns=4, delta=delta)
        expected = memory.count(4)
    with opened(f"{spec}:memory") as custom:
        small_session.drive(custom.saver, turns=4, delta=delta)
        found = custom.count(4)
        assert type(custom.saver).__name__ == "InMemorySaver"
    # Rows without a value are the only thing that no serializer sees.
    same = {"key_bytes": 0}
    assert found.model_copy(update=same) == expected.model_copy(update=same)
    assert 0 < found.key_bytes < expected.key_bytes


@pytest.mark.parametrize(
    ("store", "channels"), [("memory", ["title", "__error__"]), ("sqlite", ["title"])]
)
def test_writes_stored_twice_count_once(
    opened: Open, small_session: Any, spec: str, store: str, channels: list[str]
) -> None:
    """A regular write stays as it was first, a special one is replaced, as in the real store."""
    counts = []
    for name in (store, f"{spec}:{store}"):
        with opened(name) as checkpointer:
            small_session.drive(checkpointer.saver, turns=1, delta=False)
            newest = checkpointer.saver.get_tuple(small_session.CONFIG)
            assert newest is not None
            for text in ("short", "rather longer"):
                writes = [(channel, text) for channel in channels]
                checkpointer.saver.put_writes(newest.config, writes, "task", "path")
            counts.append(checkpointer.count(1))
    assert counts[0].channels == counts[1].channels


@pytest.mark.parametrize("delta", [False, True])
def test_inline_values_are_counted_as_sqlite_counts_them(
    opened: Open, small_session: Any, spec: str, *, delta: bool
) -> None:
    """A saver with inline values gives the same channels; only its JSON metadata is unseen."""
    with opened("sqlite") as sqlite:
        small_session.drive(sqlite.saver, turns=4, delta=delta)
        expected = sqlite.count(4)
        cursor = sqlite.saver.conn.plain_cursor()  # type: ignore[attr-defined]
        (metadata,) = cursor.execute("SELECT sum(length(metadata)) FROM checkpoints").fetchone()
    with opened(f"{spec}:sqlite") as custom:
        small_session.drive(custom.saver, turns=4, delta=delta)
        found = custom.count(4)
    # Old versions of the sqlite saver have no column for the task path.
    update = {"row_bytes": expected.row_bytes - metadata, "key_bytes": found.key_bytes}
    assert found == expected.model_copy(update=update)
    assert found.key_bytes >= expected.key_bytes


def test_a_checkpoint_that_cannot_be_split_is_counted_whole(
    opened: Open, small_session: Any, spec: str
) -> None:
    """A whole checkpoint in an unknown form is a value of all channels and no floor."""
    with opened(f"{spec}:Whole") as custom:
        small_session.drive(custom.saver, turns=1, delta=False)
        found = custom.count(1)
    values = {c.channel: c.value_bytes for c in found.channels if c.value_bytes}
    assert set(values) == {"(all channels)"}
    assert found.row_bytes == 0
    assert custom.physical_bytes() == {}
    assert custom.statements() is None


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        ("Silent", "stores checkpoints without its serializer"),
        ("Late", "serializes outside of put"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    opened: Open, small_session: Any, spec: str, factory: str, message: str
) -> None:
    """Bytes that pass the serializer elsewhere or not at all are an error and no figure."""
    with opened(f"{spec}:{factory}") as custom:
        small_session.drive(custom.saver, turns=1, delta=False)
        with pytest.raises(DeltabenchError, match=message):
            custom.count(1)


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        ("needs", "cannot be called without arguments"),
        ("missing", "has no 'missing'"),
        ("not_a_function", "not_a_function' is no function"),
        ("fails", "failed: RuntimeError: no server"),
        ("coroutine", "gave a coroutine"),
        ("Slots", "gave a Slots"),
    ],
)
def test_a_wrong_factory_is_one_line(opened: Open, spec: str, factory: str, message: str) -> None:
    """What is wrong with a factory is told in one line that names it."""
    with pytest.raises(DeltabenchError, match=message) as caught, opened(f"{spec}:{factory}"):
        pass
    assert spec in str(caught.value)
    assert factory in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("no_such_module", "there is no module 'no_such_module'"),
        ("no/such/file.py", "there is no file no/such/file.py"),
        ("BROKEN", "importing .* failed: SyntaxError"),
    ],
)
def test_a_failing_import_is_one_line(tmp_path: Path, place: str, message: str) -> None:
    """A module that cannot be imported is told in one line, before any cell starts."""
    broken = tmp_path / "broken.py"
    broken.write_text("def factory(:\n")
    name = f"{broken if place == 'BROKEN' else place}:factory"
    with (
        pytest.raises(DeltabenchError, match=message) as caught,
        backend_named(name).prepare(),
    ):
        pass
    assert "\n" not in str(caught.value)


def test_modules_are_found_in_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module next to where the command runs can be named."""
    (tmp_path / "my_savers_here.py").write_text(FACTORIES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [])
    with backend_named("my_savers_here:memory").prepare() as place:
        assert Path(place["DELTABENCH_DIRECTORY"]).is_dir()


def test_a_store_that_is_not_empty_is_refused(opened: Open, small_session: Any, spec: str) -> None:
    """A store with a thread in it would spoil the session, so it is refused."""
    with opened(f"{spec}:shared") as custom:
        small_session.drive(custom.saver, turns=1, delta=False)
        with backend_named(f"{spec}:shared").open():
            """Opening again for the same cell is what cold reads do."""
    with pytest.raises(DeltabenchError, match="already holds a thread"), opened(f"{spec}:shared"):
        pass
