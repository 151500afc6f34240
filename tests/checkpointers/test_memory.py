"""The in-memory checkpointer counts what a plain one holds, and lets go of what nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.checkpointers.memory import RELEASED, OpenMemory
from deltabench.checkpointers.memory_count import count_memory

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

PLACE = {"thread_id": "t", "checkpoint_ns": ""}
CHANNELS = ("a", "b", "c")


def _put(
    saver: BaseCheckpointSaver[Any], step: int, versions: dict[str, int], changed: set[str]
) -> str:
    """Store checkpoint number `step`, in which the `changed` channels have new values."""
    checkpoint_id = f"{step:04}"
    saver.put(
        {"configurable": PLACE},
        {
            "v": 4,
            "id": checkpoint_id,
            "ts": "",
            "channel_values": {c: f"{c}{v}" * (step + 1) for c, v in versions.items()},
            "channel_versions": dict(versions),
            "versions_seen": {},
        },  # type: ignore[typeddict-item]
        {"source": "loop", "step": step},
        {channel: versions[channel] for channel in changed},
    )
    return checkpoint_id


def _values(saver: BaseCheckpointSaver[Any], checkpoint_id: str) -> dict[str, Any]:
    found = saver.get_tuple({"configurable": {**PLACE, "checkpoint_id": checkpoint_id}})
    assert found is not None
    return found.checkpoint["channel_values"]


@pytest.mark.parametrize("delta", [False, True])
def test_bytes_are_all_that_the_tables_hold(small_session: Any, *, delta: bool) -> None:
    """Values, writes, rows and keys together are the length of every column of every row."""
    saver = InMemorySaver()
    small_session.drive(saver, turns=5, delta=delta)
    columns: list[str | bytes | None] = []
    for thread, namespaces in saver.storage.items():
        for namespace, rows in namespaces.items():
            for checkpoint_id, (checkpoint, metadata, parent) in rows.items():
                columns += [thread, namespace, checkpoint_id, parent, *checkpoint, *metadata]
    for key, blob in saver.blobs.items():
        columns += [*(str(part) for part in key), *blob]
    for outer, inner in saver.writes.items():
        for task_id, channel, value, task_path in inner.values():
            columns += [*outer, task_id, channel, *value, task_path]
    size = sum(len(c.encode() if isinstance(c, str) else c) for c in columns if c is not None)
    stored = count_memory(saver, 5)
    assert stored.total_bytes == size
    assert stored.value_bytes == sum(len(blob) for _, blob in saver.blobs.values())
    assert stored.value_rows == sum(kind != "empty" for kind, _ in saver.blobs.values())


def test_delta_channels_are_seen_apart(small_session: Any) -> None:
    """Five updates at K=3 leave one whole value and five writes of the delta channel."""
    saver = InMemorySaver()
    small_session.drive(saver, turns=5, delta=True)
    (notes,) = (c for c in count_memory(saver, 5).channels if c.channel == "notes")
    assert (notes.namespace, notes.value_rows, notes.write_rows) == ("", 1, 5)
    snapshots = [blob for key, blob in saver.blobs.items() if key[2] == "notes" and blob[1]]
    assert notes.value_bytes == sum(len(data) for _, data in snapshots)


def test_a_releasing_session_counts_as_a_plain_one(small_session: Any) -> None:
    """The same session is counted equal to the byte, though most values were let go."""
    plain = InMemorySaver()
    small_session.drive(plain, turns=6, delta=False)
    releasing = OpenMemory()
    releasing.keep_newest(1)
    small_session.drive(releasing.saver, turns=6, delta=False)

    expected, counted = count_memory(plain, 6), releasing.count(6)
    assert counted == expected
    held_bytes = sum(len(blob) for _, blob in releasing.saver.blobs.values())
    assert held_bytes < 0.5 * expected.value_bytes


def test_nothing_is_let_go_unless_asked(small_session: Any) -> None:
    """Without `keep_newest` the saver holds what a plain one does."""
    opened = OpenMemory()
    graph = small_session.drive(opened.saver, turns=4, delta=True)
    assert RELEASED not in opened.saver.blobs.values()
    assert len(list(graph.get_state_history(small_session.CONFIG))) > 10


def test_newest_and_kept_stay_and_others_fail_loudly() -> None:
    """The newest n and kept checkpoints read as before; reading another raises."""
    opened = OpenMemory()
    opened.keep_newest(2)
    ids = []
    for step in range(6):
        ids.append(
            _put(opened.saver, step, {"a": step, "b": 0}, {"a"} | ({"b"} if not step else set()))
        )
        if step == 1:
            opened.keep(ids[1])
    for step in (1, 4, 5):
        assert _values(opened.saver, ids[step])["a"] == f"a{step}" * (step + 1)
    for step in (0, 2, 3):
        with pytest.raises(NotImplementedError, match="released"):
            _values(opened.saver, ids[step])
    with pytest.raises(LookupError, match="already let go"):
        opened.keep(ids[2])


def test_values_stored_before_the_request_stay() -> None:
    """A request in the middle of a thread lets go only of what comes after it."""
    opened = OpenMemory()
    ids = [_put(opened.saver, 0, {"a": 0, "b": 0}, {"a", "b"})]
    ids += [_put(opened.saver, step, {"a": step, "b": 0}, {"a"}) for step in (1, 2)]
    opened.keep_newest(1)
    ids += [_put(opened.saver, step, {"a": step, "b": 0}, {"a"}) for step in (3, 4)]
    _put(opened.saver, 5, {"a": 5, "b": 1}, {"a", "b"})
    assert [_values(opened.saver, i)["a"][:2] for i in ids[:3]] == ["a0", "a1", "a2"]
    with pytest.raises(NotImplementedError, match="released"):
        _values(opened.saver, ids[3])


def test_a_checkpoint_stored_twice_counts_once() -> None:
    """The same keys again replace the rows, also when their values were let go before."""
    opened, plain = OpenMemory(), InMemorySaver()
    opened.keep_newest(1)
    # Version 0 comes back with a longer value, since a value's length follows the step.
    for step, version in ((0, 0), (1, 1), (2, 0), (2, 0)):
        for saver in (opened.saver, plain):
            _put(saver, step, {"a": version}, {"a"})
    assert opened.count(1) == count_memory(plain, 1)
    assert opened.count(1).value_rows == 2


@given(
    st.lists(st.sets(st.sampled_from(CHANNELS)), min_size=1, max_size=15),
    st.integers(1, 4),
    st.sets(st.integers(0, 14)),
)
def test_any_session_counts_as_plain_and_keeps_its_promises(
    steps: list[set[str]], newest: int, kept: set[int]
) -> None:
    """Whatever changes when, counts equal those of a plain saver and promises hold."""
    opened, plain = OpenMemory(), InMemorySaver()
    opened.keep_newest(newest)
    versions = dict.fromkeys(CHANNELS, 0)
    for step, changed in enumerate(steps):
        for channel in changed:
            versions[channel] += 1
        _put(plain, step, versions, changed)
        checkpoint_id = _put(opened.saver, step, versions, changed)
        if step in kept:
            opened.keep(checkpoint_id)
        assert opened.count(step) == count_memory(plain, step)
    for step in range(len(steps)):
        if step in kept or step >= len(steps) - newest:
            assert _values(opened.saver, f"{step:04}") == _values(plain, f"{step:04}")
