"""Any other checkpointer, from a factory that the user names."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.checkpointers.custom_count import DumpLedger
from deltabench.checkpointers.custom_factory import load_factory, opened_saver
from deltabench.checkpointers.custom_hooks import count_dumps
from deltabench.checkpointers.interface import Backend, OpenCheckpointer
from deltabench.checkpointers.places import prepared, temporary_directory
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.cells import StoredBytes

# For the factory too: a directory that is empty for each cell and removed after it.
DIRECTORY = "DELTABENCH_DIRECTORY"


class OpenCustom(OpenCheckpointer):
    """A user's saver, whose bytes are counted at its serializer."""

    def __init__(self, saver: BaseCheckpointSaver[Any]) -> None:
        self._ledger = DumpLedger()
        self.saver = saver
        count_dumps(saver, self._ledger)

    def count(self, turn: int) -> StoredBytes:
        """Count what was serialized for storage since opening."""
        return self._ledger.count(turn)

    def physical_bytes(self) -> dict[str, int]:
        """Its store is unknown."""
        return {}

    def statements(self) -> int | None:
        """Its store is unknown."""
        return None


class CustomBackend(Backend):
    """A `BaseCheckpointSaver` from `module:factory` or `path/to/file.py:factory`.

    Whether it outlives its process shows only when another process reads it.
    """

    name: ClassVar[str] = "custom"
    outlives_process: ClassVar[bool | None] = None

    def __init__(self, spec: str) -> None:
        self._spec = spec

    @contextmanager
    def prepare(self) -> Iterator[dict[str, str]]:
        """Make an empty directory that the factory may use, once the factory can be found."""
        load_factory(self._spec)
        with temporary_directory("deltabench-custom-") as directory:
            yield {DIRECTORY: directory}

    @contextmanager
    def open(self) -> Iterator[OpenCustom]:
        """Call the factory; when first opened, its store must be empty."""
        opened_before = Path(prepared(DIRECTORY)) / ".opened"
        with opened_saver(self._spec) as saver:
            if not opened_before.exists():
                _require_empty(saver, self._spec)
                opened_before.touch()
            yield OpenCustom(saver)


def _require_empty(saver: BaseCheckpointSaver[Any], spec: str) -> None:
    """Refuse a store that holds something; one that cannot list everything is believed."""
    try:
        found = next(iter(saver.list(None, limit=1)), None)
    except Exception:  # noqa: BLE001 - the method is optional, and the session will tell
        return
    if found is not None:
        raise DeltabenchError(
            f"checkpointer {spec!r} already holds a thread",
            hint=f"make it anew for each call, for instance in the directory ${DIRECTORY}",
        )
