"""Replaces everything that was said in a transcript, so that it can be shared.

Roles and tool names stay, and the field names that Deep Agents and chat formats define,
as the agent acts on them. All else is generated: text of the same UTF-8 bytes and nearly
the same compressibility, numbers of the same stored size. A string that occurs twice is
replaced by the same one, so that a file is still edited under the name it was written.
An edit fits the generated file where it first fitted the recorded one; one that replaced
several places may find fewer.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deltabench.session.transcripts.files import FileUpdates
from deltabench.session.transcripts.recorded import Answer, Call, Input, Turn
from deltabench.session.transcripts.replay import call_id
from deltabench.session.transcripts.similar import similar
from deltabench.session.transcripts.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Collection

    from deltabench.session.interface import Content

NAME = "anonymized"
_PATH_FIELD = "file_path"
# What Deep Agents reads in the calls that change the state of the thread.
_CALL_FIELDS = {
    "write_file": frozenset({_PATH_FIELD, "content"}),
    "edit_file": frozenset({_PATH_FIELD, "old_string", "new_string", "replace_all"}),
    "delete": frozenset({_PATH_FIELD}),
    "write_todos": frozenset({"todos", "content", "status"}),
}
_CALL_WORDS = frozenset({"pending", "in_progress", "completed"})
# The vocabulary of content parts in chat formats.
_PART_FIELDS = frozenset(
    {"type", "text", "image_url", "url", "detail", "input_audio", "data", "format", "file"}
)
_PART_WORDS = frozenset({"text", "image_url", "input_audio", "file", "auto", "low", "high"})
_NONE: frozenset[str] = frozenset()
# A short string may have no replacement left that is not taken; then one is shared.
_ATTEMPTS = 50


def anonymized(transcript: Transcript) -> Transcript:
    """The same session with generated content, under a neutral name."""
    replacing = _Replacing()
    turns = (replacing.turn(turn, number) for number, turn in enumerate(transcript.recorded, 1))
    made = transcript.model_copy(
        update={
            "system_prompt": replacing.text(transcript.system_prompt),
            "recorded": tuple(turns),
        }
    )
    # A copy that has not yet computed anything from its content.
    named = Transcript.model_validate({**dict(made), "name": NAME})
    return named.model_copy(update={"name": f"{NAME}-{named.digest[:8]}"})


@dataclass(slots=True)
class _Replacing:
    """Gives every string its replacement, and follows files so that edits still fit."""

    given: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    before: FileUpdates = field(default_factory=FileUpdates)
    after: FileUpdates = field(default_factory=FileUpdates)

    def turn(self, turn: Turn, number: int) -> Turn:
        """A turn whose ids are those of its replay, which tell nothing."""
        answers = tuple(
            Answer(
                content=self.content(answer.content),
                calls=tuple(
                    self.call(call, len(call_id(number, step, index, call.id_chars)))
                    for index, call in enumerate(answer.calls)
                ),
            )
            for step, answer in enumerate(turn.answers)
        )
        inputs = (Input(role=each.role, content=self.content(each.content)) for each in turn.inputs)
        return Turn(inputs=tuple(inputs), answers=answers)

    def call(self, call: Call, id_chars: int) -> Call:
        """A call whose arguments fit the files as they are after replacing."""
        fields = _CALL_FIELDS.get(call.tool, _NONE)
        words = _CALL_WORDS if fields else _NONE
        arguments = self.value(call.arguments, fields, words)
        if _PATH_FIELD in fields and isinstance(call.arguments.get(_PATH_FIELD), str):
            path = call.arguments[_PATH_FIELD]
            arguments[_PATH_FIELD] = self.path(path)
            old = call.arguments.get("old_string")
            content = self.before.contents.get(path, "")
            if isinstance(old, str) and old in content:
                start = content.index(old)
                now = self.after.contents[arguments[_PATH_FIELD]]
                arguments["old_string"] = now[start : start + len(old)]
            self.before.call(call.tool, call.arguments)
            self.after.call(call.tool, arguments)
        return Call(
            tool=call.tool,
            arguments=arguments,
            id_chars=id_chars,
            result=self.content(call.result),
        )

    def content(self, content: Content) -> Content:
        """Text, or parts whose form is kept."""
        replaced: Content = self.value(content, _PART_FIELDS, _PART_WORDS)
        return replaced

    def value(self, value: Any, fields: Collection[str], words: Collection[str]) -> Any:
        """Replace strings and numbers in a JSON value, but not the fields and words named."""
        if isinstance(value, str):
            return value if value in words else self.text(value)
        if isinstance(value, dict):
            return {
                key if key in fields else self.text(key): self.value(item, fields, words)
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [self.value(item, fields, words) for item in value]
        return value if value is None or isinstance(value, bool) else self.number(value)

    def text(self, text: str) -> str:
        """The replacement of a string: each time the same, and of no other string."""
        if text not in self.given:
            made = text
            for attempt in range(_ATTEMPTS):
                made = similar(text, f"{len(self.given)}:{attempt}")
                if made != text and made not in self.taken:
                    break
            self.taken.add(made)
            self.given[text] = made
        return self.given[text]

    def path(self, path: str) -> str:
        """A path of as many folders."""
        return "/".join(self.text(part).replace(" ", "_") for part in path.split("/"))

    def number(self, number: float) -> float:
        """A number that is stored in as many bytes."""
        rng = random.Random(f"number:{len(self.given)}:{len(self.taken)}")
        if isinstance(number, float):
            return rng.random()
        magnitude = number if number >= 0 else -number - 1
        bits = magnitude.bit_length()
        drawn = rng.randrange(2 ** (bits - 1), 2**bits) if bits > 1 else magnitude
        return drawn if number >= 0 else -drawn - 1
