"""A SQLite connection that counts statements and takes note of checkpoint rows.

It is a subclass given to `sqlite3.connect(factory=...)`. A trace callback would count as
well, but SQLite writes every bound value into the traced text, megabytes at a time.
"""

from __future__ import annotations

import re
import sqlite3
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from deltabench.checkpointers.msgpack_spans import NO_SPANS, Spans, channel_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CursorT = TypeVar("_CursorT", bound=sqlite3.Cursor)
_INSERT = re.compile(r"\s*INSERT\b.*?\bINTO\s+checkpoints\s*\(([^)]*)\)", re.IGNORECASE | re.DOTALL)

RowKey = tuple[str, str, str]  # thread, namespace, checkpoint id


class Ledger:
    """Statements sent, and the channel sizes inside every checkpoint row written here.

    A row that is written again replaces its entry, as it replaces the row. What another
    process wrote is not in here: `sqlite_count` reads such rows back.
    """

    def __init__(self) -> None:
        self.statements = 0
        # Row -> its size in bytes and the bytes of each channel inside.
        self.rows: dict[RowKey, tuple[int, dict[str, int]]] = {}
        # Thread and namespace -> what the newest row there holds.
        self._newest: dict[tuple[str, str], Spans] = {}

    def sent(self, sql: str, parameters: Any) -> None:
        """Count a statement; split the checkpoint if it inserts one."""
        self.statements += 1
        columns = _inserted_columns(sql)
        if columns:
            row = dict(zip(columns, parameters, strict=True))
            key = (row["thread_id"], row["checkpoint_ns"], row["checkpoint_id"])
            before = self._newest.get(key[:2], NO_SPANS)
            spans = self._newest[key[:2]] = split(row["type"], row["checkpoint"], before)
            self.rows[key] = len(row["checkpoint"]), spans.sizes


def split(type_: str, checkpoint: bytes, before: Spans = NO_SPANS) -> Spans:
    """Where the channels lie in a stored checkpoint.

    ValueError when it is not msgpack, which langgraph's own serializer always writes.
    """
    if type_ != "msgpack":
        raise ValueError(f"cannot split a checkpoint of type {type_!r} by channel")
    return channel_spans(checkpoint, before)


@lru_cache(maxsize=64)
def _inserted_columns(sql: str) -> tuple[str, ...]:
    match = _INSERT.match(sql)
    return tuple(name.strip() for name in match[1].split(",")) if match else ()


class CountingConnection(sqlite3.Connection):
    """Hands out counting cursors, through which its own shortcuts (`execute` ...) go too."""

    ledger: Ledger

    @overload
    def cursor(self, factory: None = None) -> sqlite3.Cursor: ...
    @overload
    def cursor(self, factory: Callable[[sqlite3.Connection], _CursorT]) -> _CursorT: ...
    def cursor(
        self, factory: Callable[[sqlite3.Connection], sqlite3.Cursor] | None = None
    ) -> sqlite3.Cursor:
        """Open a cursor whose statements are counted, unless the caller brings its own kind."""
        return super().cursor(factory or CountingCursor)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run and count one statement."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a batch and count it as one statement."""
        return self.cursor().executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> sqlite3.Cursor:
        """Run a script and count it as one statement."""
        return self.cursor().executescript(sql_script)

    def plain_cursor(self) -> sqlite3.Cursor:
        """Open a cursor for deltabench's own questions, which do not count."""
        return super().cursor(sqlite3.Cursor)


class CountingCursor(sqlite3.Cursor):
    """Counts each call as one statement; a batch is one, as it is one round trip."""

    connection: CountingConnection

    def execute(self, sql: str, parameters: Any = (), /) -> Self:
        """Run and count one statement."""
        self.connection.ledger.sent(sql, parameters)
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Self:
        """Run a batch and count it as one statement."""
        self.connection.ledger.statements += 1
        return super().executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> sqlite3.Cursor:
        """Run a script and count it as one statement."""
        self.connection.ledger.statements += 1
        return super().executescript(sql_script)
