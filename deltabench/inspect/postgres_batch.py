"""Takes apart what PostgreSQL answers about a batch of threads, into namespaces by columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from deltabench.inspect.rows import BlobColumns, Columns, Group, Steps, WriteSums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

_Place = tuple[str, str]  # thread and namespace
_INLINE = 7  # its column, after the place
_MOST_COLUMNS = 40  # of versions; more are walked row by row
_NO_VALUE = ("branch:", "__no_writes__")  # channels that are written and never hold anything


class Batch:
    """What is stored beside the checkpoints, until these are known."""

    def __init__(self, blobs: Iterable[Any], writes: Iterable[Any]) -> None:
        self._groups: dict[_Place, Group] = {}
        self._blobs: dict[_Place, dict[str, BlobColumns]] = {}
        self._steps: dict[_Place, dict[str, Steps]] = {}
        for thread, namespace, channel, *blob in blobs:
            found = self._blobs.setdefault((thread, namespace), {})
            found[channel] = _joined(found.get(channel), blob)
            self._group(thread, namespace)
        for thread, namespace, channel, *row in writes:
            rows, size, key, largest, checkpoints, sizes, are_msgpack = row
            steps = Steps(_longs(checkpoints), _ints(sizes), bool(are_msgpack))
            self._steps.setdefault((thread, namespace), {})[channel] = steps
            group = self._group(thread, namespace)
            group.writes[channel] = WriteSums(rows, int(size), int(key), largest)

    def channels(self) -> list[str]:
        """Channels whose versions are to be asked for: all that are stored or were written."""
        found = {name for blobs in self._blobs.values() for name in blobs}
        for steps in self._steps.values():
            found.update(name for name in steps if not name.startswith(_NO_VALUE))
        return sorted(found) if len(found) <= _MOST_COLUMNS else []

    def groups(
        self, checkpoints: Iterable[Any], inline: Callable[[list[str]], Iterable[Any]]
    ) -> Iterator[tuple[_Place, Group]]:
        """Give the namespaces, thread by thread, each only once.

        `inline` asks for the sums of values in the checkpoints of threads that have some.
        """
        channels = self.channels()
        rows = {(row[0], row[1]): row[2:] for row in checkpoints}
        valued = {place for place, row in rows.items() if f"\n{row[_INLINE]}".find("\n!") >= 0}
        values: dict[_Place, dict[str, WriteSums]] = {place: {} for place in valued}
        if valued:
            for thread, namespace, channel, count, size, largest in inline(
                sorted({thread for thread, _ in valued})
            ):
                sums = WriteSums(count, int(size), 0, largest)
                values.setdefault((thread, namespace), {})[channel] = sums
        for place in sorted(self._groups.keys() | rows.keys()):
            group = self._group(*place)
            blobs, steps = self._blobs.pop(place, {}), self._steps.get(place, {})
            if place in rows:
                group.columns = _columns(
                    channels, rows.pop(place), blobs, steps, values.pop(place, None)
                )
            yield place, group
            del self._groups[place]
            self._steps.pop(place, None)

    def loses_writes(self, group: Group) -> bool:
        """Whether writes are stored whose checkpoint is not."""
        steps = self._steps.get((group.thread, group.namespace), {})
        if group.columns is None:
            return bool(steps)  # some may be
        known = np.sort(group.columns.hashes)
        return not all(_are_in(known, found.checkpoints) for found in steps.values())

    def _group(self, thread: str, namespace: str) -> Group:
        return self._groups.setdefault((thread, namespace), Group(thread, namespace))


def _joined(before: BlobColumns | None, row: list[Any]) -> BlobColumns:
    """Add the values of one type to those of others of the same channel."""
    is_empty, count, versions, sizes, version_bytes, key_bytes = row
    found = BlobColumns(
        versions=_longs(versions),
        version_bytes=_ints(version_bytes),
        sizes=_ints(sizes),
        key_bytes=_ints(version_bytes) + key_bytes,
        are_empty=np.full(count, is_empty),
    )
    if before is None:
        return found
    return BlobColumns(*(np.concatenate(pair) for pair in zip(before, found, strict=True)))


def _columns(
    channels: list[str],
    row: Any,
    blobs: dict[str, BlobColumns],
    steps: dict[str, Steps],
    values: dict[str, WriteSums] | None,
) -> Columns | None:
    """None where a text of the database has a line break itself."""
    (
        count, key_bytes, ids, hashes, parents, all_bytes, updated, inline, counters, *versions,
    ) = row  # fmt: skip
    texts = [text.split("\n") for text in (ids, updated, inline)]
    if any(len(lines) != count for lines in texts):
        return None
    return Columns(
        ids=texts[0],
        hashes=_longs(hashes),
        parents=_longs(parents),
        all_bytes=_ints(all_bytes),
        key_bytes=int(key_bytes),
        updated=texts[1],
        inline=texts[2],
        values=values,
        counters=counters,
        versions={name: _longs(v) for name, v in zip(channels, versions, strict=True)},
        blobs=blobs,
        steps=steps,
    )


def _are_in(known: NDArray[np.int64], hashes: NDArray[np.int64]) -> bool:
    places = np.searchsorted(known, hashes)
    places[places == len(known)] = 0
    return bool((known[places] == hashes).all())


def _longs(data: bytes) -> NDArray[np.int64]:
    return np.frombuffer(data, dtype=">i8").astype(np.int64)


def _ints(data: bytes) -> NDArray[np.int64]:
    return np.frombuffer(data, dtype=">i4").astype(np.int64)
