"""How many bytes each channel takes inside a serialized checkpoint."""

from __future__ import annotations

from typing import Any

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from deltabench.checkpointers import msgpack_spans
from deltabench.checkpointers.msgpack_spans import channel_sizes, channel_spans, skip

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**64 - 1),
    st.floats(allow_nan=False),
    st.text(),
    st.binary(),
    st.builds(ormsgpack.Ext, st.integers(0, 127), st.binary(max_size=20)),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(), inner, max_size=20),
)
# One of every head that announces a length in two or four bytes, and the long containers.
LARGE: list[Any] = [
    "x" * 40,
    "x" * 300,
    "x" * 70_000,
    b"x" * 300,
    b"x" * 70_000,
    ormsgpack.Ext(5, b"x" * 300),
    ormsgpack.Ext(5, b"x" * 70_000),
    list(range(300)),
    list(range(70_000)),
    {str(number): number for number in range(300)},
    {str(number): number for number in range(70_000)},
]


@given(VALUES)
def test_any_object_is_skipped_to_its_end(value: Any) -> None:
    """The walk over one object ends exactly where the next would start."""
    packed = ormsgpack.packb(value)
    assert skip(b"\xc0" + packed + b"\xc0", 1) == 1 + len(packed)


@pytest.mark.parametrize("value", LARGE, ids=lambda value: type(value).__name__)
def test_large_objects_are_skipped_to_their_end(value: Any) -> None:
    """Objects with long heads are skipped as well."""
    packed = ormsgpack.packb(value)
    assert skip(packed, 0) == len(packed)


@given(st.dictionaries(st.text(), VALUES, max_size=20), VALUES, VALUES)
def test_channels_get_the_bytes_of_their_values(
    values: dict[str, Any], before: Any, after: Any
) -> None:
    """Each channel is given what its value takes when serialized alone."""
    packed = ormsgpack.packb({"v": before, "channel_values": values, "versions": after})
    alone = {channel: len(ormsgpack.packb(value)) for channel, value in values.items()}
    assert channel_sizes(packed) == alone


def test_messages_and_long_names_are_measured() -> None:
    """Real messages, and a channel name with a long head, are measured like anything else."""
    serde = JsonPlusSerializer()
    values = {
        "messages": [HumanMessage("hallo", id="1"), AIMessage("x" * 5000, id="2")],
        "branch:to:a-node-with-a-rather-long-name": None,
        "ü" * 200: {"a": 1},
    }
    _, packed = serde.dumps_typed({"channel_values": values})
    sizes = channel_sizes(packed)
    assert sizes["messages"] == len(serde.dumps_typed(values["messages"])[1])
    assert sizes["branch:to:a-node-with-a-rather-long-name"] == 1
    assert sizes["ü" * 200] == 4


def test_a_checkpoint_without_values_has_none() -> None:
    """A checkpoint whose values are stored elsewhere gives no sizes."""
    assert channel_sizes(ormsgpack.packb({"v": 4, "id": "x"})) == {}


@given(VALUES, st.data())
def test_damage_is_noticed(value: Any, data: st.DataObject) -> None:
    """A checkpoint that is cut off inside its values is an error and never a wrong size."""
    packed = ormsgpack.packb({"channel_values": {"a": value}})
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(ValueError, match=r"cut off|expected"):
        channel_sizes(packed[:cut])


@pytest.mark.parametrize("value", [[1], "text", 5, None])
def test_other_objects_are_refused(value: Any) -> None:
    """Something that is no map is no checkpoint, and values that are no map are none."""
    with pytest.raises(ValueError, match="expected to be a msgpack map"):
        channel_sizes(ormsgpack.packb(value))
    with pytest.raises(ValueError, match="expected to be a msgpack map"):
        channel_sizes(ormsgpack.packb({"channel_values": value}))


STATES = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)


def _checkpoint(values: dict[str, Any], versions: dict[str, int]) -> bytes:
    return ormsgpack.packb({"v": 4, "channel_values": values, "channel_versions": versions})


@given(STATES, STATES, st.sets(st.sampled_from("abc")))
def test_sizes_are_the_same_with_and_without_a_predecessor(
    before: dict[str, Any], changes: dict[str, Any], bumped: set[str]
) -> None:
    """Whatever changed, and whether or not its version tells, sizes are those of a full walk."""
    first = _checkpoint(before, dict.fromkeys(before, 1))
    after = before | changes
    second = _checkpoint(after, {name: 1 + (name in bumped) for name in after})
    assert channel_spans(second, channel_spans(first)).sizes == channel_sizes(second)


def test_a_guess_that_a_version_disproves_is_taken_back() -> None:
    """A longer value that holds the following key at just that place is still read in full."""
    first = _checkpoint({"a": "x", "b": 1}, {"a": 1, "b": 1})
    versions = {"a": 2, "b": 1}
    inside = ["x", "b", 1, "channel_versions", versions]  # reads on like a checkpoint
    second = _checkpoint({"a": inside, "b": 1}, versions)
    before = channel_spans(first)
    planted = before._replace(sizes=before.sizes | {"a": 3})  # head and first text of the list
    assert channel_spans(second, planted).sizes == channel_sizes(second)


def test_unchanged_values_are_not_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a walk follows what changed, not what the checkpoint holds."""
    values = {"a": list(range(1000)), "b": 1}
    data = _checkpoint(values, {"a": 1, "b": 1})
    before = channel_spans(data)
    walked: list[int] = []

    def counting(data: bytes, position: int) -> int:
        walked.append(end := skip(data, position))
        return end

    monkeypatch.setattr(msgpack_spans, "skip", counting)
    assert channel_spans(data, before) == before
    assert max(walked) == len(data)
    assert before.sizes["a"] > 1000
    assert not any(end == data.index(b"\xa1a") + 2 + before.sizes["a"] for end in walked)
