"""Looks for pieces of one text in another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Longer than any role, and than the tool names in the chats of these tests.
PIECE_CHARS = 13


def content_of(messages: Iterable[dict[str, Any]]) -> set[str]:
    """Everything in a chat that is somebody's: texts, ids, arguments and their fields.

    The fields that Deep Agents and the chat format define are not.
    """
    found: set[str] = set()
    for message in messages:
        found |= {*_strings(message.get("content")), message.get("tool_call_id", "")}
        for call in message.get("tool_calls", ()):
            found |= {call["id"], *_strings(json.loads(call["function"]["arguments"]))}
    return found - {"", "old_string", "new_string", "replace_all", "image_url"}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *_strings(item))
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def leaked(originals: Iterable[str], output: str) -> set[str]:
    """Pieces of the originals, and whole strings longer than a role, found in the output.

    Pieces of blanks alone say nothing.
    """
    found = set()
    there = {output[i : i + PIECE_CHARS] for i in range(len(output) - PIECE_CHARS + 1)}
    for text in originals:
        pieces = {text[i : i + PIECE_CHARS] for i in range(len(text) - PIECE_CHARS + 1)}
        found |= {piece for piece in pieces & there if piece.strip()}
        if len(text) > len("assistant") and text.strip() and text in output:
            found.add(text)
    return found
