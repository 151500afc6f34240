"""Tests of `inspect` on the command line."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from typer.testing import CliRunner

from deltabench.cells import Policy
from deltabench.cli import app
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.session.workload import load_workload
from deltabench.subject.agent import build_subject

if TYPE_CHECKING:
    from pathlib import Path

NAME = "checkpoints.sqlite"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a database of two threads: one full, one delta."""
    path = tmp_path_factory.mktemp("inspect") / NAME
    with SqliteSaver.from_conn_string(str(path)) as saver:
        for thread, k in (("full", None), ("delta", 5)):
            random.seed(0)
            subject = build_subject(load_workload("A"), 0, Policy(snapshot_frequency=k), saver)
            for turn in range(1, 4):
                subject.turn(turn, "async", thread)
    return path


def refused(*arguments: str) -> str:
    """Run the command; the one line in which it ends."""
    result = CliRunner().invoke(app, ["inspect", *arguments])
    assert isinstance(result.exception, DeltabenchError), result.output
    assert result.exception.exit_code in {ExitCode.USAGE, ExitCode.REFUSED}
    assert "\n" not in str(result.exception)
    return str(result.exception)


def test_the_tables_answer_every_question(session: Path) -> None:
    """Tables, kinds, channels, threads, what is out of reach and what if: within 80 columns."""
    result = CliRunner().invoke(app, ["inspect", str(session), "--k", "5,20"])
    assert result.exit_code == ExitCode.PASSED
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"{NAME}: SQLite, 2 threads, ")
    titles = [line.split("  ")[0] for line in lines if line and not line.startswith(" ")][1:]
    assert titles == [
        "By table",
        "By kind",
        "By channel",
        "Largest threads",
        "Nothing that is out of reach: no row without its checkpoint, no branch aside.",
        "What if",
        "By channel",
    ]
    threads = [line.split()[:3] for line in lines if line.startswith(("  full ", "  delta "))]
    assert threads[:2] == [["full", "full", "21"], ["delta", "delta", "21"]]
    messages = next(line for line in lines if line.startswith("  messages"))
    assert messages.split()[1] == "mixed"
    policies = [line.split("  ")[1] for line in lines if line.startswith(("  K=", "  full snap"))]
    assert policies == ["full snapshots", "K=5", "K=20"]
    assert any("derived from the sizes found, not measured" in line for line in lines)


def test_no_content_of_a_thread_is_shown(session: Path) -> None:
    """Neither what was said nor the paths of files, in tables or in JSON."""
    for more in ([], ["--json"]):
        shown = CliRunner().invoke(app, ["inspect", str(session), *more]).stdout
        assert "/src/turn" not in shown
        assert "def " not in shown


def test_json_has_the_same_figures(session: Path) -> None:
    """Every table adds up to the total, and derived figures say that they are."""
    result = CliRunner().invoke(app, ["inspect", str(session), "--json", "--k", "5"])
    found = json.loads(result.stdout)
    total = found["total_bytes"]
    assert total == sum(table["bytes"] for table in found["tables"].values())
    assert total == sum(found["kinds"].values())
    assert total == sum(thread["size_bytes"] for thread in found["largest_threads"])
    assert total == sum(namespace["bytes"] for namespace in found["namespaces"].values())
    assert [policy["snapshot_frequency"] for policy in found["what_if"]] == [None, 5]
    assert all(policy["derived"] for policy in found["what_if"])
    assert found["estimated"] is False


def test_one_thread_alone(session: Path) -> None:
    """--thread narrows everything to it."""
    result = CliRunner().invoke(app, ["inspect", str(session), "--json", "--thread", "delta"])
    found = json.loads(result.stdout)
    assert found["threads"] == 1
    assert [thread["thread"] for thread in found["largest_threads"]] == ["delta"]
    assert found["kinds"]["snapshots_bytes"] > 0


def test_what_is_wrong_with_the_options(session: Path) -> None:
    """A thread that is not there, no snapshot frequency, and two that exclude each other."""
    assert "no thread 'nobody'" in refused(str(session), "--thread", "nobody")
    assert "0 is not a snapshot frequency" in refused(str(session), "--k", "0,5")
    assert "exclude" in refused(str(session), "--thread", "full", "--sample", "5")
    assert "neither a number" in refused(str(session), "--sample", "some")


def test_what_is_no_checkpoint_database(tmp_path: Path) -> None:
    """Each kind of file that cannot be read is told in its own words."""
    path = tmp_path / NAME
    assert "No such file" in refused(str(path))
    assert "Is a directory" in refused(str(tmp_path))
    path.write_bytes(b"")
    assert "is empty" in refused(str(path))
    path.write_bytes(b"PK\x03\x04 something else")
    assert "is not a SQLite database" in refused(str(path))
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    assert "no checkpoint database: it has no table checkpoints" in refused(str(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE checkpoints (thread_id TEXT, thread_ts TEXT, parent_ts TEXT,"
            " checkpoint BLOB, metadata BLOB)"
        )
    assert "an old schema: checkpoints has no column checkpoint_id" in refused(str(path))


def test_a_database_without_threads(session: Path, tmp_path: Path) -> None:
    """Tables alone are no answer."""
    path = tmp_path / NAME
    path.write_bytes(session.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DELETE FROM checkpoints; DELETE FROM writes")
    assert "holds no thread" in refused(str(path))


def test_a_locked_database(session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process that writes keeps out readers of a rollback journal."""
    monkeypatch.setattr("deltabench.inspect.sqlite_open._BUSY_SECONDS", 0.0)
    path = tmp_path / NAME
    path.write_bytes(session.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN EXCLUSIVE")
        assert "locked by another process" in refused(str(path))


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://user:hunter2@127.0.0.1:1/db",
        "postgres://user:hunter2@127.0.0.1:1/db",
        "postgresql+psycopg://user:hunter2@127.0.0.1:1/db",
        "postgresql://user:hunter2@@127.0.0.1:1/db",
        "host=127.0.0.1 port=1 password=hunter2",
        "mysql://user:hunter2@127.0.0.1:1/db",
    ],
)
def test_a_password_is_never_shown(address: str) -> None:
    """However the address is written, and whatever is wrong with it."""
    assert "hunter2" not in refused(address)
