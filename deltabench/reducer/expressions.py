"""Values as a user would type them, with the imports that they need."""

from __future__ import annotations

import dataclasses
import enum
import math
import re
from typing import Any

_OWN_MODULE = re.compile(r"^deltabench_(.+)_[0-9a-f]{8}$")


def module_name(module: str) -> str:
    """The name that a user imports a module by, also one that was loaded from a file."""
    found = _OWN_MODULE.match(module)
    return found[1] if found else module


def expression(value: Any, imports: set[str]) -> str:
    """A Python expression that makes the value; adds import lines to `imports`."""
    if type(value) in (list, tuple, set, frozenset):
        return _sequence(value, imports)
    if type(value) is dict:
        pairs = (f"{expression(k, imports)}: {expression(v, imports)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, enum.Enum):
        return f"{_class_name(type(value), imports)}.{value.name}"
    fields = _fields(value)
    if fields is not None:
        given = (f"{name}={expression(part, imports)}" for name, part in fields)
        return f"{_class_name(type(value), imports)}({', '.join(given)})"
    text = " ".join(repr(value).split())
    kind = type(value)
    if kind.__module__ != "builtins" and text.startswith(f"{kind.__module__}."):
        imports.add(f"import {kind.__module__}")
    elif kind.__module__ != "builtins" and text.startswith(kind.__qualname__):
        _class_name(kind, imports)
    return text


def _sequence(value: Any, imports: set[str]) -> str:
    ordered = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
    inner = ", ".join(expression(part, imports) for part in ordered)
    if isinstance(value, list):
        return f"[{inner}]"
    if isinstance(value, tuple):
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, frozenset):
        return f"frozenset({{{inner}}})" if inner else "frozenset()"
    return f"{{{inner}}}" if inner else "set()"


def _fields(value: Any) -> list[tuple[str, Any]] | None:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.init]
    if hasattr(type(value), "model_fields"):
        shown = ((name, getattr(value, name)) for name in type(value).model_fields)
        return [(name, part) for name, part in shown if not _implied(value, name, part)]
    return None


def _implied(value: Any, name: str, part: Any) -> bool:
    """Whether a field of a model need not be given: it is its default, or fixed by the class."""
    kind = type(value)
    message = kind.__module__.startswith("langchain_core.messages")
    # The tag of a message is no argument of its class; a removal has no content.
    if message and (name == "type" or (name == "content" and kind.__name__ == "RemoveMessage")):
        return True
    field = kind.model_fields[name]
    if field.is_required():
        return False
    default = field.get_default(call_default_factory=True, validated_data={})
    return bool(part == default)


def _class_name(kind: type, imports: set[str]) -> str:
    module = module_name(kind.__module__)
    if module.startswith("langchain_core.messages."):
        module = "langchain_core.messages"
    if module != "builtins":
        imports.add(f"from {module} import {kind.__qualname__.partition('.')[0]}")
    return kind.__qualname__
