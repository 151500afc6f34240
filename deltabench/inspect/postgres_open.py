"""Connects to PostgreSQL so that nothing can be written, and sees one state throughout.

The session's transactions are read only by default and the one that is used is declared
so, too: the server itself refuses to write, whatever the user might be allowed to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.checkpointers import postgres_address
from deltabench.checkpointers.places import missing_postgres
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.inspect.postgres_sql import SETTINGS

if TYPE_CHECKING:
    import psycopg

COLUMNS = {
    "checkpoints": {
        "thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "type",
        "checkpoint", "metadata",
    },
    "checkpoint_blobs": {"thread_id", "checkpoint_ns", "channel", "version", "type", "blob"},
    "checkpoint_writes": {
        "thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel", "type", "blob",
    },
}  # fmt: skip
_COLUMNS_SQL = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped
"""


def open_read_only(url: str) -> psycopg.Connection[Any]:
    """Connect and begin a read-only transaction that sees one state of the tables.

    Raises DeltabenchError, never with a password, when that fails or when the tables are
    not those of `PostgresSaver`.
    """
    try:
        import psycopg
    except ImportError:
        raise missing_postgres() from None
    from psycopg.rows import tuple_row

    try:
        connection = postgres_address.connect(url)
    except DeltabenchError as error:
        raise DeltabenchError(error.args[0], exit_code=error.exit_code) from None
    shown = postgres_address.redacted(url)
    try:
        connection.execute("SET default_transaction_read_only = on")
        connection.autocommit = False
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.row_factory = tuple_row
        for table, needed in COLUMNS.items():
            _require(table, needed, columns(connection, table), shown)
        connection.execute(SETTINGS)
    except psycopg.Error as error:
        connection.close()
        raise readable_error(shown, error) from None
    except DeltabenchError:
        connection.close()
        raise
    return connection


def readable_error(shown: str, error: psycopg.Error) -> DeltabenchError:
    """What the server refuses, in one line that names the place but quotes no value."""
    import psycopg

    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        tables = ", ".join(COLUMNS)
        return DeltabenchError(
            f"{shown}: this user may not read the checkpoint tables",
            hint=f"GRANT SELECT ON {tables} TO that user",
            exit_code=ExitCode.REFUSED,
        )
    if isinstance(error, psycopg.errors.QueryCanceled):
        return DeltabenchError(
            f"{shown}: the server ended a query that took too long",
            hint="raise statement_timeout for this user, or take --sample or --thread",
            exit_code=ExitCode.REFUSED,
        )
    if isinstance(error, psycopg.OperationalError):
        return DeltabenchError(f"{shown}: the connection was lost", exit_code=ExitCode.REFUSED)
    return DeltabenchError(f"{shown}: PostgreSQL refused: {type(error).__name__}")


def columns(connection: psycopg.Connection[Any], table: str) -> set[str]:
    """Names of the columns of a table that the search path finds; empty if there is none."""
    return {name for (name,) in connection.execute(_COLUMNS_SQL, (table,))}


def _require(table: str, needed: set[str], found: set[str], shown: str) -> None:
    if not found:
        raise DeltabenchError(
            f"{shown} has no table {table}",
            hint="for tables in a schema of their own: ?options=-csearch_path%3DSCHEMA",
        )
    if missing := sorted(needed - found):
        raise DeltabenchError(
            f"{shown}: an old schema: {table} has no column {', '.join(missing)}",
            hint="what PostgresSaver of langgraph-checkpoint-postgres 2.0 or newer writes is read",
        )
