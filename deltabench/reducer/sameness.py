"""Whether two values are the same state, and where they first differ."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
# A path with what stands there in the one value and in the other.
Difference = tuple[str, Any, Any]


def same(one: Any, two: Any) -> bool:
    """Whether two values are equal, in type too; plain objects are compared by their fields."""
    return difference(one, two) is None


def difference(one: Any, two: Any, path: str = "") -> Difference | None:
    """Where two values first differ, as path and the two parts; None if they do not."""
    if type(one) is not type(two):
        return path, one, two
    parts = _parts(one, two, path)
    if parts is None:
        return None if _equal(one, two) else (path, one, two)
    for inner, first, second in parts:
        found = difference(first, second, inner)
        if found is not None:
            return found
    return None


def made_at_random(one: Any, two: Any) -> bool:
    """Whether two parts that differ look like generated ids."""
    return all(isinstance(part, str) and _UUID.fullmatch(part) is not None for part in (one, two))


def _parts(one: Any, two: Any, path: str) -> Iterable[Difference] | None:
    """The parts of two values of one type, side by side; None where they have to be equal."""
    if isinstance(one, list | tuple) and len(one) == len(two):
        pairs = enumerate(zip(one, two, strict=True))
        return [(f"{path}[{place}]", first, second) for place, (first, second) in pairs]
    if isinstance(one, Mapping) and one.keys() == two.keys():
        return [(f"{path}[{key!r}]", one[key], two[key]) for key in one]
    names = _field_names(one)
    if names is None:
        return None
    return [
        (f"{path}.{name}", getattr(one, name, None), getattr(two, name, None)) for name in names
    ]


def _field_names(value: Any) -> list[str] | None:
    """Fields to compare one by one; None where the type's own equality is asked."""
    if dataclasses.is_dataclass(value):
        return [field.name for field in dataclasses.fields(value)]
    if hasattr(type(value), "model_fields"):
        return list(type(value).model_fields)
    if "__dict__" in dir(value) and _has_no_equality(type(value)):
        return sorted(vars(value))
    return None


def _has_no_equality(kind: Any) -> bool:
    return all("__eq__" not in vars(base) for base in kind.__mro__[:-1])


def _equal(one: Any, two: Any) -> bool:
    try:
        # What is not equal to itself, such as NaN, is the same where both are such.
        answer: Any = (one == two) | ((one != one) & (two != two))  # noqa: PLR0124
        # Arrays and frames answer element by element, the latter column by column.
        while hasattr(answer, "all"):
            answer = answer.all()
            if not hasattr(answer, "__len__"):
                break
        return bool(answer)
    except Exception:  # noqa: BLE001  # what cannot even be compared is not the same
        return False
