"""What a snapshot and its counters take in the rows of each checkpointer, to the byte.

Sizes of msgpack and JSON heads, not of contents: those were measured. The tests hold every
function here against the installed serializers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COUNTERS_KEY = "counters_since_delta_snapshot"
_FORMATS = ("memory", "sqlite", "postgres")
_FIXED_EXTENSIONS = (1, 2, 4, 8, 16)
# Where a msgpack number, text, map or extension gets a longer head.
_INTEGERS = (128, 256, 65_536, 4_294_967_296)
_INTEGER_BYTES = (1, 2, 3, 5, 9)
_SHORT_MAP, _MAP = 15, 65_535
_JSON_SEPARATOR = 2  # ", " between two entries, as ": " between a key and its value


def known_format(checkpointer: str) -> str:
    """The checkpointer's name, if its rows are known to the byte; DeltabenchError if not."""
    if checkpointer not in _FORMATS:
        raise DeltabenchError(
            f"what a snapshot takes in checkpointer {checkpointer} is not known to the byte",
            hint=f"known are {', '.join(_FORMATS)}; sweep without --exact measures any",
        )
    return checkpointer


def snapshot_bytes(value_bytes: int) -> int:
    """A whole value of that size with the frame of a snapshot around it."""
    if value_bytes in _FIXED_EXTENSIONS:
        return value_bytes + 2
    head = 3 if value_bytes < _INTEGERS[1] else 4 if value_bytes < _INTEGERS[2] else 6
    return value_bytes + head


def snapshots_bytes(values_bytes: NDArray[np.int64]) -> int:
    """The same for many values, summed up."""
    import numpy as np

    sizes = np.asarray(values_bytes)
    heads = 3 + (sizes >= _INTEGERS[1]).astype(np.int64) + 2 * (sizes >= _INTEGERS[2])
    heads[np.isin(sizes, _FIXED_EXTENSIONS)] = 2
    return int((sizes + heads).sum())


def row_bytes(checkpointer: str, channels: list[str], entries: int) -> int:
    """What snapshots of these channels add to a checkpoint row besides their values.

    `entries` other values stand in the row already. Nothing in memory, where values are
    rows of their own; the name in sqlite; `"name": true` in postgres.
    """
    if checkpointer == "memory" or not channels:
        return 0
    if checkpointer == "sqlite":
        names = sum(_text_bytes(name) for name in channels)
        return names + _map_bytes(entries + len(channels)) - _map_bytes(entries)
    named = sum(_json_bytes(name) + _JSON_SEPARATOR + len("true") for name in channels)
    return named + _JSON_SEPARATOR * (len(channels) - (not entries))


def counter_bytes(
    checkpointer: str,
    counters: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]],
    entries: NDArray[np.int64],
) -> NDArray[np.int64]:
    """What the counters add to the metadata of each checkpoint; nothing where all are 0.

    `counters` holds, by channel, updates and supersteps since the snapshot after every
    checkpoint, `entries` the number of other entries in its metadata.
    """
    import numpy as np

    text = checkpointer != "memory"
    listed = np.zeros(len(entries), dtype=np.int64)
    total = np.zeros(len(entries), dtype=np.int64)
    for name, (updates, supersteps) in counters.items():
        stands = (updates > 0) | (supersteps > 0)
        listed += stands
        size = _number_bytes(updates, text=text) + _number_bytes(supersteps, text=text)
        # A pair of JSON numbers has brackets and a separator, one of msgpack a head.
        size += _json_bytes(name) + 3 * _JSON_SEPARATOR if text else _text_bytes(name) + 1
        total += np.where(stands, size, 0)
    if text:
        between = _JSON_SEPARATOR * (listed - 1)
        key = _JSON_SEPARATOR + _json_bytes(COUNTERS_KEY) + _JSON_SEPARATOR + len("{}")
        return np.where(listed > 0, total + between + key, 0)
    heads = np.where(listed > _SHORT_MAP, 3, 1)
    more = np.where(entries == _SHORT_MAP, 2, 0)  # one entry more makes the head longer
    return np.where(listed > 0, total + heads + _text_bytes(COUNTERS_KEY) + more, 0)


def _number_bytes(numbers: NDArray[np.int64], *, text: bool) -> NDArray[np.int64]:
    import numpy as np

    if text:
        digits = np.ones(len(numbers), dtype=np.int64)
        limit, largest = 10, numbers.max(initial=0)
        while limit <= largest:  # counters have few digits, so this is quicker than a search
            digits += numbers >= limit
            limit *= 10
        return digits
    return np.array(_INTEGER_BYTES)[np.searchsorted(_INTEGERS, numbers, side="right")]


def _text_bytes(text: str) -> int:
    size = len(text.encode())
    return size + (1 if size < 32 else 2 if size < _INTEGERS[1] else 3)  # noqa: PLR2004 - msgpack


def _map_bytes(entries: int) -> int:
    return 1 if entries <= _SHORT_MAP else 3 if entries <= _MAP else 5


def _json_bytes(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode())
