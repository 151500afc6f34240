"""Values of the types that users put into state, and a graph that keeps them."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections import deque
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

from deltabench.verify.probes import append, under_policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from langgraph.pregel import Pregel


@dataclasses.dataclass(frozen=True)
class Point:
    """A dataclass as users write them."""

    x: int
    label: str


class Note(BaseModel):
    """A pydantic model as users write them."""

    title: str
    tags: list[str] = []


class Mood(enum.Enum):
    """An enumeration."""

    CALM = "calm"


def _array() -> Any:
    import numpy as np

    return np.arange(6, dtype=np.float32).reshape(2, 3)


def _frame() -> Any:
    import pandas as pd

    return pd.DataFrame({"word": ["a", "b"], "count": [1, 2]})


VALUES: dict[str, Callable[[], Any]] = {
    "dataclass": lambda: Point(1, "one"),
    "pydantic model": lambda: Note(title="t", tags=["x"]),
    "enum": lambda: Mood.CALM,
    "set": lambda: {"b", "a"},
    "frozen set": lambda: frozenset({1, 2}),
    "tuple": lambda: (1, ("two", None)),
    "deque": lambda: deque([1, 2], maxlen=5),
    "bytes": lambda: b"\x00\xff",
    "date and time": lambda: [
        datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
        date(2026, 1, 2),
        timedelta(seconds=1.5),
    ],
    "decimal": lambda: Decimal("1.10"),
    "uuid": lambda: UUID(int=7),
    "path": lambda: PurePosixPath("/a/b"),
    "float": lambda: [0.1, float("inf"), -0.0],
    "large whole number": lambda: 2**62,
    "nested": lambda: {"a": [{"b": ({"c"}, [Point(2, "two")])}], "": None},
    "message": lambda: AIMessage("text", id="m", tool_calls=[]),
    "document": lambda: Document("text", metadata={"n": 1}),
    "numpy array": _array,
    "numpy number": lambda: _array()[1, 2],
    "pandas frame": _frame,
}


class Kept(TypedDict, total=False):
    """A list of anything, and the kind of value to add."""

    values: Annotated[list[Any], DeltaChannel(append)]
    kind: str


def kept(saver: Any, frequency: int | None) -> Pregel[Any]:
    """One node that adds a value of the kind that is asked for."""
    builder = StateGraph(Kept)
    builder.add_node("add", lambda state: {"values": [VALUES[state["kind"]]()]})
    builder.add_edge(START, "add")
    return under_policy(builder, saver, frequency)


def pickled(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The same with langgraph's serializer falling back to pickle."""
    saver.serde = JsonPlusSerializer(pickle_fallback=True)
    return kept(saver, frequency)


class Scrambler:
    """A cipher for trying only: it repeats a hash of a fixed key over the bytes."""

    _KEY = hashlib.sha256(b"not a secret").digest()

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Give the name of the cipher and the scrambled bytes."""
        return "scrambler", self._turned(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """Undo `encrypt`; raises ValueError for another cipher."""
        if ciphername != "scrambler":
            raise ValueError(f"unknown cipher {ciphername}")
        return self._turned(ciphertext)

    def _turned(self, data: bytes) -> bytes:
        key = self._KEY * (len(data) // len(self._KEY) + 1)
        return bytes(a ^ b for a, b in zip(data, key, strict=False))


def encrypted(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The same with everything encrypted before it is stored."""
    saver.serde = EncryptedSerializer(Scrambler())
    return kept(saver, frequency)
