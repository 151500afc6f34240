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
_SEEN_KEY = b"\xadversions_seen"
_UPDATED_KEY = b"\xb0updated_channels"
_MAP = 0x80  # of up to 15 pairs
_BEFORE_VALUES = 200
_SHORT_TEXTS = range(0xA0, 0xC0)

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


class Splitter:
    """Splits the checkpoints of one namespace, one after the other."""

    def __init__(self) -> None:
        self._known: Known = {}
        self._start, self._before = -1, 0  # where the values begin, and the pairs before them

    def split(self, data: bytes) -> Parts:
        """Sizes of the values, and the versions.

        Raises DamagedValueError, or ValueError when there is no checkpoint in the data.
        """
        try:
            return self._quick(data) or _thorough(data, self._known)
        except ValueError:
            self._known.clear()
            raise

    def _quick(self, data: bytes) -> Parts | None:
        tail = data.rfind(_VERSIONS_KEY)
        # Before the values stand a version, a time and an id, in few bytes and mostly as many.
        start = data.find(VALUES_KEY, 0, _BEFORE_VALUES)
        if start < 0 or tail < start or data[0] & 0xF0 != _MAP:
            return None
        try:
            if start != self._start:
                before = _pairs_to(data, start)
                if before is None:
                    return None
                self._start, self._before = start, before
            after = (data[0] & 0x0F) - self._before - 1
            versions, updated = _short_tail(data, tail) or _tail(data[tail:], after)
            values, end = _values(data, start + len(VALUES_KEY), versions, self._known)
        except ValueError:
            return None
        return Parts(values, versions, updated) if end == tail else None


def _pairs_to(data: bytes, end: int) -> int | None:
    """How many pairs of the checkpoint stand before `end`; None if it is inside of one."""
    at, count = 1, 0
    while at < end:
        at = skip(data, skip(data, at))
        count += 1
    return count if at == end else None


def _thorough(data: bytes, known: Known) -> Parts:
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
    known.update({name: (versions.get(name, ""), value) for name, value in values.items()})
    return Parts(values, versions, updated)


def _short_tail(data: bytes, tail: int) -> tuple[dict[str, str], list[str] | None] | None:
    """Read versions and updated channels, but not the versions that nodes have seen.

    These stand in between and are longer than both. None where that is not so.
    """
    seen = data.find(_SEEN_KEY, tail)
    last = data.rfind(_UPDATED_KEY)
    if not tail < seen < last:
        return None
    try:
        return _tail(data[tail:seen] + data[last:], 2)
    except ValueError:
        return None


def _tail(data: bytes, count: int) -> tuple[dict[str, str], list[str] | None]:
    """Versions and updated channels out of `count` pairs, which are texts and numbers.

    An extension that stands among them becomes None: it is not even looked into.
    """
    decoded: Any = ormsgpack.unpackb(
        bytes([_MAP | count]) + data, ext_hook=_nothing, option=ormsgpack.OPT_NON_STR_KEYS
    )
    versions, updated = decoded.get("channel_versions"), decoded.get("updated_channels")
    if not isinstance(versions, dict):
        versions = {}
    return (
        dict(zip(map(str, versions), map(str, versions.values()), strict=True)),
        updated if isinstance(updated, list) else None,
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
        first = data[at] if at < len(data) else 0
        if first in _SHORT_TEXTS:
            end = at + 1 + (first & 0x1F)
            channel, at = data[at + 1 : end].decode(), end
        else:
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
        stored = values[channel] = Stored(end - at, is_snapshot=code == DELTA_SNAPSHOT)
        known[channel] = (versions.get(channel, ""), stored)
        at = end
    return values, at
