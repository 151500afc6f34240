"""Places that are prepared in one process and found by another."""

from __future__ import annotations

import os
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def temporary_directory(prefix: str) -> Iterator[str]:
    """Make a directory that is removed whatever happens; refused if none can be made."""
    try:
        directory = TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
    except OSError as error:
        raise DeltabenchError(
            f"no temporary directory can be made: {error.strerror}",
            hint="set TMPDIR to a directory with free space",
            exit_code=ExitCode.REFUSED,
        ) from error
    with directory as path:
        yield path


def missing_postgres() -> DeltabenchError:
    """Say that the extra for PostgreSQL is not installed, and how it is."""
    return DeltabenchError(
        "the postgres checkpointer is not installed", hint="pip install 'deltabench[postgres]'"
    )


def prepared(variable: str) -> str:
    """Look up what `prepare()` said under this name; an error if nothing was prepared."""
    try:
        return os.environ[variable]
    except KeyError:
        raise DeltabenchError(
            f"{variable} is not set: the checkpointer was opened without being prepared"
        ) from None
