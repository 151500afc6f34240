"""How many bytes each channel takes inside a serialized checkpoint.

Savers that store a checkpoint with its values inline give one blob. It is split here
by walking over the msgpack bytes: nothing is decoded and nothing is serialized again.
A message is one extension object and a text is one string, each skipped in one step
whatever its length, so the walk costs little beside the serialization it follows.
"""

from __future__ import annotations

from typing import NamedTuple

VALUES_KEY = b"\xaechannel_values"  # a short string of 14 bytes
VERSIONS_KEY = b"\xb0channel_versions"  # and one of 16

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


class Spans(NamedTuple):
    """Where the channel values of one checkpoint lie, and what tells whether they changed.

    By channel: its value's size in bytes, the raw key that follows the value, and the raw
    version of the channel.
    """

    sizes: dict[str, int]
    following: dict[str, bytes]
    versions: dict[str, bytes]


NO_SPANS = Spans({}, {}, {})


def channel_sizes(checkpoint: bytes) -> dict[str, int]:
    """Bytes of each value in the `channel_values` of a serialized checkpoint.

    Empty when the checkpoint carries no values. ValueError if it is no msgpack map.
    """
    return channel_spans(checkpoint).sizes


def channel_spans(checkpoint: bytes, before: Spans = NO_SPANS) -> Spans:
    """Find the values in a serialized checkpoint; `before` are those of its predecessor.

    A channel whose version did not change has the same bytes as before, and most do not
    change in a superstep. So a value is first taken to be as long as before, if the same
    key follows there. The versions, read afterwards, prove it or have it read in full.
    ValueError if `checkpoint` is no msgpack map.
    """
    if before.sizes:
        try:
            found, guessed = _spans(checkpoint, before)
        except ValueError:
            pass  # a wrong guess can end anywhere; damaged data raises again below
        else:
            if all(found.versions.get(name) == before.versions[name] for name in guessed):
                return found
    return _spans(checkpoint, NO_SPANS)[0]


def _spans(data: bytes, before: Spans) -> tuple[Spans, list[str]]:
    if not _is_map(data, 0):
        raise ValueError("a serialized checkpoint is expected to be a msgpack map")
    spans = Spans({}, {}, {})
    guessed: list[str] = []
    objects, position = _items(data, 0)
    for _ in range(objects // 2):
        key_end = skip(data, position)
        key = data[position:key_end]
        if key == VALUES_KEY:
            position = _values(data, key_end, before, spans, guessed)
        elif key == VERSIONS_KEY:
            position = _versions(data, key_end, spans)
        else:
            position = skip(data, key_end)
    return spans, guessed


def _values(data: bytes, position: int, before: Spans, spans: Spans, guessed: list[str]) -> int:
    if not _is_map(data, position):
        raise ValueError("channel values are expected to be a msgpack map")
    objects, position = _items(data, position)
    for _ in range(objects // 2):
        start = skip(data, position)
        name = _text(data[position:start])
        end = start + before.sizes.get(name, 0)
        known = name in before.versions and end > start
        if known and data.startswith(before.following[name], end):
            guessed.append(name)
        else:
            end = skip(data, start)
        spans.sizes[name] = end - start
        # The last value of the map is followed by the next key of the checkpoint.
        spans.following[name] = data[end : skip(data, end)] if end < len(data) else b""
        position = end
    return position


def _versions(data: bytes, position: int, spans: Spans) -> int:
    if not _is_map(data, position):
        raise ValueError("channel versions are expected to be a msgpack map")
    objects, position = _items(data, position)
    for _ in range(objects // 2):
        start = skip(data, position)
        end = skip(data, start)
        spans.versions[_text(data[position:start])] = data[start:end]
        position = end
    return position


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
