"""Splits a checkpoint as `SqliteSaver` stores it, values inline, into sizes by channel.

Most values of a row are those of the row before: their channel has the same version. The
versions stand behind the values, so they are looked up from the end, and a value whose
version is known is passed over in one step. The steps must meet the place where the
versions begin to the byte; otherwise the row is walked in full.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import ormsgpack

from deltabench.checkpointers.msgpack_spans import VALUES_KEY, skip
from deltabench.inspect.rows import Stored
from deltabench.inspect.spans import DELTA_SNAPSHOT, Shape, head, text

_VERSIONS_KEY = b"\xb0channel_versions"
_UPDATED_KEY = b"\xb0updated_channels"
_MAP = 0x80  # of up to 15 pairs

Known = dict[str, tuple[str, Stored]]  # channel -> version and size of the value seen last


class Parts(NamedTuple):
    """What one serialized checkpoint consists of."""

    values: dict[str, Stored]
    versions: dict[str, str]
    updated: list[str] | None


class DamagedValueError(ValueError):
    """The data ends or makes no sense inside the value of `channel`."""

    def __init__(self, channel: str) -> None:
        super().__init__(channel)
        self.channel = channel


def split(data: bytes, known: Known) -> Parts:
    """Sizes of the values, and the versions; `known` is used and brought up to date.

    Raises DamagedValueError, or ValueError when there is no checkpoint in the data.
    """
    parts = _quick(data, known) or _thorough(data)
    for channel, stored in parts.values.items():
        known[channel] = (parts.versions.get(channel, ""), stored)
    return parts


def _quick(data: bytes, known: Known) -> Parts | None:
    tail = data.rfind(_VERSIONS_KEY)
    if tail < 0:
        return None
    try:
        _, count, at, _ = head(data, 0)
        for passed in range(1, count):
            value = skip(data, at)
            if data[at:value] == VALUES_KEY:
                versions, updated = _tail(data[tail:], count - passed)
                values, end = _values(data, value, versions, known)
                return Parts(values, versions, updated) if end == tail else None
            at = skip(data, value)
    except ValueError:
        pass
    return None


def _thorough(data: bytes) -> Parts:
    values: dict[str, Stored] = {}
    rest: list[bytes] = []
    shape, count, at, _ = head(data, 0)
    if shape is not Shape.MAP:
        raise ValueError("no checkpoint")
    for _ in range(count):
        value = skip(data, at)
        if data[at:value] == VALUES_KEY:
            values, at = _values(data, value, {}, {})
            continue
        end = skip(data, value)
        if data[at:value] in {_VERSIONS_KEY, _UPDATED_KEY}:
            rest.append(data[at:end])
        at = end
    versions, updated = _tail(b"".join(rest), len(rest))
    return Parts(values, versions, updated)


def _tail(data: bytes, count: int) -> tuple[dict[str, str], list[str] | None]:
    """Versions and updated channels out of `count` pairs, which are texts and numbers.

    An extension that stands among them becomes None: it is not even looked into.
    """
    decoded: Any = ormsgpack.unpackb(
        bytes([_MAP | count]) + data, ext_hook=_nothing, option=ormsgpack.OPT_NON_STR_KEYS
    )
    versions, updated = decoded.get("channel_versions"), decoded.get("updated_channels")
    return (
        {str(name): str(version) for name, version in versions.items()}
        if isinstance(versions, dict)
        else {},
        [name for name in updated if isinstance(name, str)] if isinstance(updated, list) else None,
    )


def _nothing(_code: int, _data: bytes) -> None:
    return None


def _values(
    data: bytes, at: int, versions: dict[str, str], known: Known
) -> tuple[dict[str, Stored], int]:
    shape, count, at, _ = head(data, at)
    if shape is not Shape.MAP:
        raise ValueError("no channel values")
    values = {}
    for _ in range(count):
        channel, at = text(data, at)
        before = known.get(channel)
        if before and before[0] and before[0] == versions.get(channel):
            values[channel] = before[1]
            at += before[1].size_bytes
            continue
        try:
            code, end = head(data, at)[3], skip(data, at)
        except ValueError:
            raise DamagedValueError(channel) from None
        values[channel] = Stored(end - at, is_snapshot=code == DELTA_SNAPSHOT)
        at = end
    return values, at
