"""The PostgreSQL checkpointer: langgraph's own saver in a schema of its own."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.checkpointers import postgres_address
from deltabench.checkpointers.interface import Backend, OpenCheckpointer
from deltabench.checkpointers.places import missing_postgres, prepared
from deltabench.checkpointers.postgres_count import count_postgres, physical_postgres
from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver

    from deltabench.cells import StoredBytes

URL = "DELTABENCH_POSTGRES_URL"
CELL_URL = "DELTABENCH_POSTGRES_CELL_URL"


class OpenPostgres(OpenCheckpointer):
    """A real `PostgresSaver` on one autocommit connection, as its own factory makes it."""

    saver: PostgresSaver

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        from langgraph.checkpoint.postgres import PostgresSaver

        self._connection = connection
        self._sent = _count_statements(connection)
        self.saver = PostgresSaver(connection)
        self._wal_start = self._wal_position()

    def count(self, turn: int) -> StoredBytes:
        """Count the three tables inside the server."""
        from psycopg.rows import tuple_row

        with self.saver.lock, self._plain_cursor(tuple_row) as cursor:
            return count_postgres(cursor, turn)

    def physical_bytes(self) -> dict[str, int]:
        """Compressed columns, tables with indexes, and the WAL written since opening.

        `wal_written_bytes` is the whole server's: on a shared one, others' writes too. It
        is missing where the server does not tell (some hosted ones do not).
        """
        from psycopg.rows import dict_row

        with self.saver.lock, self._plain_cursor(dict_row) as cursor:
            sizes = physical_postgres(cursor)
        end = self._wal_position()
        if self._wal_start is not None and end is not None:
            sizes["wal_written_bytes"] = end - self._wal_start
        return sizes

    def statements(self) -> int:
        """Statements sent by the saver since opening, a batch being one."""
        return self._sent[0]

    def _wal_position(self) -> int | None:
        import psycopg
        from psycopg.rows import tuple_row

        try:
            with self.saver.lock, self._plain_cursor(tuple_row) as cursor:
                row = cursor.execute(
                    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"
                ).fetchone()
        except psycopg.Error:
            return None
        return int(row[0]) if row else None

    def _plain_cursor(self, row_factory: Any) -> psycopg.Cursor[Any]:
        """Open a cursor for deltabench's own questions, which do not count."""
        import psycopg

        return psycopg.Cursor(self._connection, row_factory=row_factory)


def _count_statements(connection: psycopg.Connection[Any]) -> list[int]:
    """Let the connection hand out counting cursors; gives the running count."""
    import psycopg

    sent = [0]

    class CountingCursor(psycopg.Cursor[Any]):
        def execute(self, *args: Any, **kwargs: Any) -> Any:
            sent[0] += 1
            return super().execute(*args, **kwargs)

        def executemany(self, *args: Any, **kwargs: Any) -> None:
            sent[0] += 1
            super().executemany(*args, **kwargs)

    connection.cursor_factory = CountingCursor
    return sent


class PostgresBackend(Backend):
    """langgraph's `PostgresSaver`, on a given server or an embedded one."""

    name: ClassVar[str] = "postgres"
    outlives_process: ClassVar[bool | None] = True

    def __init__(self, url: str | None = None) -> None:
        self._url = url

    @contextmanager
    def prepare(self) -> Iterator[dict[str, str]]:
        """Make a schema with the saver's tables, and drop it in the end."""
        _require_extra()
        url = self._url or os.environ.get(URL) or _embedded_url()
        schema = f"deltabench_{secrets.token_hex(8)}"
        cell_url = postgres_address.in_schema(url, schema)
        try:
            _make_schema(cell_url, schema, postgres_address.redacted(url))
            yield {CELL_URL: cell_url}
        finally:
            _drop_schema(cell_url, schema, postgres_address.redacted(url))

    @contextmanager
    def open(self) -> Iterator[OpenPostgres]:
        """Connect to the prepared schema."""
        with closing(postgres_address.connect(prepared(CELL_URL))) as connection:
            yield OpenPostgres(connection)


def _make_schema(cell_url: str, schema: str, shown: str) -> None:
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver
    from psycopg import sql

    with closing(postgres_address.connect(cell_url)) as connection:
        try:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
            PostgresSaver(connection).setup()
        except psycopg.Error as error:
            raise DeltabenchError(
                f"PostgreSQL at {shown} refused to make the tables: {type(error).__name__}",
                hint="the user needs the right to create schemas in that database",
                exit_code=ExitCode.REFUSED,
            ) from None


def _drop_schema(cell_url: str, schema: str, shown: str) -> None:
    """Drop the schema, ending first what a killed cell left running in it."""
    import psycopg
    from psycopg import sql

    failing = sys.exc_info()[0] is not None
    try:
        with closing(postgres_address.connect(cell_url)) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                " application_name = %s AND usename = current_user AND pid <> pg_backend_pid()",
                (schema,),
            )
            connection.execute("SET lock_timeout = '30s'")
            drop = sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE")
            connection.execute(drop.format(sql.Identifier(schema)))
    except (psycopg.Error, DeltabenchError) as error:
        if failing:  # what went wrong first is what has to be told
            return
        raise DeltabenchError(
            f"schema {schema} could not be dropped from PostgreSQL at {shown}",
            hint=f"DROP SCHEMA {schema} CASCADE",
            exit_code=ExitCode.REFUSED,
        ) from error


def _require_extra() -> None:
    try:
        import langgraph.checkpoint.postgres  # noqa: F401 - only whether it can be had
    except ImportError as error:
        raise missing_postgres() from error


def _embedded_url() -> str:
    from deltabench.checkpointers.embedded import embedded_url

    return embedded_url()
