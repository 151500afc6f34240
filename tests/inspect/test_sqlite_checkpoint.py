"""Splitting a checkpoint with its values inline, by short cut and in full."""

from __future__ import annotations

from typing import Any

import ormsgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from deltabench.inspect.rows import Stored
from deltabench.inspect.sqlite_checkpoint import DamagedValueError, Splitter

NAMES = st.sampled_from(["messages", "files", "channel_versions", "ü" * 40])
VALUES = st.recursive(
    st.none() | st.integers(-(1 << 63), (1 << 64) - 1) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def checkpoint(values: dict[str, Any], versions: dict[str, Any], **more: Any) -> bytes:
    """Serialize a checkpoint as the saver does."""
    whole = {
        "v": 4,
        "ts": "2026-01-01T00:00:00+00:00",
        "id": "1f",
        "channel_values": values,
        "channel_versions": versions,
        "versions_seen": {"node": versions},
        **more,
    }
    return JsonPlusSerializer().dumps_typed(whole)[1]


def sizes(values: dict[str, Any]) -> dict[str, int]:
    """Serialized size of each value."""
    return {name: len(JsonPlusSerializer().dumps_typed(v)[1]) or 1 for name, v in values.items()}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), min_size=1, max_size=4))
def test_sizes_are_those_of_the_values(rows: list[dict[str, Any]]) -> None:
    """Row after row with versions that follow the values, whatever these hold."""
    splitter = Splitter()
    for number, values in enumerate(rows):
        versions = {name: f"{number}.{name}" for name in values}
        parts = splitter.split(checkpoint(values, versions, updated_channels=["files"]))
        assert {name: stored.size_bytes for name, stored in parts.values.items()} == sizes(values)
        assert parts.versions == versions
        assert parts.updated == ["files"]


def test_a_value_that_changed_without_its_version_is_noticed() -> None:
    """The short cut ends elsewhere than the versions begin: then everything is walked."""
    splitter = Splitter()
    for value in (["a"], ["a", "b" * 50]):
        parts = splitter.split(checkpoint({"notes": value}, {"notes": "1"}))
        assert parts.values["notes"].size_bytes == sizes({"notes": value})["notes"]


def test_a_snapshot_is_told_from_a_value() -> None:
    """By the code of its extension."""
    parts = Splitter().split(checkpoint({"a": _DeltaSnapshot([1]), "b": [1]}, {"a": "1", "b": "1"}))
    assert parts.values == {"a": Stored(4, is_snapshot=True), "b": Stored(2)}


def test_older_checkpoints_have_numbers_and_other_keys() -> None:
    """Versions that are numbers, pending sends, and no list of updated channels."""
    parts = Splitter().split(checkpoint({"a": [1]}, {"a": 3}, pending_sends=[]))
    assert (parts.versions, parts.updated) == ({"a": "3"}, None)
    whole = {"channel_versions": {"a": "1"}, "channel_values": {"a": "x"}, "v": 1}
    parts = Splitter().split(ormsgpack.packb(whole))
    assert parts.values == {"a": Stored(2)}
    assert parts.versions == {"a": "1"}


@pytest.mark.parametrize("end", range(0, 150, 7))
def test_a_cut_is_an_error_wherever_it_falls(end: int) -> None:
    """Never a size that is not there; inside a value the channel is named."""
    data = checkpoint({"messages": ["x" * 100]}, {"messages": "1"})
    start = data.index(b"x" * 100)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - of whatever words
        Splitter().split(data[:end])
    if start <= end < start + 100:
        assert isinstance(caught.value, DamagedValueError)
        assert caught.value.channel == "messages"
