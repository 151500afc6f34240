"""Values of classes with fields: typed dicts, dataclasses, pydantic models, named tuples."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NotRequired, get_origin, get_type_hints

from typing_extensions import is_typeddict

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy


def derive_fields(
    tp: Any, derive: Callable[[Any], SearchStrategy[Any]]
) -> SearchStrategy[Any] | None:
    """Values of a class from those of its fields; None if it has no fields that are known."""
    from hypothesis import strategies as st

    names = _field_names(tp)
    if names is None:
        return None
    hints = get_type_hints(tp, include_extras=True)
    made = {name: derive(hints[name]) for name in names}
    if not is_typeddict(tp):
        return st.fixed_dictionaries(made).map(lambda fields: tp(**fields))
    optional = {
        name
        for name in names
        if name in tp.__optional_keys__ or get_origin(hints[name]) is NotRequired
    }
    return st.fixed_dictionaries(
        {name: values for name, values in made.items() if name not in optional},
        optional={name: values for name, values in made.items() if name in optional},
    )


def _field_names(tp: Any) -> list[str] | None:
    if is_typeddict(tp):
        return list(get_type_hints(tp))
    if dataclasses.is_dataclass(tp):
        return [field.name for field in dataclasses.fields(tp) if field.init]
    if hasattr(tp, "model_fields"):
        return list(tp.model_fields)
    return list(tp._fields) if hasattr(tp, "_fields") else None
