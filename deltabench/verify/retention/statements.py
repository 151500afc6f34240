"""The plan as SQL that somebody may run: explicit rows, so that newer ones are not touched."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from deltabench.inspect.rows import Kind
    from deltabench.verify.retention.plan import NamespacePlan

Row = TypeVar("Row")
_ROWS_AT_ONCE = 200
_WRITES = {"sqlite": "writes", "postgres": "checkpoint_writes"}


def statements(plans: Iterable[NamespacePlan], kind: Kind) -> Iterator[str]:
    """Yield a transaction for each thread; nothing for a thread that needs all it has."""
    by_thread: dict[str, list[str]] = defaultdict(list)
    for plan in plans:
        by_thread[plan.thread] += _of_namespace(plan, kind)
    for thread, lines in by_thread.items():
        if lines:
            yield f"-- thread {_comment(thread)}"
            yield "BEGIN;"
            yield from lines
            yield "COMMIT;"


def _of_namespace(plan: NamespacePlan, kind: Kind) -> Iterator[str]:
    place = f"thread_id = {_text(plan.thread)} AND checkpoint_ns = {_text(plan.namespace)}"
    of_links: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for checkpoint_id, channels in plan.writes.items():
        of_links[tuple(channels)].append(checkpoint_id)
    for names, ids in of_links.items():
        for some in _batches(ids, _ROWS_AT_ONCE):
            yield (
                f"DELETE FROM {_WRITES[kind]} WHERE {place} AND channel IN ({_texts(names)})"
                f" AND checkpoint_id IN ({_texts(some)});"
            )
    for some in _batches(plan.checkpoints, _ROWS_AT_ONCE):
        for table in (_WRITES[kind], "checkpoints"):
            yield f"DELETE FROM {table} WHERE {place} AND checkpoint_id IN ({_texts(some)});"
    for pairs in _batches(plan.blobs, _ROWS_AT_ONCE):
        listed = ", ".join(f"({_text(channel)}, {_text(version)})" for channel, version in pairs)
        yield f"DELETE FROM checkpoint_blobs WHERE {place} AND (channel, version) IN ({listed});"


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    """As `itertools.batched`, which Python 3.11 does not have."""
    left = iter(rows)
    while some := list(islice(left, size)):
        yield some


def _texts(values: Iterable[str]) -> str:
    return ", ".join(map(_text, values))


def _text(value: str) -> str:
    """A literal of both dialects: with standard strings only the quote is special."""
    return "'" + value.replace("'", "''") + "'"


def _comment(text: str) -> str:
    return " ".join(text.split()) or "''"
