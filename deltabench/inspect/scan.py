"""Reads a database thread by thread, and keeps the sums."""

from __future__ import annotations

import heapq
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.inspect.candidates import Standing
from deltabench.inspect.counting import Asked, count
from deltabench.inspect.found import Inspection, ThreadFigures
from deltabench.inspect.names import count_unnamed
from deltabench.inspect.sampling import Sample, drawn, sample_size
from deltabench.inspect.sized import Deriver
from deltabench.inspect.sums import Sums
from deltabench.inspect.suspects import Suspects
from deltabench.model.cadence import superstep_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from deltabench.inspect.rows import Source
    from deltabench.inspect.tracks import Tracks
    from deltabench.inspect.whatif import Policy

DEFAULT_K = (1, 10, 50, 100, 1000)
_CHECKPOINTS_AT_ONCE = 50_000
_THREADS_AT_ONCE = 500


def is_address(database: str) -> bool:
    """Whether this is an address, or was meant as one: then it is not shown, for passwords."""
    return "://" in database or ("=" in database and not Path(database).exists())


@contextmanager
def open_source(database: str) -> Iterator[Source]:
    """Open a SQLite file or a PostgreSQL address for reading only."""
    source: Source
    if is_address(database):
        from deltabench.inspect.postgres_source import PostgresSource

        source = PostgresSource(database)
    else:
        from deltabench.inspect.sqlite_source import SqliteSource

        source = SqliteSource(Path(database))
    try:
        yield source
    finally:
        source.close()


def inspect_database(  # noqa: PLR0913 - each is one thing to ask for
    source: Source,
    *,
    policies: Sequence[Policy] = (None, *DEFAULT_K),
    thread: str | None = None,
    top: int = 20,
    sample: str | None = None,
    seed: int = 0,
    progress: Callable[[int, int, int], None] = lambda *_: None,
) -> Inspection:
    """Read all threads, one, or a sample of them.

    `progress` is told the threads done, of how many, and the bytes found in them.

    Raises DeltabenchError when the thread does not exist or the database is empty.
    """
    sizes = source.threads()
    chosen = chosen_threads(source, sizes, thread)
    taken = None
    if sample is not None and (size := sample_size(sample, len(chosen))) < len(chosen):
        taken = Sample(population=len(chosen), seed=seed)
        chosen, population = drawn(chosen, size, seed), len(chosen)
    else:
        population = len(chosen)
    asked = Asked(source.kind, policies, superstep_bound())
    whole, largest = Sums(), _Largest(top)
    deriver, suspects, done = Deriver(), Suspects(), 0
    for batch in _batches(chosen, sizes):
        for name, found, figures in _threads(source, batch, asked, deriver, suspects):
            whole.add(found)
            largest.add(name, figures)
            if taken is not None:
                taken.threads.append(found.sums)
            done += 1
            progress(done, len(chosen), whole.sums["total",])
    if changed := source.changed():
        whole.problems.append(changed)
    return Inspection(
        name=source.name,
        kind=source.kind,
        threads=population,
        threads_read=done,
        policies=tuple(policies),
        physical_bytes=source.physical_bytes(),
        found=whole,
        largest=largest.figures(),
        sample=taken,
    )


def chosen_threads(source: Source, sizes: dict[str, int], thread: str | None) -> list[str]:
    """All threads, or the one that is asked for.

    Raises DeltabenchError when it does not exist or there is none.
    """
    if thread is None:
        if not sizes:
            raise DeltabenchError(f"{source.name} holds no thread")
        return list(sizes)
    if thread not in sizes:
        raise DeltabenchError(
            f"{source.name} has no thread {thread!r}",
            hint="without --thread the largest ones are listed",
        )
    return [thread]


def _batches(threads: Sequence[str], sizes: dict[str, int]) -> Iterator[list[str]]:
    batch: list[str] = []
    checkpoints = 0
    for thread in threads:
        batch.append(thread)
        checkpoints += sizes[thread]
        if checkpoints >= _CHECKPOINTS_AT_ONCE or len(batch) >= _THREADS_AT_ONCE:
            yield batch
            batch, checkpoints = [], 0
    if batch:
        yield batch


def _threads(
    source: Source, threads: Sequence[str], asked: Asked, deriver: Deriver, suspects: Suspects
) -> Iterator[tuple[str, Sums, _Thread]]:
    for name, groups in groupby(source.groups(threads), lambda group: group.thread):
        found, figures = Sums(), _Thread()
        for group in groups:
            tracks = deriver.tracks(group, source)
            suspects.look(tracks, source)
            count_unnamed(tracks, source)
            sums = count(tracks, asked)
            figures.add(tracks, sums)
            found.add(sums)
        yield name, found, figures


class _Thread:
    """What is kept of a thread to list it among the largest."""

    def __init__(self) -> None:
        self.size_bytes = self.checkpoints = self.replayed = 0
        self.newest_bytes = self.mean_bytes = 0.0
        self._most = -1
        self._stored: set[str] = set()

    def add(self, tracks: Tracks, sums: Sums) -> None:
        """Add one namespace; the growth is that of the namespace with most checkpoints."""
        self.size_bytes += tracks.total_bytes
        self.checkpoints += len(tracks.ids)
        sizes = tracks.checkpoint_bytes
        if sizes and len(sizes) > self._most:
            self._most = len(sizes)
            newest = sizes[-max(1, len(sizes) // 10) :]
            self.newest_bytes = sum(newest) / len(newest)
            self.mean_bytes = sum(sizes) / len(sizes)
        for key in sums.sums:
            if key[0] == "change" and key[1] is Standing.GROWS:
                self._stored.add("full")
        for track in tracks.channels.values():
            if track.is_counted or track.snapshot_rows:
                self._stored.add("delta")
                if track.full_rows:
                    self._stored.add("full")
                self.replayed = max(self.replayed, track.updates_since_stored)

    @property
    def stored_as(self) -> str:
        """`full`, `delta` or `mixed`; `-` if no channel accumulates."""
        return "mixed" if len(self._stored) > 1 else next(iter(self._stored), "-")


class _Largest:
    """The threads that hold most bytes, at most `top` of them."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._heap: list[tuple[int, str, ThreadFigures]] = []

    def add(self, name: str, thread: _Thread) -> None:
        """Keep a thread if it is large enough."""
        if not self._top:
            return
        figures = ThreadFigures(
            thread=name,
            size_bytes=thread.size_bytes,
            checkpoints=thread.checkpoints,
            mean_bytes=thread.mean_bytes,
            newest_bytes=thread.newest_bytes,
            stored_as=thread.stored_as,
            replayed_updates=thread.replayed,
        )
        entry = (thread.size_bytes, name, figures)
        if len(self._heap) < self._top:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def figures(self) -> tuple[ThreadFigures, ...]:
        """The largest first."""
        return tuple(figures for _, _, figures in sorted(self._heap, reverse=True))
