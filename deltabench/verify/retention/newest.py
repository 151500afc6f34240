"""The home-made "keep the newest N checkpoints" that teams run, on each kind of store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from deltabench.checkpointers import postgres

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deltabench.verify.places import Place

# Every namespace keeps its own newest ones; a value that no kept checkpoint names goes, too.
_SQLITE = """
    DELETE FROM checkpoints WHERE thread_id = :thread AND checkpoint_id NOT IN (
        SELECT newest.checkpoint_id FROM checkpoints newest
        WHERE newest.thread_id = :thread AND newest.checkpoint_ns = checkpoints.checkpoint_ns
        ORDER BY newest.checkpoint_id DESC LIMIT :keep);
    DELETE FROM writes WHERE thread_id = :thread AND NOT EXISTS (
        SELECT 1 FROM checkpoints kept WHERE kept.thread_id = writes.thread_id
            AND kept.checkpoint_ns = writes.checkpoint_ns
            AND kept.checkpoint_id = writes.checkpoint_id)
"""
_POSTGRES = """
    DELETE FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_id NOT IN (
        SELECT newest.checkpoint_id FROM checkpoints newest
        WHERE newest.thread_id = %(thread)s AND newest.checkpoint_ns = checkpoints.checkpoint_ns
        ORDER BY newest.checkpoint_id DESC LIMIT %(keep)s);
    DELETE FROM checkpoint_writes WHERE thread_id = %(thread)s AND NOT EXISTS (
        SELECT 1 FROM checkpoints kept WHERE kept.thread_id = checkpoint_writes.thread_id
            AND kept.checkpoint_ns = checkpoint_writes.checkpoint_ns
            AND kept.checkpoint_id = checkpoint_writes.checkpoint_id);
    DELETE FROM checkpoint_blobs WHERE thread_id = %(thread)s AND NOT EXISTS (
        SELECT 1 FROM checkpoints kept WHERE kept.thread_id = checkpoint_blobs.thread_id
            AND kept.checkpoint_ns = checkpoint_blobs.checkpoint_ns
            AND kept.checkpoint -> 'channel_versions' ->> checkpoint_blobs.channel
                = checkpoint_blobs.version)
"""


def keep_newest(place: Place, saver: Any, thread: str, keep: int) -> None:
    """Delete all but the newest `keep` checkpoints of each namespace of a thread.

    Raises KeyError for a place of another kind.
    """
    if place.checkpointer == "memory":
        _in_memory(saver, thread, keep)
        return
    statements = {"sqlite": _SQLITE, "postgres": _POSTGRES}[place.checkpointer]
    run_sql(place, statements.split(";"), thread=thread, keep=keep)


def database_of(place: Place) -> str:
    """The path or the address of the database of a place; KeyError for another kind."""
    if place.checkpointer == "sqlite":
        return str(place.sqlite_path)
    return place.settings[postgres.CELL_URL]


def run_sql(place: Place, statements: Iterable[str], **given: str | int) -> None:
    """Run statements with their parameters on the database of a place, in one transaction."""
    if place.checkpointer == "sqlite":
        with closing(sqlite3.connect(place.sqlite_path, timeout=10)) as connection, connection:
            for statement in statements:
                connection.execute(statement, given)
        return
    import psycopg

    with psycopg.connect(database_of(place)) as server:
        for statement in statements:
            server.execute(statement.encode(), given or None)


def _in_memory(saver: Any, thread: str, keep: int) -> None:
    for namespace, checkpoints in saver.storage[thread].items():
        for checkpoint_id in sorted(checkpoints)[:-keep]:
            del checkpoints[checkpoint_id]
            saver.writes.pop((thread, namespace, checkpoint_id), None)
    kept = {
        (namespace, channel, version)
        for namespace, checkpoints in saver.storage[thread].items()
        for (type_, data), *_ in checkpoints.values()
        for channel, version in saver.serde.loads_typed((type_, data))["channel_versions"].items()
    }
    for key in [k for k in saver.blobs if k[0] == thread and k[1:] not in kept]:
        del saver.blobs[key]
