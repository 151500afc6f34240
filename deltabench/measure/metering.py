"""Counts what goes through a checkpointer, without standing in its way.

langgraph refuses a proxy around a saver, so the instance keeps its own class as a base:
saver and serializer get a subclass of themselves that counts and then calls on.
Counters are kept per thread, because savers are called from background threads and an
increment shared by two threads could be lost.
"""

from __future__ import annotations

import copy
import functools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from langgraph.checkpoint.serde.types import _DeltaSnapshot

from deltabench.cells import RoundTrips, SerializerUse
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

Kind = Literal["value", "snapshot", "write", "checkpoint"]
Direction = Literal["dump", "load"]
PutHook = Callable[[Any, dict[str, Any], dict[str, Any], dict[str, Any]], None]
WritesHook = Callable[[Any, Any], None]

_COUNTED = (
    "get_tuple",
    "list",
    "put",
    "put_writes",
    "get_delta_channel_history",
    "delete_thread",
)


@dataclass(slots=True)
class _Tally:
    """The counters of one thread."""

    calls: Counter[str] = field(default_factory=Counter)
    uses: dict[tuple[Direction, Kind], list[int]] = field(default_factory=dict)
    in_put_writes: bool = False
    loads: list[tuple[int, int, int]] | None = None

    def add(self, direction: Direction, kind: Kind, size_bytes: int, cpu_ns: int) -> None:
        entry = self.uses.setdefault((direction, kind), [0, 0, 0])
        entry[0] += 1
        entry[1] += size_bytes
        entry[2] += cpu_ns


class Meter:
    """What one saver was asked and what its serializer did, over all threads."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._tallies: list[_Tally] = []
        self.after_put: PutHook | None = None
        self.after_put_writes: WritesHook | None = None

    def tally(self) -> _Tally:
        """The counters of the calling thread."""
        tally: _Tally | None = getattr(self._local, "tally", None)
        if tally is None:
            tally = self._local.tally = _Tally()
            self._tallies.append(tally)
        return tally

    def calls(self) -> Counter[str]:
        """Calls of each checkpointer method so far."""
        return sum((tally.calls for tally in list(self._tallies)), Counter())

    def serializer(self) -> tuple[SerializerUse, ...]:
        """Calls, bytes and CPU seconds of the serializer so far, by direction and kind."""
        total: dict[tuple[Direction, Kind], list[int]] = {}
        for tally in list(self._tallies):
            for key, entry in list(tally.uses.items()):
                sums = total.setdefault(key, [0, 0, 0])
                for index, number in enumerate(entry):
                    sums[index] += number
        return tuple(
            SerializerUse(
                direction=direction, kind=kind, calls=calls, size_bytes=size, seconds=cpu_ns / 1e9
            )
            for (direction, kind), (calls, size, cpu_ns) in sorted(total.items())
        )

    def dumped_bytes(self) -> int:
        """Bytes that the serializer has written so far."""
        return sum(
            entry[1]
            for tally in list(self._tallies)
            for (direction, _), entry in list(tally.uses.items())
            if direction == "dump"
        )


def meter_saver(saver: BaseCheckpointSaver[Any], meter: Meter) -> None:
    """Make a saver and its serializer report to a meter; both stay what they are.

    Raises DeltabenchError for an object whose class cannot be extended in place.
    """
    cls = type(saver)
    members: dict[str, Any] = {
        name: _counting(name, getattr(cls, name)) for name in _COUNTED if hasattr(cls, name)
    }
    try:
        saver.__class__ = type(f"Metered{cls.__name__}", (cls,), members)
        saver._deltabench_meter = meter  # type: ignore[attr-defined]  # noqa: SLF001
        saver.serde = metered_serializer(saver.serde, meter)
    except TypeError as error:
        message = f"checkpointer {cls.__name__} cannot be metered: {error}"
        raise DeltabenchError(message, hint="classes with __slots__ are not supported") from None


def metered_serializer(serde: Any, meter: Meter) -> Any:
    """A copy of a serializer whose class counts `dumps_typed` and `loads_typed`."""
    cls = type(serde)
    plain_dumps, plain_loads = cls.dumps_typed, cls.loads_typed

    @functools.wraps(plain_dumps)
    def dumps_typed(self: Any, obj: Any) -> tuple[str, bytes]:
        start_ns = time.thread_time_ns()
        result: tuple[str, bytes] = plain_dumps(self, obj)
        spent_ns = time.thread_time_ns() - start_ns
        tally = meter.tally()
        kind: Kind = "write" if tally.in_put_writes else _kind(obj)
        tally.add("dump", kind, len(result[1]), spent_ns)
        return result

    @functools.wraps(plain_loads)
    def loads_typed(self: Any, data: tuple[str, bytes]) -> Any:
        start_ns = time.thread_time_ns()
        result = plain_loads(self, data)
        spent_ns = time.thread_time_ns() - start_ns
        tally = meter.tally()
        kind = _kind(result)
        if kind == "value" and tally.loads is not None:
            # Values and pending writes look alike here; the reading method tells later.
            tally.loads.append((id(result), len(data[1]), spent_ns))
        else:
            tally.add("load", kind, len(data[1]), spent_ns)
        return result

    clone = copy.copy(serde)
    members = {"dumps_typed": dumps_typed, "loads_typed": loads_typed}
    clone.__class__ = type(f"Metered{cls.__name__}", (cls,), members)
    return clone


def round_trips(
    before: Counter[str], after: Counter[str], statements: tuple[int | None, int | None]
) -> RoundTrips:
    """What lies between two readings of the counters: calls, and statements sent."""
    first, last = statements
    sent = None if first is None or last is None else last - first
    return RoundTrips(calls=dict(sorted((after - before).items())), statements=sent)


def _kind(obj: Any) -> Kind:
    if isinstance(obj, _DeltaSnapshot):
        return "snapshot"
    # Checkpoints carry versions; their metadata, serialized apart, carries a source.
    if isinstance(obj, dict) and ("channel_versions" in obj or "source" in obj):
        return "checkpoint"
    return "value"


def _counting(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    if name == "list":
        return _counting_list(method)

    # langgraph looks at signatures (does `put_writes` take `task_path`?): keep them.
    @functools.wraps(method)
    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        meter: Meter = self._deltabench_meter
        tally = meter.tally()
        tally.calls[name] += 1
        if name == "put":
            result = method(self, *args, **kwargs)
            if meter.after_put is not None:
                meter.after_put(*args, **kwargs)
            return result
        if name == "put_writes":
            tally.in_put_writes = True
            try:
                result = method(self, *args, **kwargs)
            finally:
                tally.in_put_writes = False
            if meter.after_put_writes is not None:
                meter.after_put_writes(*args[:2])
            return result
        return _reading(tally, lambda: method(self, *args, **kwargs))

    return counted


def _counting_list(method: Callable[..., Iterator[Any]]) -> Callable[..., Any]:
    @functools.wraps(method)
    def counted(self: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        tally = self._deltabench_meter.tally()
        tally.calls["list"] += 1
        items = method(self, *args, **kwargs)
        while (item := _reading(tally, lambda: next(items, None))) is not None:
            yield item

    return counted


def _reading(tally: _Tally, read: Callable[[], Any]) -> Any:
    outer, tally.loads = tally.loads, []  # a reading method may call another one
    try:
        result = read()
    finally:
        loads, tally.loads = tally.loads, outer
    writes = Counter(id(value) for value in _pending_values(result))
    # From the last one on: an identity seen before was that of an object since let go.
    for identity, size_bytes, cpu_ns in reversed(loads):
        is_write = writes[identity] > 0
        writes[identity] -= is_write  # None is one object, and may be value and write
        tally.add("load", "write" if is_write else "value", size_bytes, cpu_ns)
    return result


def _pending_values(result: Any) -> Iterator[Any]:
    if isinstance(result, dict):  # get_delta_channel_history
        for history in result.values():
            yield from (value for _, _, value in history["writes"])
    elif result is not None:  # a CheckpointTuple
        yield from (value for _, _, value in getattr(result, "pending_writes", None) or ())
