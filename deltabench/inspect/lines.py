"""What an inspection says to people: 80 columns, the answer to each question in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.inspect.sums import UNREACHABLE
from deltabench.inspect.tables import table
from deltabench.inspect.what_if_lines import what_if_lines
from deltabench.inspect.words import ESTIMATED, bytes_words, count_words
from deltabench.report.units import format_bytes, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.inspect.found import Inspection

_KINDS = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
_MOST_CHANNELS = 12
_MOST_NAMESPACES = 12
MOST_PROBLEMS = 20
PARTS = {
    "whole values": "whole values",
    "snapshots": "snapshots of delta channels",
    "deltas": "deltas: writes of delta channels",
    "floor": "floor: other writes, rows, keys",
}
_ROOT = "(root)"
_ID_CHARS = 20  # of a thread; a longer one has a line of its own


def inspection_lines(found: Inspection) -> list[str]:
    """All tables, blocks apart by an empty line."""
    blocks = [
        _heading(found),
        _tables(found),
        _parts(found),
        _channels(found),
        _namespaces(found),
        _threads(found),
        _unreachable(found),
        what_if_lines(found),
        _problems(found),
    ]
    lines: list[str] = []
    for block in blocks:
        made = list(block)
        if made:
            lines += [*([""] if lines else []), *made]
    return lines


def _heading(found: Inspection) -> Iterator[str]:
    checkpoints = found.figure(
        lambda sums: sum(
            v for k, v in sums.items() if k[0] == "namespace" and k[2] == "checkpoints"
        )
    )
    noun = "thread" if found.threads == 1 else "threads"
    total = bytes_words(found.summed("total"))
    yield f"{found.name}: {_KINDS[found.kind]}, {found.threads:,} {noun}, {total}"
    yield f"  {count_words(checkpoints)} checkpoints; logical bytes, as langgraph wrote them"
    physical = {
        name.removesuffix("_bytes").replace("_", " "): format_bytes(size)
        for name, size in found.physical_bytes.items()
    }
    if physical:
        yield "  on disk: " + ", ".join(f"{name} {size}" for name, size in physical.items())
    if found.sample is not None:
        yield (
            f"  {ESTIMATED} estimated from {found.threads_read:,} of {found.threads:,} threads"
            " drawn at random; +- is half"
        )
        yield "  of a 95 % interval. A thread that was not drawn may be larger than all listed."


def _tables(found: Inspection) -> Iterator[str]:
    rows = [
        (
            name,
            count_words(found.summed("table", name, "rows")),
            bytes_words(found.summed("table", name, "bytes")),
        )
        for name in found.names("table", 1)
    ]
    yield from table(("By table", "rows", "bytes"), rows)


def _parts(found: Inspection) -> Iterator[str]:
    rows = [(words, bytes_words(found.summed("kind", part))) for part, words in PARTS.items()]
    yield from table(("By kind", "bytes"), rows)


def _channels(found: Inspection) -> Iterator[str]:
    rows = []
    for channel in found.channels():
        key = ("channel", *channel)
        parts = [
            found.summed(*key, what) for what in ("value_bytes", "snapshot_bytes", "write_bytes")
        ]
        row = (
            channel_words(channel),
            found.stored_as(channel),
            *(bytes_words(part) for part in parts),
            format_bytes(found.found.tops.get(("largest", *channel), 0)),
        )
        rows.append((sum(part.value for part in parts), row))
    rows.sort(key=lambda entry: -entry[0])
    title = ("By channel", "stored", "whole values", "snapshots", "writes", "largest")
    yield from table(title, [row for _, row in rows[:_MOST_CHANNELS]])
    if len(rows) > _MOST_CHANNELS:
        rest = sum(size for size, _ in rows[_MOST_CHANNELS:])
        yield f"  and {len(rows) - _MOST_CHANNELS} more with {format_bytes(rest)} (--json has all)"


def _namespaces(found: Inspection) -> Iterator[str]:
    names = found.names("namespace", 1)
    if len(names) < 2:  # noqa: PLR2004 - one says nothing
        return
    rows = []
    for name in names:
        parts = [found.summed("namespace", name, w) for w in ("calls", "checkpoints", "bytes")]
        calls, checkpoints, size = parts
        words = (count_words(calls), count_words(checkpoints), bytes_words(size))
        rows.append((size.value, (plain(name) or _ROOT, *words)))
    rows.sort(key=lambda entry: -entry[0])
    title = ("By namespace", "threads or calls", "checkpoints", "bytes")
    yield from table(title, [row for _, row in rows[:_MOST_NAMESPACES]])
    if len(rows) > _MOST_NAMESPACES:
        yield f"  and {len(rows) - _MOST_NAMESPACES} more (--json has all)"


def _threads(found: Inspection) -> Iterator[str]:
    if not found.largest:
        return
    rows = [
        (
            plain(thread.thread),
            thread.stored_as,
            f"{thread.checkpoints:,}",
            format_bytes(thread.size_bytes),
            format_bytes(thread.mean_bytes),
            format_bytes(thread.newest_bytes),
            f"{thread.replayed_updates:,}",
        )
        for thread in found.largest
    ]
    title = ("Largest threads", "stored", "checkpoints", "bytes", "each", "newest", "replay")
    heading, *lines = table(title, [("" if len(r[0]) > _ID_CHARS else r[0], *r[1:]) for r in rows])
    yield heading
    for (name, *_), line in zip(rows, lines, strict=True):
        if len(name) > _ID_CHARS:  # whole, as --thread needs it
            yield f"  {name}"
        yield line
    yield "  each: bytes a checkpoint adds, without writes; newest: in the last tenth;"
    yield "  replay: updates to merge when resuming now"


def _unreachable(found: Inspection) -> Iterator[str]:
    rows = [
        (what, count_words(rows), bytes_words(found.summed("unreachable", what, "bytes")), why)
        for what, why in UNREACHABLE.items()
        if (rows := found.summed("unreachable", what, "rows")).value
    ]
    if not rows:
        yield "Nothing that is out of reach: no row without its checkpoint, no branch aside."
        return
    yield from table(("Out of reach", "rows", "bytes"), [row[:3] for row in rows])
    yield from (f"  {what}: {why}" for what, _, _, why in rows)


def _problems(found: Inspection) -> Iterator[str]:
    problems = found.found.problems
    yield from (f"note: {plain(problem)}" for problem in problems[:MOST_PROBLEMS])
    if len(problems) > MOST_PROBLEMS:
        yield f"note: and {len(problems) - MOST_PROBLEMS} more such values"


def channel_words(channel: tuple[str, str]) -> str:
    """A channel, with its namespace unless that is the root."""
    namespace, name = channel
    return plain(f"{namespace} {name}" if namespace else name)
