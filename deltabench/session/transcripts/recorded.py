"""What a recorded chat is made of, turn by turn, as it is replayed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deltabench.cells import Value
from deltabench.session.interface import Content


class Call(Value):
    """A tool call with what it returned; `id_chars` is the length of its recorded id."""

    tool: str = Field(min_length=1)
    arguments: dict[str, Any]
    id_chars: int = Field(ge=0)
    result: Content


class Answer(Value):
    """A message of the assistant; the last one of a turn has no calls."""

    content: Content
    calls: tuple[Call, ...] = ()


class Input(Value):
    """A message that a turn begins with."""

    role: Literal["user", "assistant"]
    content: Content


class Turn(Value):
    """From a message of the user to the last answer before the next one."""

    inputs: tuple[Input, ...] = Field(min_length=1)
    answers: tuple[Answer, ...] = Field(min_length=1)

    @property
    def rounds(self) -> tuple[Answer, ...]:
        """Answers that ask for tools: all but the last."""
        return self.answers[:-1]


def text_of(content: Content) -> str:
    """The text in a message, without images and the like."""
    if isinstance(content, str):
        return content
    return "".join(part if isinstance(part, str) else _text(part.get("text")) for part in content)


def chars_of(value: Any) -> int:
    """Characters of all strings in a JSON value, names of fields included."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + chars_of(item) for key, item in value.items())
    if isinstance(value, list):
        return sum(chars_of(item) for item in value)
    return len(str(value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
