"""Size of a channel's value as its writes are merged in, without building either.

Two kinds of reducer can be followed from sizes alone: a list to which items are appended
(a message replaces the one with its id, `RemoveMessage` takes it out), and a map into
which keys are merged (None takes a key out). Which reducer a channel has is not in the
database: the shape of its data decides, and every stored snapshot is held against it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import ormsgpack

from deltabench.checkpointers.msgpack_spans import skip
from deltabench.inspect.spans import DELTA_SNAPSHOT, NIL, Shape, head, head_bytes, pairs, text

_ID = b"\xa2id"
_VALUE = b"\xa5value"
_TYPE = b"\xa4type"
_OVERWRITE = b"\xad__overwrite__"
_REMOVE_ALL = b"__remove_all__"
_LARGE_BYTES = 1 << 20
_OBJECT_PARTS = 3  # module, name, fields


class Item(NamedTuple):
    """One item of a list: the bytes of its id, if it is an object that has one."""

    id: bytes | None
    size_bytes: int
    class_name: str


class Growing:
    """A value that is known by the sizes of its parts; ValueError on what cannot be followed."""

    def __init__(self) -> None:
        self._shape: Shape | None = None
        self._parts: dict[bytes, int] = {}
        self._loose_bytes = 0  # items that nothing can replace
        self._loose = 0
        self._sum_bytes = 0

    @property
    def shape(self) -> Shape | None:
        """List or map; None before anything was merged."""
        return self._shape

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole value, serialized."""
        return head_bytes(self._loose + len(self._parts)) + self._loose_bytes + self._sum_bytes

    def copy(self) -> Growing:
        """Give another one that grows by itself."""
        other = Growing()
        other._shape, other._parts = self._shape, dict(self._parts)
        other._loose, other._loose_bytes = self._loose, self._loose_bytes
        other._sum_bytes = self._sum_bytes
        return other

    def start(self, data: bytes) -> None:
        """Begin from a whole value, plain or wrapped as a snapshot."""
        _, _, start, code = head(data, 0)
        if code == DELTA_SNAPSHOT:
            data = data[start:]
        self.__init__()  # type: ignore[misc]
        self._merge(data, 0)

    def merge(self, data: bytes) -> None:
        """Merge one write."""
        inner = _overwritten(data)
        if inner is None:
            self._merge(data, 0)
            return
        shape = self._shape
        self.__init__()  # type: ignore[misc]
        self._shape = shape
        if inner != bytes([NIL]):
            self._merge(inner, 0)

    def _merge(self, data: bytes, at: int) -> None:
        shape, count, start, _ = head(data, at)
        if shape is Shape.ARRAY:
            self._become(Shape.ARRAY)
            for _ in range(count):
                end = skip(data, start)
                self._append(data, start, end)
                start = end
        elif shape is Shape.MAP:
            self._become(Shape.MAP)
            for key, value, end in pairs(data, at):
                self._put(data[key:value], end - key, removes=data[value] == NIL)
        elif shape is Shape.EXTENSION and self._shape is not Shape.MAP:
            self._become(Shape.ARRAY)
            self._append(data, at, skip(data, at))
        else:
            msg = f"a write of another kind ({shape.value})"
            raise ValueError(msg)

    def _append(self, data: bytes, start: int, end: int) -> None:
        item = item_of(data, start, end)
        if item.class_name == "RemoveMessage":
            if item.id == _REMOVE_ALL:
                self.__init__()  # type: ignore[misc]
                self._shape = Shape.ARRAY
            elif item.id is not None:
                self._sum_bytes -= self._parts.pop(item.id, 0)
        elif item.id is None:
            self._loose += 1
            self._loose_bytes += item.size_bytes
        else:
            self._put(item.id, item.size_bytes, removes=False)

    def _put(self, key: bytes, size_bytes: int, *, removes: bool) -> None:
        self._sum_bytes -= self._parts.pop(key, 0)
        if not removes:
            self._parts[key] = size_bytes
            self._sum_bytes += size_bytes

    def _become(self, shape: Shape) -> None:
        if self._shape not in {None, shape}:
            raise ValueError("writes of different kinds")
        self._shape = shape


def item_of(data: bytes, start: int, end: int) -> Item:
    """Identify an item of a list; an object of a class is looked into for its id.

    A small one is read as the texts and numbers that it consists of, which is quicker; a
    large one is walked, so that it is not in memory once more.
    """
    shape, size, inner, _ = head(data, start)
    class_name, id_ = "", None
    if shape is Shape.EXTENSION:
        payload = data[inner : inner + size]
        with suppress(ValueError):  # an object of another kind, which has no id
            class_name, id_ = (_walked if size > _LARGE_BYTES else _read)(payload)
    return Item(id_, end - start, class_name)


def _read(payload: bytes) -> tuple[str, bytes | None]:
    """Class name, and id of a message: of an object that has a type, too."""
    read = ormsgpack.unpackb(payload, ext_hook=_nothing, option=ormsgpack.OPT_NON_STR_KEYS)
    if not isinstance(read, list) or len(read) < _OBJECT_PARTS or not isinstance(read[2], dict):
        raise ValueError("no object of a class")
    id_ = read[2].get("id") if "type" in read[2] else None
    return str(read[1]), id_.encode() if isinstance(id_, str) else None


def _walked(payload: bytes) -> tuple[str, bytes | None]:
    """The same without reading more than the id."""
    class_name, fields = _object(payload)
    named = {payload[key:value]: value for key, value, _ in pairs(payload, fields)}
    at = named.get(_ID) if _TYPE in named else None
    if at is None or head(payload, at)[0] is not Shape.TEXT:
        return class_name, None
    return class_name, text(payload, at)[0].encode()


def _object(payload: bytes) -> tuple[str, int]:
    """Class name, and where the fields begin, of an object stored as module, name, fields."""
    shape, count, at, _ = head(payload, 0)
    if shape is not Shape.ARRAY or count < _OBJECT_PARTS:
        raise ValueError("no object of a class")
    _, at = text(payload, at)
    return text(payload, at)


def _nothing(_code: int, _data: bytes) -> None:
    return None


def _overwritten(data: bytes) -> bytes | None:
    """What an `Overwrite` puts in place of the value; None if the write is none."""
    shape, size, start, _ = head(data, 0)
    wanted = _VALUE
    if shape is Shape.EXTENSION:
        data = data[start : start + size]
        try:
            class_name, at = _object(data)
        except ValueError:
            return None
        if class_name != "Overwrite":
            return None
    elif shape is Shape.MAP and size == 1:
        at, wanted = 0, _OVERWRITE
    else:
        return None
    for key, value, end in pairs(data, at):
        if data[key:value] == wanted:
            return data[value:end]
    return None
