"""What an `InMemorySaver` holds, plain or releasing, in logical bytes.

Keys of a checkpoint: thread, namespace, checkpoint and parent id, the type tags of the
checkpoint and of its metadata. Keys of a value: thread, namespace, channel, version,
type tag. Keys of a write: thread, namespace, checkpoint id, task id, task path,
channel, type tag. They are counted once per row, as a table would hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.checkpointers.tally import Tally, text_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langgraph.checkpoint.memory import InMemorySaver

    from deltabench.cells import StoredBytes

BlobKey = tuple[str, str, str, str | int | float]
NOTHING_RELEASED: Mapping[BlobKey, tuple[str, int]] = {}


def count_memory(
    saver: InMemorySaver,
    turn: int,
    released: Mapping[BlobKey, tuple[str, int]] = NOTHING_RELEASED,
) -> StoredBytes:
    """Count the bytes of every table of the saver.

    `released` gives type tag and size in bytes of values that the saver no longer has;
    they count as if they were still there.
    """
    tally = Tally()
    _count_checkpoints(saver, tally)
    # Copies, because a background thread may be writing while this counts.
    for key, (held_type, held) in list(saver.blobs.items()):
        type_, size_bytes = released.get(key, (held_type, len(held)))
        tally.add_keys(text_bytes(*key, type_))
        if type_ != "empty":
            _, namespace, channel, _ = key
            tally.add_values(
                namespace, channel, rows=1, size_bytes=size_bytes, largest_bytes=size_bytes
            )
    for outer, inner in list(saver.writes.items()):
        for task_id, channel, (type_, value), task_path in list(inner.values()):
            tally.add_keys(text_bytes(*outer, task_id, task_path, channel, type_))
            tally.add_writes(
                outer[1], channel, rows=1, size_bytes=len(value), largest_bytes=len(value)
            )
    return tally.stored(turn)


def _count_checkpoints(saver: InMemorySaver, tally: Tally) -> None:
    for thread_id, namespaces in list(saver.storage.items()):
        for namespace, rows in list(namespaces.items()):
            for checkpoint_id, row in list(rows.items()):
                (type_, checkpoint), (metadata_type, metadata), parent_id = row
                tally.add_checkpoints(
                    rows=1,
                    size_bytes=len(checkpoint) + len(metadata),
                    key_bytes=text_bytes(
                        thread_id, namespace, checkpoint_id, parent_id, type_, metadata_type
                    ),
                )
