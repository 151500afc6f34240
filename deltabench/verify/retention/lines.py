"""What `verify --retention` says to people."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from deltabench.inspect.tables import WIDTH, table
from deltabench.report.units import format_bytes, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.verify.retention.summary import ThreadPlan

MOST_THREADS = 20
MOST_NOTES = 20
_TABLES = ("checkpoints", "writes", "blobs")


def retention_lines(name: str, keep: int, threads: Sequence[ThreadPlan]) -> list[str]:
    """The threads from which most may go, and what is wrong with any."""
    noun = "thread" if len(threads) == 1 else "threads"
    newest = "the newest checkpoint" if keep == 1 else f"the newest {keep:,} checkpoints"
    lines = [
        f"{name}: {len(threads):,} {noun}; {newest} of each namespace to be kept",
        "",
        *_threads(threads),
    ]
    if len(threads) == 1:
        lines += ["", *_tables(threads[0])]
    notes = [note for thread in threads for note in _notes(thread)]
    lines += [""] if notes else []
    lines += [line for note in notes[:MOST_NOTES] for line in _wrapped(note)]
    if len(notes) > MOST_NOTES:
        lines.append(f"and {len(notes) - MOST_NOTES:,} more such threads (--json has all)")
    return [*lines, "", *_wrapped(_verdict(threads))]


def _threads(threads: Sequence[ThreadPlan]) -> Iterator[str]:
    largest = sorted(threads, key=lambda thread: (-thread.goes_bytes, thread.thread))
    rows = [
        (
            plain(each.thread),
            f"{each.checkpoints:,}",
            f"{each.kept:,}",
            f"{each.links:,}",
            f"{each.goes_rows:,}",
            format_bytes(each.goes_bytes) if not each.problems else "?",
            format_bytes(each.stays_bytes) if not each.problems else "?",
        )
        for each in largest[:MOST_THREADS]
    ]
    title = ("Thread", "checkpoints", "kept", "links", "rows may go", "bytes", "stays")
    yield from table(title, rows)
    if len(threads) > MOST_THREADS:
        rest = sum(each.goes_bytes for each in largest[MOST_THREADS:])
        yield f"  and {len(threads) - MOST_THREADS:,} more with {format_bytes(rest)} that may go"


def _tables(thread: ThreadPlan) -> Iterator[str]:
    rows = []
    for name in _TABLES:
        stays, goes = thread.stays.get(name), thread.goes.get(name)
        if stays or goes:
            cells = (
                cell
                for part in (stays, goes)
                for cell in ((f"{part.rows:,}", format_bytes(part.size_bytes)) if part else "--")
            )
            rows.append((name, *cells))
    yield from table(("Rows", "stay", "bytes", "may go", "bytes"), rows)


def _notes(thread: ThreadPlan) -> Iterator[str]:
    name = plain(thread.thread)
    if thread.problems:
        yield f"{name}: {thread.problems[0]}; nothing is said of what may go"
    elif thread.broken:
        channels = ", ".join(map(plain, thread.broken))
        yield (
            f"{name}: the chain of {channels} is broken: a checkpoint is missing that the newest "
            "ones are rebuilt from, and they are read without what it held"
        )


def _verdict(threads: Sequence[ThreadPlan]) -> str:
    """What the common job would do, which is why anybody asks."""
    lost = [thread for thread in threads if thread.lost_by_newest]
    if not lost:
        return "Keeping only the rows of the newest checkpoints would lose nothing here."
    channels = ", ".join(
        plain(c) for c in sorted({n for each in lost for n in each.lost_by_newest})
    )
    count = f"{len(lost):,} of {len(threads):,} threads"
    return (
        f"Keeping only the rows of the newest checkpoints would lose values of {channels} in "
        f"{count}. Links stay for that reason; read by themselves they are no longer whole. "
        "--sql prints statements that delete what may go."
    )


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, break_long_words=False)
