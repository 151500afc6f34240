"""Hypothesis strategies from annotated types: small values that meet, so that reducers differ."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from typing_extensions import is_typeddict

from deltabench.errors import DeltabenchError
from deltabench.reducer.annotations import plain_type
from deltabench.reducer.classes import derive_fields
from deltabench.reducer.messages import derive_messages, is_messages
from deltabench.reducer.width import NARROW, Width, scalars

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

HINT = "name values by --writes module:strategy or --examples '[write, ...]'"
_MOST_DEEP = 8
_PAIR = 2


def derive(tp: Any, width: Width = NARROW) -> SearchStrategy[Any]:
    """Values of a type.

    Raises DeltabenchError when the type says too little about its values.
    """
    return _derive(tp, width, ())


def _derive(tp: Any, width: Width, above: tuple[Any, ...]) -> SearchStrategy[Any]:
    tp = plain_type(tp)
    if len(above) > _MOST_DEEP or above.count(tp) > 1:
        raise _unknown(tp, "it contains itself")
    if is_messages(tp):
        return derive_messages(tp, width)
    found = scalars(width).get(tp) if _is_plain(tp) else None
    if found is None:
        found = _special(tp, width, above)
    if found is None:
        found = _container(tp, width.inside() if above else width, (*above, tp))
    if found is None and isinstance(tp, type):
        found = _class(tp, width, (*above, tp))
    if found is None:
        raise _unknown(tp, "")
    return found


def _is_plain(tp: Any) -> bool:
    return tp in (None, Any) or (isinstance(tp, type) and not get_args(tp))


def _special(tp: Any, width: Width, above: tuple[Any, ...]) -> SearchStrategy[Any] | None:
    """Values of what is no class: alternatives, literals, new names, type variables."""
    from hypothesis import strategies as st

    if get_origin(tp) is Literal:
        return st.sampled_from(get_args(tp))
    if get_origin(tp) in (Union, types.UnionType):
        # None first, as shrinking goes to the first; then whatever does not begin again.
        parts = sorted(get_args(tp), key=lambda part: part is not type(None))
        ending = [part for part in parts if plain_type(part) not in above]
        return st.one_of([_derive(part, width, above) for part in ending or parts])
    if isinstance(tp, NewType):
        return _derive(tp.__supertype__, width, (*above, tp))
    if isinstance(tp, TypeVar):
        return _derive(tp.__bound__ or Any, width, (*above, tp))
    return None


def _container(tp: Any, width: Width, inside: tuple[Any, ...]) -> SearchStrategy[Any] | None:
    from hypothesis import strategies as st

    kind, arguments = get_origin(tp) or tp, get_args(tp)
    if not isinstance(kind, type) or is_typeddict(kind) or issubclass(kind, str | bytes):
        return None
    least, most = width.least_items, width.most_items
    if kind is tuple and arguments and arguments[-1] is not ...:
        return st.tuples(*(_derive(part, width, inside) for part in arguments))
    if issubclass(kind, Mapping):
        key, value = arguments if len(arguments) == _PAIR else (str, Any)
        keys, values = _derive(key, width, inside), _derive(value, width, inside)
        return _as(kind, st.dictionaries(keys, values, min_size=least, max_size=most))
    if kind in (tuple, Sequence, Iterable) or issubclass(kind, list | AbstractSet):
        item = _derive(arguments[0] if arguments else Any, width, inside)
        unique = issubclass(kind, AbstractSet)
        return _as(kind, st.lists(item, min_size=least, max_size=most, unique=unique))
    return None


def _as(kind: type, made: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """The values as an instance of the kind, or as the builtin that an abstract kind stands for."""
    if kind in (list, dict, Sequence, Iterable, Mapping):
        return made
    if issubclass(kind, AbstractSet):
        return made.map(frozenset if kind is frozenset else set)
    abstract = bool(getattr(kind, "__abstractmethods__", None))
    return made.map(dict if abstract else kind)


def _class(tp: type, width: Width, inside: tuple[Any, ...]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if issubclass(tp, enum.Enum):
        return st.sampled_from(tp)
    found = derive_fields(tp, lambda field: _derive(field, width, inside))
    if found is not None:
        return found
    try:
        found = st.from_type(tp)
        found.validate()
    except Exception as error:
        raise _unknown(tp, "") from error
    return found


def _unknown(tp: Any, why: str) -> DeltabenchError:
    name = getattr(tp, "__name__", None) or str(tp)
    reason = f": {why}" if why else ""
    return DeltabenchError(f"no values can be derived from the type {name}{reason}", hint=HINT)
