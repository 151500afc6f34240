"""The adding up that every backend shares."""

from __future__ import annotations

from deltabench.checkpointers.tally import Tally, text_bytes

TASK = "2d2cdaee-c595-e00c-e5fb-c6d1cb94da91"
OTHER_TASK = "4652bd87-cf79-5bfe-3aae-8b74c256e118"


def test_sums_go_where_they_belong() -> None:
    """Values, writes, rows and keys are summed apart and add up to the total."""
    tally = Tally()
    tally.add_checkpoints(rows=2, size_bytes=10, key_bytes=3)
    tally.add_values("", "b", rows=1, size_bytes=100, largest_bytes=100)
    tally.add_writes("", "a", rows=2, size_bytes=1000, largest_bytes=700)
    tally.add_keys(4)
    stored = tally.stored(turn=9)
    assert (stored.turn, stored.checkpoint_rows) == (9, 2)
    assert (stored.value_rows, stored.write_rows) == (1, 2)
    assert (stored.value_bytes, stored.write_bytes) == (100, 1000)
    assert (stored.row_bytes, stored.key_bytes) == (10, 7)
    assert stored.total_bytes == 1117
    assert [channel.channel for channel in stored.channels] == ["a", "b"]


def test_calls_of_a_subgraph_are_one_namespace() -> None:
    """Namespaces that differ in task ids only are counted together, without the ids."""
    tally = Tally()
    tally.add_values(f"sub:{TASK}", "x", rows=1, size_bytes=1, largest_bytes=1)
    tally.add_values(f"sub:{OTHER_TASK}", "x", rows=1, size_bytes=2, largest_bytes=2)
    tally.add_values(f"sub:{TASK}|in:{OTHER_TASK}", "x", rows=1, size_bytes=4, largest_bytes=4)
    found = {c.namespace: (c.value_rows, c.value_bytes) for c in tally.stored(1).channels}
    assert found == {"sub": (2, 3), "sub|in": (1, 4)}


def test_the_largest_value_is_named() -> None:
    """The largest single value or write is named with its size, and none when there is none."""
    tally = Tally()
    assert tally.stored(0).largest_value is None
    tally.add_values("", "many", rows=9, size_bytes=90, largest_bytes=10)
    tally.add_writes("", "one", rows=1, size_bytes=50, largest_bytes=50)
    largest = tally.stored(0).largest_value
    assert largest is not None
    assert (largest.channel, largest.size_bytes) == ("one", 50)


def test_texts_are_measured_in_utf8() -> None:
    """The length of a key text is that of its UTF-8 form; nothing has no length."""
    assert text_bytes("größe", None, 12, "") == 9
