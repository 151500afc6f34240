"""The adding up that every backend shares, so that their figures mean the same."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from deltabench.cells import ChannelBytes, LargestValue, StoredBytes

# The task that called a subgraph: a new random id at every call.
_TASK_ID = re.compile(r":[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(slots=True)
class _Channel:
    """Running sums of one channel in one namespace."""

    value_rows: int = 0
    value_bytes: int = 0
    write_rows: int = 0
    write_bytes: int = 0
    largest_bytes: int = 0


@dataclass(slots=True)
class Tally:
    """Sums rows and bytes; what is a value, a write or a key is for the backend to say.

    A row without a value (type tag `empty`) brings key bytes only. The largest stored
    value is looked for among values and writes alike, since a store refuses either.
    All calls of one subgraph count as one namespace, named without the ids of its tasks.
    """

    checkpoint_rows: int = 0
    row_bytes: int = 0
    key_bytes: int = 0
    _channels: defaultdict[tuple[str, str], _Channel] = field(
        default_factory=lambda: defaultdict(_Channel)
    )

    def add_checkpoints(self, *, rows: int, size_bytes: int, key_bytes: int) -> None:
        """Add checkpoint rows: what they hold besides channel values, and their keys."""
        self.checkpoint_rows += rows
        self.row_bytes += size_bytes
        self.key_bytes += key_bytes

    def add_values(
        self, namespace: str, channel: str, *, rows: int, size_bytes: int, largest_bytes: int
    ) -> None:
        """Add `rows` whole values of one channel, `size_bytes` together."""
        sums = self._channels[collapsed(namespace), channel]
        sums.value_rows += rows
        sums.value_bytes += size_bytes
        sums.largest_bytes = max(sums.largest_bytes, largest_bytes)

    def add_writes(
        self, namespace: str, channel: str, *, rows: int, size_bytes: int, largest_bytes: int
    ) -> None:
        """Add `rows` pending writes of one channel, `size_bytes` together."""
        sums = self._channels[collapsed(namespace), channel]
        sums.write_rows += rows
        sums.write_bytes += size_bytes
        sums.largest_bytes = max(sums.largest_bytes, largest_bytes)

    def add_keys(self, key_bytes: int) -> None:
        """Add the text that identifies rows of values or writes."""
        self.key_bytes += key_bytes

    def stored(self, turn: int) -> StoredBytes:
        """Give the sums as they stand, with channels in the order of their names."""
        named = sorted(self._channels.items())
        channels = tuple(
            ChannelBytes(
                namespace=namespace,
                channel=channel,
                value_rows=sums.value_rows,
                value_bytes=sums.value_bytes,
                write_rows=sums.write_rows,
                write_bytes=sums.write_bytes,
            )
            for (namespace, channel), sums in named
        )
        largest = max(named, key=lambda entry: entry[1].largest_bytes, default=None)
        return StoredBytes(
            turn=turn,
            checkpoint_rows=self.checkpoint_rows,
            value_rows=sum(c.value_rows for c in channels),
            write_rows=sum(c.write_rows for c in channels),
            value_bytes=sum(c.value_bytes for c in channels),
            write_bytes=sum(c.write_bytes for c in channels),
            row_bytes=self.row_bytes,
            key_bytes=self.key_bytes,
            channels=channels,
            largest_value=None
            if largest is None
            else LargestValue(channel=largest[0][1], size_bytes=largest[1].largest_bytes),
        )


def collapsed(namespace: str) -> str:
    """Name a namespace without the ids of its tasks: all calls of one subgraph are one."""
    return _TASK_ID.sub("", namespace)


def text_bytes(*texts: object) -> int:
    """UTF-8 length of key texts together; None, as in a missing parent, has no length."""
    return len("".join([str(text) for text in texts if text is not None]).encode())
