"""Counting what an unknown checkpointer stores, at the serializer it uses.

Its store cannot be looked into, so every `dumps_typed` that happens inside `put` or
`put_writes` counts as stored, replacing what had the same key. A value is recognized by
being the very object that was handed in. Bytes that a saver makes without its serializer
(often metadata) are not seen, nor are rows without a value.

Keys are those that any store needs: for a checkpoint thread, namespace, checkpoint and
parent id; for a value thread, namespace, channel, version; for a write thread, namespace,
checkpoint id, task id, task path, channel; and the type tag of each dump.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deltabench.checkpointers.msgpack_spans import channel_sizes
from deltabench.checkpointers.tally import Tally, text_bytes
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from deltabench.cells import StoredBytes

# Stands for the channel where a checkpoint with its values is no msgpack (encrypted, JSON).
UNSPLIT = "(all channels)"


@dataclass(slots=True)
class _Row:
    """A stored checkpoint: what is not a value, the values inline in it, and its keys."""

    namespace: str
    key_bytes: int
    rest_bytes: int = 0
    inline: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Put:
    """One call under way: the objects still to be recognized, and what they belong to."""

    waiting: list[tuple[Any, tuple[Any, ...]]]
    row: _Row | None = None


class DumpLedger:
    """What was dumped, by the key it is stored under."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._local = threading.local()
        self._rows: dict[tuple[str, str, str], _Row] = {}
        # (thread, namespace, channel, version) -> type tag and size.
        self._values: dict[tuple[Any, ...], tuple[str, int]] = {}
        # (thread, namespace, checkpoint, task, index) -> task path, channel, type tag, size.
        self._writes: dict[tuple[Any, ...], tuple[str, str, str, int]] = {}
        self._outside = 0

    def begin_put(self, config: Any, checkpoint: Any, new_versions: Any) -> None:
        """Note that this thread is storing a checkpoint."""
        place = _place(config)
        parent_id = config["configurable"].get("checkpoint_id")
        row = _Row(place[1], text_bytes(*place, checkpoint["id"], parent_id))
        with self._lock:
            self._rows[*place, checkpoint["id"]] = row
        values = checkpoint["channel_values"]
        self._local.put = _Put(
            [(values[c], (*place, c, v)) for c, v in new_versions.items() if c in values], row
        )

    def begin_writes(self, config: Any, writes: Any, task_id: str, task_path: str) -> None:
        """Note that this thread is storing writes."""
        from langgraph.checkpoint.base import WRITES_IDX_MAP

        key = (*_place(config), config["configurable"]["checkpoint_id"], task_id)
        waiting = [
            (value, (*key, WRITES_IDX_MAP.get(channel, index), task_path, channel))
            for index, (channel, value) in enumerate(writes)
        ]
        # Where two writes carry the same object, the one that is stored already comes last:
        # some savers do not serialize it again.
        self._local.put = _Put(sorted(waiting, key=lambda entry: self._is_settled(entry[1])))

    def end(self) -> None:
        """Note that the call of this thread is over."""
        self._local.put = None

    def dumped(self, obj: Any, type_: str, data: bytes) -> None:
        """Attribute one dump to the call that this thread is in."""
        put: _Put | None = getattr(self._local, "put", None)
        with self._lock:
            if put is None:
                self._outside += 1
                return
            key = next((key for value, key in put.waiting if value is obj), None)
            if key is not None:
                put.waiting = [entry for entry in put.waiting if entry[1] != key]
            if put.row is None:
                self._add_write(key, type_, len(data))
            elif key is not None:
                self._values[key] = (type_, len(data))
            else:
                _add_rest(put.row, obj, type_, data)

    def _add_write(self, key: tuple[Any, ...] | None, type_: str, size_bytes: int) -> None:
        if key is None:
            self._outside += 1
            return
        *row, task_path, channel = key
        if not self._is_settled(key):
            self._writes[tuple(row)] = (task_path, channel, type_, size_bytes)

    def _is_settled(self, key: tuple[Any, ...]) -> bool:
        """Tell whether a regular write (index from 0) is there: it stays as it is."""
        *row, _, _ = key
        return row[-1] >= 0 and tuple(row) in self._writes

    def count(self, turn: int) -> StoredBytes:
        """Sum up; DeltabenchError when dumps happened that belong to no known place."""
        with self._lock:
            if self._outside:
                raise DeltabenchError(
                    "this checkpointer serializes outside of put and put_writes, or other objects"
                    " than it was given: its bytes cannot be told apart"
                )
            if any(not row.rest_bytes and not row.inline for row in self._rows.values()):
                raise DeltabenchError(
                    "this checkpointer stores checkpoints without its serializer:"
                    " their bytes cannot be counted"
                )
            return self._tally().stored(turn)

    def _tally(self) -> Tally:
        tally = Tally()
        for row in self._rows.values():
            tally.add_checkpoints(rows=1, size_bytes=row.rest_bytes, key_bytes=row.key_bytes)
            for channel, size in row.inline.items():
                tally.add_values(
                    row.namespace, channel, rows=1, size_bytes=size, largest_bytes=size
                )
        for value_key, (type_, size) in self._values.items():
            _, namespace, channel, _ = value_key
            tally.add_keys(text_bytes(*value_key, type_))
            tally.add_values(namespace, channel, rows=1, size_bytes=size, largest_bytes=size)
        for write_key, (task_path, channel, type_, size) in self._writes.items():
            tally.add_keys(text_bytes(*write_key[:-1], task_path, channel, type_))
            tally.add_writes(write_key[1], channel, rows=1, size_bytes=size, largest_bytes=size)
        return tally


def _add_rest(row: _Row, obj: Any, type_: str, data: bytes) -> None:
    """Add what is no single value: metadata, or a checkpoint with or without its values."""
    inline: dict[str, int] = {}
    if isinstance(obj, dict) and obj.get("channel_values"):
        inline = channel_sizes(data) if type_ == "msgpack" else {UNSPLIT: len(data)}
    row.inline.update(inline)
    row.rest_bytes += len(data) - sum(inline.values())
    row.key_bytes += text_bytes(type_)


def _place(config: Any) -> tuple[str, str]:
    configurable = config["configurable"]
    return str(configurable["thread_id"]), str(configurable.get("checkpoint_ns", ""))
