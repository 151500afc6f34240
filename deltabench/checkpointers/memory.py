"""The in-memory checkpointer: langgraph's own, which can let go of values nobody reads."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from langgraph.checkpoint.memory import InMemorySaver

from deltabench.checkpointers.interface import Backend, OpenCheckpointer
from deltabench.checkpointers.memory_count import BlobKey, count_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

    from deltabench.cells import StoredBytes

# No serializer knows this type tag: reading a value that was let go raises.
RELEASED = ("released", b"")


class Releases:
    """Which values may go: those that neither a newest nor a kept checkpoint refers to."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.sizes: dict[BlobKey, tuple[str, int]] = {}
        self.newest: int | None = None
        # Per thread and namespace, in order of arrival: checkpoint id -> channel versions.
        self._windows: dict[tuple[str, str], dict[str, ChannelVersions]] = {}
        # How many checkpoints of the windows refer to a value.
        self._references: Counter[BlobKey] = Counter()
        self._kept_ids: set[str] = set()
        self._kept_values: set[BlobKey] = set()

    def keep(self, saver: InMemorySaver, checkpoint_id: str) -> None:
        """Keep the values of this checkpoint, which may also be still on its way in.

        Raises LookupError when the checkpoint is stored and no longer among the newest.
        """
        with self.lock:
            windows = self._windows.values()
            stored = any(checkpoint_id in ns for t in saver.storage.values() for ns in t.values())
            if (
                stored
                and self.newest is not None
                and checkpoint_id not in self._kept_ids
                and not any(checkpoint_id in window for window in windows)
            ):
                raise LookupError(f"checkpoint {checkpoint_id} was already let go")
            self._kept_ids.add(checkpoint_id)

    def arrived(self, saver: InMemorySaver, place: tuple[str, str], checkpoint: Checkpoint) -> None:
        """Take note of a stored checkpoint and let go of what fell out of the window.

        Costs one look per channel of the checkpoint that falls out, whatever the history.
        """
        with self.lock:
            if self.newest is None:
                return
            window = self._windows.setdefault(place, {})
            again = window.pop(checkpoint["id"], {})
            versions = window[checkpoint["id"]] = dict(checkpoint["channel_versions"])
            self._references.update((*place, c, v) for c, v in versions.items())
            self._references.subtract((*place, c, v) for c, v in again.items())
            self._shrink(saver, place, window)

    def limit(self, saver: InMemorySaver, newest: int) -> None:
        """Set how many newest checkpoints of each namespace stay readable."""
        if newest < 1:
            raise ValueError("at least the newest checkpoint must stay readable")
        with self.lock:
            if self.newest is None:
                # What came before nobody took note of, so it stays.
                self._kept_values.update(saver.blobs)
            self.newest = newest
            for place, window in self._windows.items():
                self._shrink(saver, place, window)

    def _shrink(
        self, saver: InMemorySaver, place: tuple[str, str], window: dict[str, ChannelVersions]
    ) -> None:
        while self.newest is not None and len(window) > self.newest:
            checkpoint_id = next(iter(window))
            versions = window.pop(checkpoint_id)
            keys = [(*place, channel, version) for channel, version in versions.items()]
            if checkpoint_id in self._kept_ids:
                self._kept_values.update(keys)
            for key in keys:
                self._references[key] -= 1
                if not self._references[key]:
                    del self._references[key]
                    self._let_go(saver, key)

    def _let_go(self, saver: InMemorySaver, key: BlobKey) -> None:
        held = saver.blobs.get(key)
        if key in self._kept_values or held is None or held == RELEASED or not held[1]:
            return
        self.sizes[key] = (held[0], len(held[1]))
        saver.blobs[key] = RELEASED


class ReleasingSaver(InMemorySaver):
    """`InMemorySaver` that forgets values on request and remembers how large they were."""

    def __init__(self) -> None:
        super().__init__()
        # One shared object: langgraph may go on with a shallow copy of the saver.
        self.releases = Releases()

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store as `InMemorySaver` does, then let go of what nothing will read."""
        stored = super().put(config, checkpoint, metadata, new_versions)
        place = (config["configurable"]["thread_id"], config["configurable"]["checkpoint_ns"])
        with self.releases.lock:
            for channel, version in new_versions.items():
                # A value stored again under its old version is held again.
                self.releases.sizes.pop((*place, channel, version), None)
            self.releases.arrived(self, place, checkpoint)
        return stored


class OpenMemory(OpenCheckpointer):
    """An empty in-memory saver of this process."""

    saver: ReleasingSaver

    def __init__(self) -> None:
        self.saver = ReleasingSaver()

    def count(self, turn: int) -> StoredBytes:
        """Count what was stored, including what was let go since."""
        with self.saver.releases.lock:
            return count_memory(self.saver, turn, self.saver.releases.sizes)

    def physical_bytes(self) -> dict[str, int]:
        """Nothing is on disk."""
        return {}

    def statements(self) -> int | None:
        """There is no database."""
        return None

    def keep(self, checkpoint_id: str) -> None:
        """Keep the values of this checkpoint readable to the end."""
        self.saver.releases.keep(self.saver, checkpoint_id)

    def keep_newest(self, checkpoints: int) -> None:
        """Keep this many newest checkpoints per namespace, from now on."""
        self.saver.releases.limit(self.saver, checkpoints)


class MemoryBackend(Backend):
    """langgraph's `InMemorySaver`."""

    name: ClassVar[str] = "memory"
    outlives_process: ClassVar[bool | None] = False

    @contextmanager
    def prepare(self) -> Iterator[dict[str, str]]:
        """Nothing to prepare: the memory belongs to the cell's process."""
        yield {}

    @contextmanager
    def open(self) -> Iterator[OpenMemory]:
        """Open an empty saver."""
        yield OpenMemory()
