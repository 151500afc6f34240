"""Builds large checkpoint databases and holds `deltabench inspect` against its limits.

One session of workload B is run by the real agent and saver; its rows are then copied
under new thread ids with plain SQL until the database is as large as asked for. Measured:
peak resident memory of the whole command, and its time against one plain pass over the
same rows, both less what the programs take on a database of one turn. Exit code 1 when a
limit is exceeded.

A plain pass reads each row of a SQLite file once through a cursor; in PostgreSQL it is one
`sum(octet_length())` over each table, which the server answers from the heads of the rows:
a value that it stores out of line is not read, whatever its size.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from deltabench.cells import Policy
from deltabench.report.units import format_bytes
from deltabench.session.workload import load_workload
from deltabench.subject.agent import build_subject

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

MOST_RATIO = 3.0
MOST_MEMORY_BYTES = 300_000_000
SHORTEST_SECONDS = 0.05  # less cannot be told from how long a process takes to start
FIRST_THREAD = "thread-00000"
SQLITE_TABLES = ("checkpoints", "writes")
POSTGRES_TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
PLAIN_SQLITE = """
import sqlite3, sys
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
for table in ("checkpoints", "writes"):
    for row in connection.execute(f"SELECT * FROM {table}"):
        pass
"""
PLAIN_POSTGRES = """
import sys, psycopg
connection = psycopg.connect(sys.argv[1])
for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
    columns = connection.execute(
        "SELECT attname, atttypid = 'jsonb'::regtype, atttypid = 'int4'::regtype"
        " FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum > 0", (table,)
    ).fetchall()
    sums = [
        f"sum(octet_length({name}{'::text' if is_json else ''}))"
        for name, is_json, is_number in columns if not is_number
    ]
    connection.execute(f"SELECT {', '.join(sums)} FROM {table}").fetchone()
"""


def main() -> int:
    """Measure each database; 1 when one of them exceeds a limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=1.0, help="logical size of each")
    parser.add_argument("--turns", type=int, default=60, help="turns of a full thread")
    parser.add_argument("--delta-turns", type=int, default=200, help="turns of a delta thread")
    parser.add_argument("--k", type=int, default=50, help="snapshot frequency of delta threads")
    parser.add_argument("--repeat", type=int, default=3, help="how often each is timed")
    parser.add_argument(
        "--database", action="append", choices=["sqlite", "postgres"], help="default: both"
    )
    options = parser.parse_args()
    failed = False
    for database in options.database or ["sqlite", "postgres"]:
        build = sqlite_database if database == "sqlite" else postgres_database
        with ExitStack() as stack:
            start = timed(database, build(stack, Wanted(Policy(), 1, 0)), options.repeat)
        for k, turns in ((None, options.turns), (options.k, options.delta_turns)):
            with ExitStack() as stack:
                wanted = Wanted(Policy(snapshot_frequency=k), turns, options.gigabytes * 1e9)
                times = timed(database, build(stack, wanted), options.repeat)
            policy = "full" if k is None else f"K={k}"
            failed |= not kept(f"{database} {policy}", times, start)
    return int(failed)


@dataclass(frozen=True)
class Wanted:
    """The threads of a database, and how many bytes they are to be together."""

    policy: Policy
    turns: int
    size_bytes: float

    def drive(self, saver: BaseCheckpointSaver[str]) -> None:
        """Run the session that is copied."""
        random.seed(0)
        subject = build_subject(load_workload("B"), 0, self.policy, saver)
        for turn in range(1, self.turns + 1):
            subject.turn(turn, "async", FIRST_THREAD)

    def threads(self, each_bytes: int) -> list[str]:
        """Ids of the copies that make up the size."""
        count = max(2, round(self.size_bytes / each_bytes))
        return [f"thread-{number:05}" for number in range(1, count)]


def sqlite_database(stack: ExitStack, wanted: Wanted) -> str:
    """A SQLite file of that size; its path."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="deltabench-inspect-"))
    path = Path(directory) / "checkpoints.sqlite"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        wanted.drive(saver)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        for thread in wanted.threads(path.stat().st_size):
            for table in SQLITE_TABLES:
                sql = "SELECT name FROM pragma_table_info(?)"
                names = [name for (name,) in connection.execute(sql, (table,))]
                connection.execute(copy_sql(table, names), (thread, FIRST_THREAD))
            connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return str(path)


def postgres_database(stack: ExitStack, wanted: Wanted) -> str:
    """A PostgreSQL schema of that size; its address."""
    from deltabench.checkpointers.postgres import CELL_URL, PostgresBackend
    from deltabench.checkpointers.postgres_address import connect

    backend = PostgresBackend()
    place = stack.enter_context(backend.prepare())
    os.environ.update(place)
    with backend.open() as opened:
        wanted.drive(opened.saver)
        size_bytes = opened.count(wanted.turns).total_bytes
    url = place[CELL_URL]
    with closing(connect(url)) as connection:
        for thread in wanted.threads(size_bytes):
            for table in POSTGRES_TABLES:
                rows = connection.execute(
                    "SELECT attname FROM pg_attribute"
                    " WHERE attrelid = to_regclass(%s) AND attnum > 0",
                    (table,),
                ).fetchall()
                sql = copy_sql(table, [row["attname"] for row in rows]).replace("?", "%s")
                connection.execute(sql, (thread, FIRST_THREAD))
        connection.execute("VACUUM ANALYZE")
    return url


def copy_sql(table: str, names: list[str]) -> str:
    """Copy the rows of one thread to another; both ids are parameters."""
    others = ", ".join(name for name in names if name != "thread_id")
    return (
        f"INSERT INTO {table} (thread_id, {others})"  # noqa: S608 - names from the schema
        f" SELECT ?, {others} FROM {table} WHERE thread_id = ?"
    )


@dataclass(frozen=True)
class Times:
    """Median seconds of each program, the peak of inspect's resident memory, and its answer."""

    plain_seconds: float
    inspect_seconds: float
    peak_bytes: int
    total_bytes: int
    threads: int


def timed(database: str, target: str, repeat: int) -> Times:
    """Time a plain pass and the whole command in turn."""
    plain = PLAIN_SQLITE if database == "sqlite" else PLAIN_POSTGRES
    programs = {
        "inspect": [sys.executable, "-m", "deltabench", "inspect", target, "--json"],
        "plain": [sys.executable, "-c", plain, target],
    }
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    peak_bytes, answer = 0, b""
    for _ in range(repeat):
        for name, command in programs.items():
            took, resident, output = run(command)
            seconds[name].append(took)
            if name == "inspect":
                peak_bytes, answer = max(peak_bytes, resident), output
    found = json.loads(answer)
    return Times(
        plain_seconds=median(seconds["plain"]),
        inspect_seconds=median(seconds["inspect"]),
        peak_bytes=peak_bytes,
        total_bytes=found["total_bytes"],
        threads=found["threads"],
    )


def kept(name: str, times: Times, start: Times) -> bool:
    """Print a line, and tell whether the limits are kept; starting the programs is taken off."""
    inspect_seconds = times.inspect_seconds - start.inspect_seconds
    plain_seconds = times.plain_seconds - start.plain_seconds
    is_told = plain_seconds >= SHORTEST_SECONDS
    ratio = f"{inspect_seconds / plain_seconds:.2f}x" if is_told else "too quick to be held against"
    inside = times.peak_bytes <= MOST_MEMORY_BYTES and (
        not is_told or inspect_seconds <= MOST_RATIO * plain_seconds
    )
    print(
        f"{name}: {format_bytes(times.total_bytes)}, {times.threads} threads:"
        f" {inspect_seconds:.2f} s after {start.inspect_seconds:.2f} s to start;"
        f" {ratio} a plain pass ({plain_seconds:.2f} s),"
        f" peak {format_bytes(times.peak_bytes)}{'' if inside else '  OVER THE LIMIT'}",
        flush=True,
    )
    return inside


def run(command: list[str]) -> tuple[float, int, bytes]:
    """Seconds, peak resident bytes and output of a command that must succeed."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if status:
            message = f"{command[2]} ended with status {status}"
            raise SystemExit(message)
        output.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        return seconds, usage.ru_maxrss * unit, output.read()


if __name__ == "__main__":
    sys.exit(main())
