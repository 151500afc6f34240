"""Reducers as people write them: good ones, and one for each way to break the contract."""

from __future__ import annotations

import operator
import random
import time
import uuid
from collections.abc import Sequence  # noqa: TC003  # annotations are read when it runs
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel


@dataclass
class Note:
    """What a user may keep in a state."""

    text: str
    stars: int = 0


class Todo(BaseModel):
    """The same as a pydantic model."""

    title: str
    done: bool = False


def append(state: list[str], writes: list[list[str]]) -> list[str]:
    """Every item of every write, at the end."""
    return [*state, *(item for write in writes for item in write)]


def append_todos(state: list[Todo], writes: Sequence[Todo]) -> list[Todo]:
    """Each write is one item."""
    return [*state, *writes]


def merge_notes(state: dict[str, Note], writes: list[dict[str, Note | None]]) -> dict[str, Note]:
    """Merge, with None as the marker of a deletion."""
    merged: dict[str, Note | None] = dict(state)
    for write in writes:
        merged.update(write)
    return {key: note for key, note in merged.items() if note is not None}


def union(state: set[str], writes: list[set[str]]) -> set[str]:
    """All items once."""
    return state.union(*writes)


def count(state: int, writes: list[int]) -> int:
    """The sum of what is written."""
    return state + sum(writes)


def last_write_wins(state: str, writes: list[str]) -> str:
    """The newest write alone."""
    return writes[-1] if writes else state


def newest_ten(state: list[int], writes: list[list[int]]) -> list[int]:
    """A cap on the whole state keeps the contract."""
    return [*state, *(item for write in writes for item in write)][-10:]


def last_of_batch(state: dict[str, int], writes: list[dict[str, int]]) -> dict[str, int]:
    """Forgets all but the last write of a batch."""
    return {**state, **(writes[-1] if writes else {})}


def average(state: float, writes: list[float]) -> float:
    """Weighs a state like a write."""
    return (state + sum(writes)) / (len(writes) + 1)


def sort_batch(state: list[str], writes: list[list[str]]) -> list[str]:
    """Sorts what comes together."""
    return [*state, *sorted(item for write in writes for item in write)]


def unique_in_batch(state: list[str], writes: list[list[str]]) -> list[str]:
    """De-duplicates only what comes together."""
    return [*state, *dict.fromkeys(item for write in writes for item in write)]


def newest_two_of_batch(state: list[int], writes: list[list[int]]) -> list[int]:
    """A cap on each batch breaks it."""
    return [*state, *[item for write in writes for item in write][-2:]]


def random_ids(state: list[dict[str, str]], writes: list[str]) -> list[dict[str, str]]:
    """Gives each item an id of its own."""
    return [*state, *({"id": str(uuid.uuid4()), "text": text} for text in writes)]


def shuffled(state: list[int], writes: list[int]) -> list[int]:
    """Another order each time."""
    mixed = [*state, *writes]
    random.shuffle(mixed)
    return mixed


def stamped(state: dict[str, int], writes: list[dict[str, int]]) -> dict[str, int]:
    """Keeps the second in which it was called."""
    merged = {**state}
    for write in writes:
        merged |= write
    return merged | {"at": int(time.time())}


def extend(state: list[str], writes: list[list[str]]) -> list[str]:
    """Right but in place."""
    for write in writes:
        state.extend(write)
    return state


def consume(state: list[str], writes: list[list[str]]) -> list[str]:
    """Empties the writes, which the saver still needs."""
    taken = [write.pop(0) for write in writes if write]
    return [*state, *taken]


def count_batches(state: int, writes: list[str]) -> int:  # noqa: ARG001  # only the call counts
    """Counts calls, not writes."""
    return state + 1


def unstorable(state: dict[str, Any], writes: list[str]) -> dict[str, Any]:
    """Keeps what no serializer takes."""
    return {**state, **{write: range(3) for write in writes}}


def refuse_second(state: list[str], writes: list[str]) -> list[str]:
    """Raises in one call what it takes in two."""
    if len(writes) > 2:
        message = "too many\nat once"
        raise ValueError(message)
    return [*state, *writes]


def never(state: list[str], writes: list[str]) -> list[str]:  # noqa: ARG001  # it only raises
    """Takes nothing."""
    message = "not today"
    raise RuntimeError(message)


def any_order(state: list[str], writes: list[list[str]]) -> list[str]:
    """De-duplicates by a set, whose order differs from process to process."""
    return list({item for part in (state, *writes) for item in part})


def keep_first(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    """A binary reducer: what is there stays."""
    return right | left


def untold(state, update):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """A binary reducer without annotations."""
    return operator.add(state, update)


def untold_batch(a, b):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """A batch reducer whose names say nothing."""
    return a + sum(b)


def merge(state: dict[str, int], writes: list[dict[str, int]]) -> dict[str, int]:
    """Copies the state once for each batch."""
    merged = dict(state)
    for write in writes:
        merged.update(write)
    return merged
