"""What PostgreSQL refuses, in one line each."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import pytest

from deltabench.checkpointers.postgres_address import connect
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.inspect.postgres_open import readable_error
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (psycopg.errors.InsufficientPrivilege("secret"), "may not read the checkpoint tables"),
        (psycopg.errors.QueryCanceled("secret"), "ended a query that took too long"),
        (psycopg.OperationalError("secret"), "the connection was lost"),
        (psycopg.errors.UndefinedFunction("secret"), "PostgreSQL refused: UndefinedFunction"),
    ],
)
def test_an_error_is_one_line_without_a_value(error: psycopg.Error, words: str) -> None:
    """The server may quote a value in its words: these are not passed on."""
    told = readable_error("host:5432/db", error)
    assert str(told).startswith("host:5432/db: ")
    assert words in str(told)
    assert "secret" not in str(told)
    assert "\n" not in str(told)
    assert told.exit_code in {ExitCode.REFUSED, ExitCode.USAGE}


def test_other_tables_are_told(copied_schema: Callable[[int | None], str]) -> None:
    """A missing table names the way to another schema; a missing column is an old schema."""
    url = copied_schema(5)
    with closing(connect(url)) as connection:
        connection.execute("ALTER TABLE checkpoint_blobs DROP COLUMN version")
        with pytest.raises(DeltabenchError, match="old schema: checkpoint_blobs has no column ver"):
            look(url)
        connection.execute("DROP TABLE checkpoint_writes")
        connection.execute("ALTER TABLE checkpoint_blobs ADD COLUMN version text")
        with pytest.raises(DeltabenchError, match=r"no table checkpoint_writes.*search_path"):
            look(url)
