"""Hypothesis strategies from annotated types: small values that meet, so that reducers differ."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NewType,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from typing_extensions import is_typeddict

from deltabench.errors import DeltabenchError
from deltabench.reducer.annotations import plain_type

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

HINT = "name values by --writes module:strategy or --examples '[write, ...]'"
_MOST_DEEP = 8
_FEW = 3


@dataclasses.dataclass(frozen=True, slots=True)
class Width:
    """How many values there are: few that collide, or many that let a state grow."""

    alphabet: str
    shortest: int
    longest: int
    integer: int
    least_items: int
    most_items: int


NARROW = Width(alphabet="abc", shortest=0, longest=2, integer=3, least_items=0, most_items=_FEW)
# Each text and each number is another one: hypothesis likes to repeat what it drew.
WIDE = Width(
    alphabet="abcdefghijklmnop", shortest=9, longest=9, integer=2**40, least_items=16, most_items=16
)


def derive(tp: Any, width: Width = NARROW) -> SearchStrategy[Any]:
    """Values of a type.

    Raises DeltabenchError when the type says too little about its values.
    """
    return _derive(tp, width, ())


def is_messages(tp: Any) -> bool:
    """Whether a type is a LangChain message, a list of them, or what can be made into them."""
    from langchain_core.messages import BaseMessage

    tp = plain_type(tp)
    if isinstance(tp, type) and not get_args(tp):
        return issubclass(tp, BaseMessage)
    return get_origin(tp) in (Union, types.UnionType, list, Sequence) and any(
        is_messages(part) for part in get_args(tp)
    )


def _derive(tp: Any, width: Width, above: tuple[Any, ...]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    tp = plain_type(tp)
    if len(above) > _MOST_DEEP or above.count(tp) > 1:
        raise _unknown(tp, "it contains itself")
    inside = (*above, tp)
    if is_messages(tp):
        return _messages(tp, width)
    numbers = count(1)
    if width.integer > NARROW.integer and tp in (int, str):
        # Drawn, so that there are many to draw, and counted, so that no two are the same.
        return st.integers(0, width.integer).map(lambda _: tp(next(numbers)))
    scalars = {
        bool: st.booleans(),
        int: st.integers(-width.integer, width.integer),
        float: st.integers(-10 * width.integer, 10 * width.integer).map(lambda tenths: tenths / 10),
        str: st.text(width.alphabet, min_size=width.shortest, max_size=width.longest),
        bytes: st.binary(min_size=width.shortest, max_size=width.longest),
        type(None): st.none(),
        None: st.none(),
    }
    if _hashable(tp) and tp in scalars:
        return scalars[tp]
    if tp in (Any, object):
        return st.one_of(scalars[int], scalars[str])
    origin, arguments = get_origin(tp), get_args(tp)
    # Only the outermost of nested containers is long: the state grows by its items.
    if above and width.least_items:
        width = dataclasses.replace(width, least_items=0, most_items=_FEW)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, types.UnionType):
        return st.one_of(_parts_of_union(arguments, width, above))
    if isinstance(tp, NewType):
        return _derive(tp.__supertype__, width, inside)
    if isinstance(tp, TypeVar):
        return _derive(tp.__bound__ or Any, width, inside)
    container = _container(origin or tp, arguments, width, inside)
    if container is not None:
        return container
    if isinstance(tp, type):
        return _class(tp, width, inside)
    raise _unknown(tp, "")


def _parts_of_union(
    parts: tuple[Any, ...], width: Width, above: tuple[Any, ...]
) -> list[SearchStrategy[Any]]:
    """Every alternative that ends; None first, as shrinking goes to the first."""
    ordered = sorted(parts, key=lambda part: part is not type(None))
    ending = [part for part in ordered if above.count(plain_type(part)) == 0]
    return [_derive(part, width, above) for part in ending or ordered]


def _container(
    kind: Any, arguments: tuple[Any, ...], width: Width, inside: tuple[Any, ...]
) -> SearchStrategy[Any] | None:
    from hypothesis import strategies as st

    sizes = {"min_size": width.least_items, "max_size": width.most_items}
    if kind is tuple and arguments and arguments[-1] is not ...:
        return st.tuples(*(_derive(part, width, inside) for part in arguments))
    if not isinstance(kind, type) or is_typeddict(kind):
        return None
    if issubclass(kind, str | bytes):
        return None
    if kind in (list, Sequence, Iterable, tuple) or issubclass(kind, list):
        items = st.lists(_derive(arguments[0] if arguments else Any, width, inside), **sizes)
        return items if kind in (list, Sequence, Iterable) else items.map(kind)
    if issubclass(kind, AbstractSet):
        made = st.sets(_derive(arguments[0] if arguments else Any, width, inside), **sizes)
        return made if kind in (set, AbstractSet) else made.map(frozenset)
    if issubclass(kind, Mapping):
        key, value = arguments if len(arguments) == 2 else (str, Any)  # noqa: PLR2004
        keys, values = _derive(key, width, inside), _derive(value, width, inside)
        pairs = st.dictionaries(keys, values, **sizes)
        return pairs if kind in (dict, Mapping) else pairs.map(kind)
    return None


def _class(tp: type, width: Width, inside: tuple[Any, ...]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if issubclass(tp, enum.Enum):
        return st.sampled_from(tp)
    if is_typeddict(tp):
        return _typed_dict(tp, width, inside)
    required, optional = _fields(tp)
    if required or optional:
        hints = get_type_hints(tp, include_extras=True)
        made = {name: _derive(hints[name], width, inside) for name in required}
        for name in optional:
            made[name] = _derive(hints[name], width, inside)
        return st.fixed_dictionaries(made).map(lambda fields: tp(**fields))
    try:
        found = st.from_type(tp)
        found.validate()
    except Exception as error:
        raise _unknown(tp, "") from error
    return found


def _typed_dict(tp: Any, width: Width, inside: tuple[Any, ...]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    hints = get_type_hints(tp, include_extras=True)
    optional = {
        name
        for name, hint in hints.items()
        if name in tp.__optional_keys__ or get_origin(hint) is NotRequired
    }
    made = {name: _derive(hint, width, inside) for name, hint in hints.items()}
    return st.fixed_dictionaries(
        {name: made[name] for name in made if name not in optional},
        optional={name: made[name] for name in made if name in optional},
    )


def _fields(tp: Any) -> tuple[list[str], list[str]]:
    """Names of the fields of a dataclass, pydantic model or named tuple: needed, and others."""
    if dataclasses.is_dataclass(tp):
        fields = [field for field in dataclasses.fields(tp) if field.init]
        missing = dataclasses.MISSING
        free = [f for f in fields if f.default is not missing or f.default_factory is not missing]
        return [f.name for f in fields if f not in free], [f.name for f in free]
    if hasattr(tp, "model_fields"):
        named = dict(tp.model_fields)
        needed = [name for name, field in named.items() if field.is_required()]
        return needed, [name for name in named if name not in needed]
    if hasattr(tp, "_fields"):
        return list(tp._fields), []
    return [], []


def _messages(tp: Any, width: Width) -> SearchStrategy[Any]:
    """Messages with ids from a small pool, so that one replaces or removes another.

    langgraph gives every message object an id before it is saved, so ids are always there;
    what a reducer does without them is a check of its own.
    """
    from hypothesis import strategies as st
    from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage

    narrow = width.longest == NARROW.longest
    ids = st.sampled_from(width.alphabet) if narrow else _derive(str, width, ())
    content = st.text(width.alphabet, max_size=width.longest)
    kinds: list[SearchStrategy[Any]] = [
        st.tuples(content, ids).map(lambda parts: HumanMessage(parts[0], id=parts[1])),
        st.tuples(content, ids).map(lambda parts: AIMessage(parts[0], id=parts[1])),
    ]
    if narrow:
        kinds.append(ids.map(lambda name: RemoveMessage(id=name)))
    one = st.one_of(kinds)
    several = st.lists(one, min_size=width.least_items, max_size=width.most_items)
    if get_origin(tp) in (list, Sequence):
        return several
    lists = any(get_origin(plain_type(part)) is list for part in get_args(tp))
    if not lists:
        return one
    return st.one_of(several, one) if narrow else several


def _hashable(tp: Any) -> bool:
    return isinstance(tp, type | type(None))


def _unknown(tp: Any, why: str) -> DeltabenchError:
    name = getattr(tp, "__name__", None) or str(tp)
    reason = f": {why}" if why else ""
    return DeltabenchError(f"no values can be derived from the type {name}{reason}", hint=HINT)
