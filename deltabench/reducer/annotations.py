"""What the annotations of a reducer say: the type of its state, of a write, and its form."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from typing_extensions import ReadOnly, TypeAliasType

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from deltabench.reducer.result import Form

# Taken for evidence only where the types leave it open.
_BATCH_NAMES = frozenset({"writes", "values", "updates", "batch", "deltas", "items"})
_SEQUENCES = (list, tuple, Sequence, Iterable)
FormChoice = Literal["auto", "batch", "binary"]


@dataclass(frozen=True, slots=True)
class Annotations:
    """Form and types of a reducer; a type is None where nothing is annotated.

    `open` says that the types leave the form open and the name of a parameter decided.
    """

    form: Form
    recognised_by: str
    state_type: Any
    write_type: Any
    open: bool = False


def read_annotations(
    reducer: Callable[..., Any], *, form: FormChoice = "auto", state_type: Any = None
) -> Annotations:
    """Read the form and the types of a reducer; `state_type` is its channel's, if known.

    Raises DeltabenchError when it cannot be called with a state and one more argument.
    """
    names = _two_parameters(reducer)
    hints = _hints(reducer)
    first, second = (without_none(plain_type(hints.get(name))) for name in names)
    returned = without_none(plain_type(hints.get("return")))
    state = plain_type(state_type) or returned or first
    found: Form
    if form == "auto":
        found, by = _recognise(names[1], second, first or state)
    else:
        found, by = form, "as --form says"
    write = second or state if found == "binary" else _element(second)
    if found == "binary":
        state = state or write
    return Annotations(found, by or _by_name(names[1], found), state, write, open=not by)


def _recognise(name: str, second: Any, state: Any) -> tuple[Form, str]:
    """The form, and what says so; an empty text where only the name does."""
    if second is not None and second is not Any:
        if not _is_sequence(second):
            return "binary", f"'{name}' is one write, not a sequence of writes"
        if state is not None and _bare(second) != _bare(state):
            return "batch", f"'{name}' is a sequence of writes"
    return ("batch" if name.lower() in _BATCH_NAMES else "binary"), ""


def _by_name(name: str, form: Form) -> str:
    other = "binary" if form == "batch" else "batch"
    return f"read so by the name '{name}'; --form {other} reads it otherwise"


def _bare(tp: Any) -> Any:
    """A sequence type with its element, whatever kind of sequence it is."""
    if _is_sequence(tp):
        return Sequence, _element(tp)
    return tp


def _is_sequence(tp: Any) -> bool:
    if _is_union(tp):
        return all(_is_sequence(part) for part in get_args(tp))
    return (get_origin(tp) or tp) in _SEQUENCES


def _element(tp: Any) -> Any:
    arguments = get_args(tp)
    if not _is_sequence(tp) or not arguments or _is_union(tp):
        return None
    return plain_type(arguments[0])


def plain_type(tp: Any) -> Any:
    """A type without what only marks it: Annotated, Required, NotRequired, an alias."""
    while True:
        if isinstance(tp, TypeAliasType):
            tp = tp.__value__
        elif get_origin(tp) in (Annotated, Required, NotRequired, ReadOnly):
            tp = get_args(tp)[0]
        else:
            return tp


def without_none(tp: Any) -> Any:
    """A type without the None that it allows; None if nothing is left or nothing is known."""
    if tp in (None, type(None), inspect.Parameter.empty):
        return None
    if _is_union(tp):
        parts = tuple(part for part in get_args(tp) if part is not type(None))
        return Union[parts]  # noqa: UP007  # made when it runs
    return tp


def _is_union(tp: Any) -> bool:
    return get_origin(tp) in (Union, types.UnionType)


def _two_parameters(reducer: Callable[..., Any]) -> tuple[str, str]:
    if inspect.iscoroutinefunction(reducer):
        raise DeltabenchError("an async function is no reducer", hint="channels call it plainly")
    try:
        parameters = inspect.signature(reducer).parameters.values()
    except (TypeError, ValueError):  # some that are written in C have no signature
        return "state", "write"
    positional = [
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    try:
        inspect.signature(reducer).bind(None, None)
    except TypeError as error:
        name = getattr(reducer, "__name__", "the reducer")
        raise DeltabenchError(
            f"{name} cannot be called with a state and writes: {error}",
            hint="a reducer is called as reducer(state, [write, ...]) or reducer(left, right)",
        ) from error
    # What is missing stands in *args.
    first, second = (*positional, *("state", "writes")[len(positional) :])[:2]
    return first, second


def _hints(reducer: Callable[..., Any]) -> dict[str, Any]:
    target = reducer
    while isinstance(target, types.MethodType) or hasattr(target, "func"):
        target = target.__func__ if isinstance(target, types.MethodType) else target.func
    if not isinstance(target, types.FunctionType | type) and hasattr(type(target), "__call__"):  # noqa: B004
        target = type(target).__call__
    try:
        return get_type_hints(target, include_extras=True)
    except Exception:  # noqa: BLE001  # names that only type checkers see: as if not annotated
        return {}
