"""Reads the structure of msgpack data: what kind of object stands where, and how long it is.

Nothing is decoded into objects. An extension may describe any class of any module: here
it is a number and a span of bytes, so nothing that a row says can be imported or called.
"""

from __future__ import annotations

from enum import Enum

from deltabench.checkpointers.msgpack_spans import skip
from deltabench.model.formats import snapshot_bytes

DELTA_SNAPSHOT = 7  # langgraph's extension code of a snapshot
NIL = 0xC0

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


# The shape of an object, its number of items or bytes, where these begin, and the code of
# an extension. A plain tuple: one is made for nearly every object that is looked at.
Head = tuple[Shape, int, int, int]


def _heads() -> list[tuple[Shape, int, int]]:
    """By first byte: the shape, the width of the size that follows, or else the size itself."""
    heads = [(Shape.OTHER, 0, 0)] * 256
    for size in range(16):
        heads[0x80 + size], heads[0x90 + size] = (Shape.MAP, 0, size), (Shape.ARRAY, 0, size)
    for size in range(32):
        heads[0xA0 + size] = (Shape.TEXT, 0, size)
    for first, size in _FIXED_EXTENSIONS.items():
        heads[first] = (Shape.EXTENSION, 0, size)
    for shape, widths in (
        (Shape.TEXT, {0xD9: 1, 0xDA: 2, 0xDB: 4}),
        (Shape.ARRAY, {0xDC: 2, 0xDD: 4}),
        (Shape.MAP, {0xDE: 2, 0xDF: 4}),
        (Shape.EXTENSION, {0xC7: 1, 0xC8: 2, 0xC9: 4}),
    ):
        for first, width in widths.items():
            heads[first] = (shape, width, 0)
    return heads


_HEADS = _heads()


def head(data: bytes, position: int) -> Head:
    """Read the head of the object at `position`; ValueError if `data` ends in it."""
    try:
        shape, width, size = _HEADS[data[position]]
        start = position + 1 + width
        if width:
            size = int.from_bytes(data[position + 1 : start], "big")
        if shape is Shape.EXTENSION:
            return shape, size, start + 1, data[start]
    except IndexError:
        raise ValueError("msgpack data is cut off") from None
    if start > len(data):
        raise ValueError("msgpack data is cut off")
    return shape, size, start, 0


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
