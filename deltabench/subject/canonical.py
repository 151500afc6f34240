"""Values of a user's state in one plain form, so that two runs can be compared by it.

Left out are ids of messages, which langgraph draws at random where nobody gives one, and
the times at which Deep Agents wrote its files.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

# Deep Agents stamps its files with the clock, which no two runs share.
_CLOCK_FIELDS = frozenset({"created_at", "modified_at"})


def canonical(value: Any) -> Any:
    """The value as JSON can hold it; the same for equal values, in any process."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (BaseMessage, BaseModel)):
        left_out = {"id"} if isinstance(value, BaseMessage) else set()
        return {type(value).__name__: canonical(value.model_dump(exclude=left_out))}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {type(value).__name__: canonical(fields)}
    return _collection(value)


def _collection(value: Any) -> Any:
    if isinstance(value, Mapping):
        left_out = _CLOCK_FIELDS if "content" in value else frozenset()
        pairs = [[canonical(k), canonical(v)] for k, v in value.items() if k not in left_out]
        return {"mapping": sorted(pairs, key=_text)}
    if isinstance(value, AbstractSet):
        return {"set": sorted((canonical(item) for item in value), key=_text)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": hashlib.sha256(value).hexdigest()}
    if isinstance(value, Sequence):
        return [canonical(item) for item in value]
    return _serialized(value)


def digest(value: Any) -> str:
    """16 hex digits over the canonical form."""
    return hashlib.sha256(_text(canonical(value)).encode()).hexdigest()[:16]


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True)


def _serialized(value: Any) -> Any:
    """Whatever else langgraph can store, by the bytes that it stores."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    kind, data = JsonPlusSerializer().dumps_typed(value)
    return {type(value).__name__: [kind, hashlib.sha256(data).hexdigest()]}
