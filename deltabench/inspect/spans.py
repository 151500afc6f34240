"""Reads the structure of msgpack data: what kind of object stands where, and how long it is.

Nothing is decoded into objects. An extension may describe any class of any module: here
it is a number and a span of bytes, so nothing that a row says can be imported or called.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from deltabench.checkpointers.msgpack_spans import skip
from deltabench.model.formats import snapshot_bytes

DELTA_SNAPSHOT = 7  # langgraph's extension code of a snapshot
NIL = 0xC0
_CUT_OFF = "msgpack data is cut off"

# First byte -> width of the number that follows.
_ARRAYS = {0xDC: 2, 0xDD: 4}
_MAPS = {0xDE: 2, 0xDF: 4}
_TEXTS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_EXTENSIONS = {0xC7: 1, 0xC8: 2, 0xC9: 4}
_FIXED_EXTENSIONS = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_SHORT_COUNT = 16
_TWO_BYTES = 1 << 16


class Shape(Enum):
    """The kinds of objects that are told apart."""

    MAP = "map"
    ARRAY = "list"
    TEXT = "text"
    EXTENSION = "object"
    OTHER = "other"


class Head(NamedTuple):
    """The head of an object: `size` items or bytes, which begin at `start`."""

    shape: Shape
    size: int
    start: int
    code: int = 0


def head(data: bytes, position: int) -> Head:  # noqa: PLR0911 - one return a kind
    """Read the head of the object at `position`; ValueError if `data` ends in it."""
    if position >= len(data):
        raise ValueError(_CUT_OFF)
    first = data[position]
    if 0x80 <= first < 0x90:  # noqa: PLR2004 - the ranges of the format
        return Head(Shape.MAP, first & 0x0F, position + 1)
    if 0x90 <= first < 0xA0:  # noqa: PLR2004
        return Head(Shape.ARRAY, first & 0x0F, position + 1)
    if 0xA0 <= first < 0xC0:  # noqa: PLR2004
        return Head(Shape.TEXT, first & 0x1F, position + 1)
    if first in _FIXED_EXTENSIONS:
        _require(data, position + 2)
        return Head(Shape.EXTENSION, _FIXED_EXTENSIONS[first], position + 2, data[position + 1])
    for shape, widths in ((Shape.MAP, _MAPS), (Shape.ARRAY, _ARRAYS), (Shape.TEXT, _TEXTS)):
        if first in widths:
            start = position + 1 + widths[first]
            _require(data, start)
            return Head(shape, int.from_bytes(data[position + 1 : start], "big"), start)
    if first in _EXTENSIONS:
        end = position + 1 + _EXTENSIONS[first]
        _require(data, end + 1)
        size = int.from_bytes(data[position + 1 : end], "big")
        return Head(Shape.EXTENSION, size, end + 1, data[end])
    return Head(Shape.OTHER, 0, position)


def text(data: bytes, position: int) -> tuple[str, int]:
    """The text at `position` and where it ends; ValueError if there is none."""
    shape, count, start, _ = head(data, position)
    end = start + count
    if shape is not Shape.TEXT or end > len(data):
        raise ValueError("a text is expected")
    return data[start:end].decode(errors="replace"), end


def pairs(data: bytes, position: int) -> list[tuple[int, int, int]]:
    """For a map: where each key begins, its value begins, and its value ends."""
    shape, count, at, _ = head(data, position)
    if shape is not Shape.MAP:
        raise ValueError("a map is expected")
    found = []
    for _ in range(count):
        value = skip(data, at)
        end = skip(data, value)
        found.append((at, value, end))
        at = end
    return found


def head_bytes(count: int) -> int:
    """Bytes of the head of an array or a map of `count` items."""
    if count < _SHORT_COUNT:
        return 1
    return 3 if count < _TWO_BYTES else 5


def unwrapped_bytes(stored_bytes: int) -> int:
    """Bytes of the value inside a snapshot of `stored_bytes`."""
    for wrapping in (2, 3, 4, 6):
        if snapshot_bytes(stored_bytes - wrapping) == stored_bytes:
            return stored_bytes - wrapping
    return stored_bytes


def _require(data: bytes, size: int) -> None:
    if size > len(data):
        raise ValueError(_CUT_OFF)
