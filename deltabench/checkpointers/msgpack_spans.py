"""How many bytes each channel takes inside a serialized checkpoint.

Savers that store a checkpoint with its values inline give one blob. It is split here
by walking over the msgpack bytes: nothing is decoded and nothing is serialized again.
A message is one extension object and a text is one string, each skipped in one step
whatever its length, so the walk costs little beside the serialization it follows.
"""

from __future__ import annotations

VALUES_KEY = b"\xaechannel_values"  # a short string of 14 bytes

# First bytes, whose low bits are the length.
_SHORT_MAPS = range(0x80, 0x90)
_SHORT_ARRAYS = range(0x90, 0xA0)
_SHORT_STRINGS = range(0xA0, 0xC0)
_MAPS = (0xDE, 0xDF)


def _fixed_sizes() -> list[int]:
    """Whole size in bytes by first byte; 0 where it has to be read from what follows."""
    sizes = [1] * 256
    sizes[_SHORT_MAPS.start : _SHORT_ARRAYS.stop] = [0] * 32
    sizes[_SHORT_STRINGS.start : _SHORT_STRINGS.stop] = range(1, 33)
    sizes[0xC1] = 0
    sizes[0xC4:0xCA] = [0] * 6  # binary and extensions with a length
    sizes[0xCA:0xD4] = [5, 9, 2, 3, 5, 9, 2, 3, 5, 9]  # floats, unsigned and signed integers
    sizes[0xD4:0xD9] = [3, 4, 6, 10, 18]  # extensions of fixed length
    sizes[0xD9:0xE0] = [0] * 7  # strings, arrays and maps with a length
    return sizes


_FIXED = _fixed_sizes()
# First byte -> width of the length that follows, and bytes beside what it announces.
_SIZED = {
    0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0),
    0xC7: (1, 1), 0xC8: (2, 1), 0xC9: (4, 1),
    0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0),
}  # fmt: skip
# First byte -> width of the count that follows, and objects per counted item.
_COUNTED = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


def skip(data: bytes, position: int) -> int:
    """Where the object that starts at `position` ends; ValueError if `data` is damaged."""
    fixed, sized = _FIXED, _SIZED
    objects = 1
    try:
        while objects:
            objects -= 1
            first = data[position]
            if size := fixed[first]:
                position += size
            elif first in sized:
                width, extra = sized[first]
                start = position + 1 + width
                position = start + int.from_bytes(data[position + 1 : start], "big") + extra
            else:
                count, position = _items(data, position)
                objects += count
    except IndexError:
        raise ValueError("msgpack data is cut off") from None
    if position > len(data):
        raise ValueError("msgpack data is cut off")
    return position


def channel_sizes(checkpoint: bytes) -> dict[str, int]:
    """Bytes of each value in the `channel_values` of a serialized checkpoint.

    Empty when the checkpoint carries no values. ValueError if it is no msgpack map.
    """
    if not _is_map(checkpoint, 0):
        raise ValueError("a serialized checkpoint is expected to be a msgpack map")
    objects, position = _items(checkpoint, 0)
    for _ in range(objects // 2):
        end = skip(checkpoint, position)
        if checkpoint[position:end] == VALUES_KEY:
            return _value_sizes(checkpoint, end)
        position = skip(checkpoint, end)
    return {}


def _value_sizes(data: bytes, position: int) -> dict[str, int]:
    sizes: dict[str, int] = {}
    if not _is_map(data, position):
        raise ValueError("channel values are expected to be a msgpack map")
    objects, position = _items(data, position)
    for _ in range(objects // 2):
        start = skip(data, position)
        end = skip(data, start)
        sizes[_text(data[position:start])] = end - start
        position = end
    return sizes


def _is_map(data: bytes, position: int) -> bool:
    return position < len(data) and (data[position] in _SHORT_MAPS or data[position] in _MAPS)


def _items(data: bytes, position: int) -> tuple[int, int]:
    """How many objects an array or a map holds, and where the first of them starts."""
    first = data[position]
    if first in _SHORT_MAPS:
        return 2 * (first & 0x0F), position + 1
    if first in _SHORT_ARRAYS:
        return first & 0x0F, position + 1
    if first not in _COUNTED:
        raise ValueError(f"unknown msgpack type 0x{first:02x}")
    width, objects_per_item = _COUNTED[first]
    start = position + 1 + width
    return objects_per_item * int.from_bytes(data[position + 1 : start], "big"), start


def _text(key: bytes) -> str:
    """Give the text of a key, without its head."""
    first = key[0]
    head = 1 if first in _SHORT_STRINGS else 1 + _SIZED[first][0]
    return key[head:].decode()
