"""From chat messages to turns that the agent loop can live through again.

A turn begins with a message of the user. In the agent loop every answer but the last asks
for tools, and every call has a result; a recording that is otherwise is mended, and told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deltabench.session.transcripts.recorded import Answer, Call, Input, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deltabench.session.interface import Content
    from deltabench.session.transcripts.messages import Asked, Message
    from deltabench.session.transcripts.problems import Problems

_SEPARATOR = "\n\n"


@dataclass(slots=True)
class _Said:
    """An answer of the assistant while its results come in."""

    place: str
    content: Content
    asked: list[Asked]
    results: dict[int, Content] = field(default_factory=dict)

    def open_call(self, call_id: str | None) -> int | None:
        """The first call without a result that has this id; without an id the first one."""
        for index, asked in enumerate(self.asked):
            if index not in self.results and call_id in {None, asked.id}:
                return index
        return None


@dataclass(slots=True)
class _Open:
    """A turn that is being read."""

    inputs: list[Input] = field(default_factory=list)
    answers: list[_Said] = field(default_factory=list)


def turns_of(messages: Iterable[Message], problems: Problems) -> tuple[list[str], list[Turn]]:
    """The system messages, and the turns of one conversation."""
    system: list[str] = []
    turns: list[Turn] = []
    current = _Open()
    place = ""
    for message in messages:
        place = message.place
        if message.role == "system":
            system.append(_as_text(message.content))
        elif message.role == "user":
            if current.answers:
                turns.append(_closed(current, problems))
                current = _Open()
            current.inputs.append(Input(role="user", content=message.content))
        elif message.role == "assistant":
            _assistant(current, message, problems)
        else:
            _result(current, message, problems)
    if current.answers:
        turns.append(_closed(current, problems))
    elif current.inputs:
        problems.add(place, "no answer follows the last message of the user, left out")
    return system, turns


def _assistant(current: _Open, message: Message, problems: Problems) -> None:
    ids = Counter(asked.id for asked in message.calls)
    if any(times > 1 for times in ids.values()):
        problems.add(message.place, "tool calls with the same id, results taken in order")
    if not any(each.role == "user" for each in current.inputs):
        if message.calls:
            problems.add(message.place, "tool calls before any message of the user, left out")
        else:  # a greeting, which the thread begins with
            current.inputs.append(Input(role="assistant", content=message.content))
        return
    if current.answers and not current.answers[-1].asked:
        problems.add(message.place, "a second answer without a tool call between, joined")
        last = current.answers[-1]
        last.content = _joined(last.content, message.content)
        last.asked = list(message.calls)
        last.place = message.place
        return
    current.answers.append(_Said(message.place, message.content, list(message.calls)))


def _result(current: _Open, message: Message, problems: Problems) -> None:
    for said in reversed(current.answers):
        index = said.open_call(message.answers_call)
        if index is not None:
            said.results[index] = message.content
            return
    problems.add(message.place, "a tool result that answers no call, left out")


def _closed(current: _Open, problems: Problems) -> Turn:
    answers = []
    for said in current.answers:
        if len(said.results) < len(said.asked):
            problems.add(said.place, "a tool call without a result, taken as empty")
        calls = tuple(
            Call(
                tool=asked.tool,
                arguments=asked.arguments,
                id_chars=len(asked.id),
                result=said.results.get(index, ""),
            )
            for index, asked in enumerate(said.asked)
        )
        answers.append(Answer(content=said.content, calls=calls))
    if answers[-1].calls:  # the loop asks the model once more, which has nothing to say
        problems.add(current.answers[-1].place, "a turn without a last answer, taken as empty")
        answers.append(Answer(content=""))
    return Turn(inputs=tuple(current.inputs), answers=tuple(answers))


def _joined(first: Content, second: Content) -> Content:
    if isinstance(first, str) and isinstance(second, str):
        return _SEPARATOR.join(text for text in (first, second) if text)
    return [*_parts(first), *_parts(second)]


def _parts(content: Content) -> list[str | dict[str, str]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


def _as_text(content: Content) -> str:
    if isinstance(content, str):
        return content
    return "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
