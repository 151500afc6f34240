"""Sizes worked out are those that the installed serializers give."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from deltabench.errors import DeltabenchError
from deltabench.model.formats import COUNTERS_KEY, counter_bytes, known_format, snapshot_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

SERDE = JsonPlusSerializer()
# Where heads get longer, and a little around.
EDGES = [0, 1, 9, 10, 99, 100, 127, 128, 255, 256, 999, 1000, 65_535, 65_536, 10**6]
NAMES = st.dictionaries(
    st.one_of(st.text(max_size=5), st.sampled_from(["x" * 31, "x" * 32, "größe", "x" * 300])),
    st.tuples(st.sampled_from(EDGES), st.sampled_from(EDGES)),
    max_size=20,
)


@given(st.one_of(st.integers(0, 300), st.integers(65_500, 65_600)))
def test_the_frame_of_a_snapshot(chars: int) -> None:
    """A snapshot takes its value's bytes and a head that depends on them."""
    value = ["x" * chars]
    size = len(SERDE.dumps_typed(value)[1])
    assert snapshot_bytes(size) == len(SERDE.dumps_typed(_DeltaSnapshot(value))[1])


@given(NAMES, st.integers(1, 20))
def test_counters_in_metadata(counters: dict[str, tuple[int, int]], entries: int) -> None:
    """Both as msgpack and as JSON, counters add what serializing with and without them differs."""
    others = {f"key {number}": number for number in range(entries)}
    standing = {name: pair for name, pair in counters.items() if pair != (0, 0)}
    together = others | ({COUNTERS_KEY: standing} if standing else {})
    arrays = {name: (np.array([u]), np.array([s])) for name, (u, s) in counters.items()}
    dumps: dict[str, Callable[[object], bytes]] = {
        "memory": lambda value: SERDE.dumps_typed(value)[1],
        "sqlite": lambda value: json.dumps(value, ensure_ascii=False).encode(),
    }
    for checkpointer, dump in dumps.items():
        expected = len(dump(together)) - len(dump(others))
        assert counter_bytes(checkpointer, arrays, np.array([entries])) == [expected]


def test_a_checkpointer_of_unknown_rows() -> None:
    """Nothing is derived for a checkpointer whose rows nobody has looked at."""
    with pytest.raises(DeltabenchError, match="redis is not known to the byte"):
        known_format("redis")
