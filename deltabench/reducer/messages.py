"""Messages as writes: with ids from a small pool, so that one replaces or removes another."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from deltabench.reducer.annotations import plain_type
from deltabench.reducer.width import Width, scalars

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_IDS = "123"


def is_messages(tp: Any) -> bool:
    """Whether a type is a LangChain message, a list of them, or what can be made into them."""
    from langchain_core.messages import BaseMessage

    tp = plain_type(tp)
    if isinstance(tp, type) and not get_args(tp):
        return issubclass(tp, BaseMessage)
    return get_origin(tp) in (Union, types.UnionType, list, Sequence) and any(
        is_messages(part) for part in get_args(tp)
    )


def derive_messages(tp: Any, width: Width) -> SearchStrategy[Any]:
    """Messages of people and models, and removals, alone or in lists as the type allows.

    langgraph gives every message object an id before it is saved, so ids are always there;
    what a reducer does without them is a check of its own.
    """
    from hypothesis import strategies as st
    from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage

    texts = scalars(width)[str]
    ids = texts if width.distinct else st.sampled_from(_IDS)
    kinds: list[SearchStrategy[Any]] = [
        st.tuples(texts, ids).map(lambda parts: HumanMessage(parts[0], id=parts[1])),
        st.tuples(texts, ids).map(lambda parts: AIMessage(parts[0], id=parts[1])),
    ]
    if not width.distinct:
        kinds.append(ids.map(lambda name: RemoveMessage(id=name)))
    one = st.one_of(kinds)
    several = st.lists(one, min_size=width.least_items, max_size=width.most_items)
    if get_origin(tp) in (list, Sequence):
        return several
    if not any(get_origin(plain_type(part)) is list for part in get_args(tp)):
        return one
    return several if width.distinct else st.one_of(several, one)
