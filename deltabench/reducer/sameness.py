"""Whether two values are the same state, and where they first differ."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")


def same(one: Any, two: Any) -> bool:
    """Whether two values are equal, in type too; plain objects are compared by their fields."""
    return difference(one, two) is None


def difference(one: Any, two: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Where two values first differ, as path and the two parts; None if they do not."""
    if type(one) is not type(two):
        return path, one, two
    if isinstance(one, list | tuple):
        if len(one) != len(two):
            return path, one, two
        return _first(
            ((f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(one, two, strict=True)))
        )
    if isinstance(one, Mapping):
        if one.keys() != two.keys():
            return path, one, two
        return _first((f"{path}[{key!r}]", one[key], two[key]) for key in one)
    fields = _fields(one)
    if fields is not None:
        return _first(
            (f"{path}.{name}", getattr(one, name, None), getattr(two, name, None))
            for name in fields
        )
    return None if _equal(one, two) else (path, one, two)


def made_at_random(one: Any, two: Any) -> bool:
    """Whether two parts that differ look like generated ids."""
    return all(isinstance(part, str) and _UUID.fullmatch(part) is not None for part in (one, two))


def _first(parts: Any) -> tuple[str, Any, Any] | None:
    for path, one, two in parts:
        found = difference(one, two, path)
        if found is not None:
            return found
    return None


def _fields(value: Any) -> list[str] | None:
    """Fields to compare one by one; None where the type's own equality is asked."""
    if dataclasses.is_dataclass(value):
        return [field.name for field in dataclasses.fields(value)]
    if hasattr(type(value), "model_fields"):
        return list(type(value).model_fields)
    if type(value).__eq__ is object.__eq__ and hasattr(value, "__dict__"):
        return sorted(vars(value))
    return None


def _equal(one: Any, two: Any) -> bool:
    answer = one == two
    if isinstance(answer, bool):
        return answer
    # Arrays and frames answer element by element.
    every: Any = answer
    while hasattr(every, "all"):
        every = every.all()
    return bool(every)
