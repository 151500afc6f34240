"""Letting a saver of any class tell what it serializes while it stores."""

from __future__ import annotations

import copy
import functools
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.checkpointers.custom_count import DumpLedger


def count_dumps(saver: BaseCheckpointSaver[Any], ledger: DumpLedger) -> None:
    """Make a saver and its serializer report to the ledger; both stay what they are.

    Raises DeltabenchError for an object whose class cannot be extended in place.
    """
    cls = type(saver)

    @functools.wraps(cls.put)
    def put(self: Any, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        ledger.begin_put(config, checkpoint, new_versions)
        try:
            return cls.put(self, config, checkpoint, metadata, new_versions)
        finally:
            ledger.end()

    @functools.wraps(cls.put_writes)
    def put_writes(
        self: Any, config: Any, writes: Any, task_id: str, *task_path: str, **path: str
    ) -> None:
        given = task_path[0] if task_path else path.get("task_path", "")
        ledger.begin_writes(config, writes, task_id, given)
        try:
            cls.put_writes(self, config, writes, task_id, *task_path, **path)
        finally:
            ledger.end()

    serde = copy.copy(saver.serde)
    serde_cls: Any = type(serde)

    @functools.wraps(serde_cls.dumps_typed)
    def dumps_typed(self: Any, obj: Any) -> tuple[str, bytes]:
        type_, data = serde_cls.dumps_typed(self, obj)
        ledger.dumped(obj, type_, data)
        return type_, data

    members = {"put": put, "put_writes": put_writes, "__module__": cls.__module__}
    try:
        # Under their own names: results name the class of the saver.
        serde.__class__ = type(serde_cls.__name__, (serde_cls,), {"dumps_typed": dumps_typed})
        saver.__class__ = type(cls.__name__, (cls,), members)
    except TypeError as error:
        raise DeltabenchError(
            f"checkpointer {cls.__name__} cannot be counted: {error}",
            hint="classes with __slots__ are not supported",
        ) from None
    saver.serde = serde
