"""Where a twin keeps its threads, and how a saver is opened there, as often as needed.

These are langgraph's own savers with nothing of deltabench around them: what is metered
elsewhere is not in the way here.
"""

from __future__ import annotations

import os
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.memory import InMemorySaver

from deltabench.checkpointers import custom, postgres, sqlite
from deltabench.checkpointers.registry import backend_named

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from langgraph.checkpoint.base import BaseCheckpointSaver

    Change = Callable[[BaseCheckpointSaver[Any]], None]

FILE_NAME = "verify.sqlite"
_GONE = {
    f"{driver}.{kind}"
    for driver in ("psycopg", "psycopg_pool", "sqlite3")
    for kind in ("OperationalError", "InterfaceError", "PoolTimeout", "PoolClosed")
}


@dataclass(frozen=True, slots=True)
class Place:
    """A store of one twin, empty when it was made.

    `settings` find it in any process. `change` is applied to every saver that is opened:
    a serializer of the user's, or the fault that a test plants.
    """

    checkpointer: str
    settings: dict[str, str]
    change: Change | None = None
    _memory: InMemorySaver | None = field(default_factory=InMemorySaver)

    @property
    def outlives_process(self) -> bool:
        """Whether another process can read what is stored."""
        return self.checkpointer in {"sqlite", "postgres"}

    @property
    def sqlite_path(self) -> Path:
        """The database file of a sqlite place."""
        return Path(self.settings[sqlite.DIRECTORY]) / FILE_NAME

    def elsewhere(self) -> Place:
        """The same place without what belongs to this process: to send to another one."""
        return Place(self.checkpointer, self.settings, self.change, None)


@contextmanager
def prepared_place(
    checkpointer: str, *, postgres_url: str | None = None, change: Change | None = None
) -> Iterator[Place]:
    """Make an empty place and remove it in the end.

    Raises DeltabenchError when there is no such checkpointer or it cannot be had.
    """
    with backend_named(checkpointer, postgres_url=postgres_url).prepare() as settings:
        yield Place(checkpointer, settings, change)


def is_gone(error: BaseException) -> bool:
    """Whether an error says that the database cannot be reached any more, or is locked.

    That is told by the kinds of errors of the drivers, and says nothing of delta channels.
    """
    kinds = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(error).mro()}
    return not kinds.isdisjoint(_GONE)


@contextmanager
def open_saver(place: Place) -> Iterator[BaseCheckpointSaver[Any]]:
    """Open the saver for plain calls; the memory of this process is one and the same."""
    with _plain(place) as saver:
        if place.change is not None:
            place.change(saver)
        yield saver


@contextmanager
def _plain(place: Place) -> Iterator[BaseCheckpointSaver[Any]]:
    if place.checkpointer == "memory":
        if place._memory is None:  # noqa: SLF001 - the module's own
            raise ValueError("the memory of another process cannot be opened")
        yield place._memory  # noqa: SLF001 - the module's own
    elif place.checkpointer == "sqlite":
        from langgraph.checkpoint.sqlite import SqliteSaver

        with SqliteSaver.from_conn_string(str(place.sqlite_path)) as saver:
            yield saver
    elif place.checkpointer == "postgres":
        from langgraph.checkpoint.postgres import PostgresSaver

        with PostgresSaver.from_conn_string(place.settings[postgres.CELL_URL]) as saver:
            yield saver
    else:
        from deltabench.checkpointers.custom_factory import opened_saver

        os.environ[custom.DIRECTORY] = place.settings[custom.DIRECTORY]
        with opened_saver(place.checkpointer) as saver:
            yield saver


@asynccontextmanager
async def open_async_saver(place: Place) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """Open the saver for awaited calls: langgraph has classes of their own for that."""
    if place.checkpointer == "sqlite":
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(str(place.sqlite_path)) as saver:
            yield _changed(place, saver)
    elif place.checkpointer == "postgres":
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

        url = place.settings[postgres.CELL_URL]
        async with AsyncPostgresSaver.from_conn_string(url) as saver:
            yield _changed(place, saver)
    elif place.checkpointer != "memory":
        from deltabench.checkpointers.custom_factory import opened_async_saver

        os.environ[custom.DIRECTORY] = place.settings[custom.DIRECTORY]
        async with opened_async_saver(place.checkpointer) as saver:
            yield _changed(place, saver)
    else:
        with open_saver(place) as saver:
            yield saver


def _changed(place: Place, saver: Any) -> Any:
    if place.change is not None:
        place.change(saver)
    return saver
