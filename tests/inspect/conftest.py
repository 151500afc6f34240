"""Sessions of the real agent, recorded once under each policy and then only read."""

from __future__ import annotations

import random
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deltabench.cells import Policy
from deltabench.checkpointers.postgres import CELL_URL
from deltabench.checkpointers.postgres_address import connect, in_schema
from deltabench.checkpointers.registry import backend_named
from deltabench.checkpointers.sqlite import DIRECTORY
from deltabench.inspect.postgres_open import COLUMNS
from deltabench.inspect.scan import inspect_database, open_source
from deltabench.session.workload import load_workload
from deltabench.subject.agent import build_subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deltabench.inspect.found import Inspection

TURNS = 12
THREAD = "t"


@dataclass(frozen=True)
class Recorded:
    """Where a session is stored, and what was counted of it when it ended."""

    database: str
    total_bytes: int


def look(database: str | Path, policies: tuple[int | None, ...] = (None, 5, 20)) -> Inspection:
    """Inspect a database in this process."""
    with open_source(str(database)) as source:
        return inspect_database(source, policies=policies)


@pytest.fixture(scope="session")
def recorded() -> Iterator[Callable[[str, str, int | None], Recorded]]:
    """Give a way to a recorded session: kind of database, workload, K or None for full."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())

        @cache
        def record(kind: str, workload: str, k: int | None) -> Recorded:
            backend = backend_named(kind)
            place = stack.enter_context(backend.prepare())
            for variable, value in place.items():
                patch.setenv(variable, value)
            random.seed(0)
            with backend.open() as opened:
                subject = build_subject(
                    load_workload(workload), 0, Policy(snapshot_frequency=k), opened.saver
                )
                for turn in range(1, TURNS + 1):
                    subject.turn(turn, "async", THREAD)
                total_bytes = opened.count(TURNS).total_bytes
            if kind == "postgres":
                return Recorded(place[CELL_URL], total_bytes)
            return Recorded(str(Path(place[DIRECTORY]) / "checkpoints.sqlite"), total_bytes)

        yield record


@pytest.fixture
def copied(
    recorded: Callable[[str, str, int | None], Recorded], tmp_path: Path
) -> Callable[[int | None], Path]:
    """Give a copy of a session of workload A in SQLite, to be spoilt by the test."""

    def copy(k: int | None) -> Path:
        path = tmp_path / "copy.sqlite"
        path.write_bytes(Path(recorded("sqlite", "A", k).database).read_bytes())
        return path

    return copy


@pytest.fixture
def copied_schema(
    recorded: Callable[[str, str, int | None], Recorded],
) -> Iterator[Callable[[int | None], str]]:
    """Give a copy of a session of workload A in PostgreSQL, to be spoilt by the test."""
    name, dropped = "deltabench_inspect_copy", []

    def copy(k: int | None) -> str:
        url = recorded("postgres", "A", k).database
        with closing(connect(url)) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
            dropped.append(url)
            for table in COLUMNS:
                sql = f"CREATE TABLE {name}.{table} AS SELECT * FROM {table}"  # noqa: S608
                connection.execute(sql)
        return in_schema(url, name)

    yield copy
    for url in dropped:
        with closing(connect(url)) as connection:
            connection.execute(f"DROP SCHEMA {name} CASCADE")
