"""Checkpointers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from deltabench.checkpointers.interface import Backend

NAMES = ("memory", "sqlite", "postgres")


def backend_named(name: str, *, postgres_url: str | None = None) -> Backend:
    """Give the backend of this name, or the one that a `module:factory` makes.

    `postgres_url` is used by `postgres` only; without it DELTABENCH_POSTGRES_URL is, and
    without that an embedded server. An unknown name is an error that offers the names.
    """
    if name == "memory":
        from deltabench.checkpointers.memory import MemoryBackend

        return MemoryBackend()
    if name == "sqlite":
        from deltabench.checkpointers.sqlite import SqliteBackend

        return SqliteBackend()
    if name == "postgres":
        from deltabench.checkpointers.postgres import PostgresBackend

        return PostgresBackend(postgres_url)
    module, _, factory = name.rpartition(":")
    if module and factory:
        from deltabench.checkpointers.custom import CustomBackend

        return CustomBackend(name)
    raise DeltabenchError(
        f"no checkpointer named {name!r}", hint=f"{', '.join(NAMES)}, or module:factory"
    )
