"""The structure of msgpack data, against the serializer that writes it."""

from __future__ import annotations

from typing import Any

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.inspect.spans import Shape, head, head_bytes, pairs, text, unwrapped_bytes
from deltabench.model.formats import snapshot_bytes


@given(st.integers(1, 1 << 33))
def test_a_snapshot_can_be_unwrapped(size: int) -> None:
    """From the stored size follows that of the value inside; tiny ones may be a byte off."""
    assert abs(unwrapped_bytes(snapshot_bytes(size)) - size) <= (size < 16)


@pytest.mark.parametrize("count", [0, 15, 16, 65_535, 65_536])
def test_heads_are_as_long_as_those_written(count: int) -> None:
    """At each count where the format changes, arrays and maps take what is said."""
    assert head_bytes(count) + count == len(ormsgpack.packb([None] * count))
    data = ormsgpack.packb({str(n): None for n in range(count)})
    assert head(data, 0) == (Shape.MAP, count, head_bytes(count), 0)
    assert len(pairs(data, 0)) == count


@given(st.text() | st.integers(0, 70_000).map("x".__mul__))
def test_a_text_is_read_whole(value: str) -> None:
    """Short and long texts, and where they end."""
    data = ormsgpack.packb(value)
    assert text(data, 0) == (value, len(data))


@pytest.mark.parametrize("size", [1, 3, 16, 255, 256, 65_536])
def test_an_extension_tells_code_and_size(size: int) -> None:
    """Of every form in which one can be written."""
    data = ormsgpack.packb(object(), default=lambda _: ormsgpack.Ext(7, b"x" * size))
    shape, found, start, code = head(data, 0)
    assert (shape, found, code, len(data) - start) == (Shape.EXTENSION, size, 7, size)


@pytest.mark.parametrize("value", [[1] * 20, {"a": 1}, "text" * 20, ormsgpack.Ext(5, b"abc")])
def test_what_is_cut_off_is_an_error(value: Any) -> None:
    """Never a wrong size: the end of the data is noticed."""
    data = ormsgpack.packb(value, default=lambda v: v)
    with pytest.raises(ValueError, match="cut off"):
        head(data[:1] if len(data) > 2 and data[0] > 0xC0 else b"", 0)
