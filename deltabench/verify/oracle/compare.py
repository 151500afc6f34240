"""Finds the first difference between two plain values.

Generated ids and times differ between twins by nature. They are matched one to one:
whichever id of one twin stood where an id of the other stood must stand there ever after.
Inside one twin nothing is matched: an id that changes between two reads is a difference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

# UUIDs, the 32 hexadecimal digits that langgraph makes interrupt ids of, and times.
_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:\d\d|Z)?"
)
_SHOWN_CHARS = 60
# Keys of plain states, events and messages, which are the same in every thread.
_STRUCTURE = frozenset(
    (
        *("additional_kwargs", "args", "checkpoint_ns", "config", "content", "error", "found"),
        *("id", "interrupts", "it", "items", "member", "message", "metadata", "name", "namespace"),
        *("next", "parent", "parents", "path", "raised", "response_metadata", "result", "results"),
        *("source", "state", "status", "step", "tasks", "text", "tool_call_id", "tool_calls"),
        *("type", "usage_metadata", "value", "values", "writes"),
    )
)


class _Missing:
    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()


@dataclass(frozen=True, slots=True)
class Apart:
    """Where two values differ: the path to it, and both sides in short.

    `kinds` tell of both sides without their content.
    """

    path: tuple[str | int, ...]
    expected: str
    found: str
    kinds: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """The path as one would write it in Python: `values['notes'][3]`."""
        if not self.path:
            return "it"
        first, *rest = self.path
        return str(first) + "".join(f"[{part!r}]" for part in rest)

    def without_content(self, names: frozenset[str]) -> Apart:
        """The same place of a user's thread: keys only where they are `names`, and no values."""
        path = tuple(
            part if isinstance(part, int) or part in names or part in _STRUCTURE else "..."
            for part in self.path
        )
        return Apart(path, *(self.kinds or (self.expected, self.found)))


@dataclass(slots=True)
class Matching:
    """Which id of the one twin belongs to which id of the other, found as they appear."""

    forward: dict[str, str] = field(default_factory=dict)
    backward: dict[str, str] = field(default_factory=dict)
    # The first id that stands where the other side has none: told, but no end of a case.
    only_found: Apart | None = None

    def same(self, expected: str, found: str) -> bool:
        """Whether two texts are equal but for ids that belong together; learns new pairs."""
        if expected == found and not _ID.search(expected):
            return True
        ours, theirs = _ID.findall(expected), _ID.findall(found)
        if len(ours) != len(theirs) or _ID.sub("", expected) != _ID.sub("", found):
            return False
        pairs = set(zip(ours, theirs, strict=True))
        if any(self.forward.get(one, other) != other for one, other in pairs):
            return False
        if any(self.backward.get(other, one) != one for one, other in pairs):
            return False
        self.forward.update(pairs)
        self.backward.update((other, one) for one, other in pairs)
        return len(set(ours)) == len(set(theirs)) == len(pairs)


def without_ids(text: str) -> str:
    """The text with every generated id left out."""
    return _ID.sub("", text)


def first_difference(expected: Any, found: Any, matching: Matching | None = None) -> Apart | None:
    """Give the first place where two plain values differ, or None when they are equal.

    Without a matching every id must be equal.
    """
    return _walk(expected, found, matching, ())


def _walk(  # noqa: PLR0911 - one line for each kind of value
    expected: Any, found: Any, matching: Matching | None, path: tuple[str | int, ...]
) -> Apart | None:
    if isinstance(expected, str) and isinstance(found, str):
        same = expected == found if matching is None else matching.same(expected, found)
        kinds = (kind(expected), kind(found))
        return None if same else Apart(path, *_texts(expected, found), kinds)
    if isinstance(expected, dict) and isinstance(found, dict):
        return _walk_dicts(expected, found, matching, path)
    if isinstance(expected, list) and isinstance(found, list):
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            if apart := _walk(one, other, matching, (*path, index)):
                return apart
        if len(expected) != len(found):
            return _lengths(expected, found, path)
        return None
    if matching and expected is None and path[-1:] == ("id",) and _is_id(found):
        matching.only_found = matching.only_found or _apart(path, expected, found)
        return None
    # 1, 1.0 and True are equal to Python but not to a reader; nan is equal to itself here.
    if type(expected) is type(found) and (expected == found or repr(expected) == repr(found)):
        return None
    return _apart(path, expected, found)


def _apart(path: tuple[str | int, ...], expected: Any, found: Any) -> Apart:
    return Apart(path, short(expected), short(found), (kind(expected), kind(found)))


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _walk_dicts(
    expected: dict[str, Any],
    found: dict[str, Any],
    matching: Matching | None,
    path: tuple[str | int, ...],
) -> Apart | None:
    for key, one in expected.items():
        if key in found:
            apart = _walk(one, found[key], matching, (*path, key))
        elif matching is not None and (twin := _twin_key(key, found, matching)) is not None:
            apart = _walk(one, found[twin], matching, (*path, key))
        else:
            apart = _apart((*path, key), one, MISSING)
        if apart:
            return apart
    if len(found) > len(expected):
        extra = next(key for key in found if key not in expected)
        return _apart((*path, extra), MISSING, found[extra])
    return None


def _twin_key(key: str, found: dict[str, Any], matching: Matching) -> str | None:
    """Find the key that is this one but for its ids, such as a namespace of a subgraph."""
    if not _ID.search(key):
        return None
    return next((other for other in found if matching.same(key, other)), None)


def _lengths(expected: list[Any], found: list[Any], path: tuple[str | int, ...]) -> Apart:
    at = min(len(expected), len(found))
    if len(expected) > at:
        return _apart((*path, at), expected[at], MISSING)
    return _apart((*path, at), MISSING, found[at])


def _texts(expected: str, found: str) -> tuple[str, str]:
    """Show two texts from shortly before where they part."""
    if max(len(expected), len(found)) <= _SHOWN_CHARS:
        return repr(expected), repr(found)
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b),
        min(len(expected), len(found)),
    )
    start = max(0, at - 10)
    return tuple(  # type: ignore[return-value]
        f"{'…' * bool(start)}{text[start : start + _SHOWN_CHARS - 20]!r} ({len(text)} characters)"
        for text in (expected, found)
    )


def short(value: Any) -> str:
    """Render a plain value in at most some sixty characters."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 1]}…"


def kind(value: Any) -> str:
    """Tell of a plain value without its content."""
    if value is None or isinstance(value, bool | _Missing):
        return repr(value)
    if isinstance(value, str):
        return f"a text of {len(value):,} characters"
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    if isinstance(value, dict):
        return f"a {value['type']}" if isinstance(value.get("type"), str) else "a dict"
    return f"a value of type {type(value).__name__}"
