"""From raw values to chat messages: roles, content and tool calls as OpenAI writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from deltabench.session.transcripts.reading import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from deltabench.session.interface import Content
    from deltabench.session.transcripts.problems import Problems
    from deltabench.session.transcripts.reading import Raw

Role = Literal["system", "user", "assistant", "tool"]
# What others call the same roles.
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A tool call of the assistant, before its result is known."""

    id: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """A message with a known role; `answers_call` is set for a tool's result."""

    place: str
    role: Role
    content: Content
    calls: tuple[Asked, ...] = field(default=())
    answers_call: str | None = None


def chat_messages(raws: Iterable[Raw], problems: Problems) -> Iterator[Message]:
    """Yield what can be understood; the rest is a problem and left out."""
    for raw in raws:
        value = raw.value
        if not isinstance(value, dict):
            problems.add(raw.place, "not a message, left out")
            continue
        said = value.get("role")
        role = _ROLES.get(said) if isinstance(said, str) else None
        if role is None:
            problems.add(raw.place, "no known role (system, user, assistant, tool), left out")
            continue
        answers = value.get("tool_call_id")
        yield Message(
            place=raw.place,
            role=role,
            content=_content(value.get("content"), raw.place, problems),
            calls=tuple(_calls(value, raw.place, problems)) if role == "assistant" else (),
            answers_call=answers if isinstance(answers, str) else None,
        )


def _content(value: Any, place: str, problems: Problems) -> Content:
    if value is None:
        return ""
    if isinstance(value, str):
        return _sound_text(value, place, problems)
    if isinstance(value, list) and all(_is_part(each) for each in value):
        parts: list[str | dict[Any, Any]] = _sound(value, place, problems)
        return parts
    problems.add(place, "content that is neither text nor parts, kept as JSON text")
    return _sound_text(json.dumps(value, ensure_ascii=False), place, problems)


def _is_part(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and "type" in value)


def _calls(message: dict[str, Any], place: str, problems: Problems) -> Iterator[Asked]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        problems.add(place, "tool_calls is not a list, left out")
        return
    for call in calls:
        function = call.get("function", call) if isinstance(call, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if function is None or not isinstance(name, str) or not name.strip():
            problems.add(place, "a tool call without a name, left out")
            continue
        given = function.get("arguments", function.get("args"))
        name = _sound_text(name, place, problems)
        yield Asked(str(call.get("id") or ""), name, _arguments(given, place, problems))


def _arguments(value: Any, place: str, problems: Problems) -> dict[str, Any]:
    if isinstance(value, str) and value.strip():
        try:
            value = parse_json(value)
        except (ValueError, RecursionError):
            problems.add(place, "arguments that are not valid JSON, kept as one text")
            value = {"arguments": value}
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        value = {"arguments": value}
    arguments: dict[str, Any] = _sound(value, place, problems)
    return arguments


def _sound_text(text: str, place: str, problems: Problems) -> str:
    return str(_sound(text, place, problems))


def _sound(value: Any, place: str, problems: Problems) -> Any:
    """The value with what no database can hold replaced: halves of surrogate pairs."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        problems.add(place, "characters that are none were replaced")
        return json.loads(text.encode(errors="replace"))
    return value
