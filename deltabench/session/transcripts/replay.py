"""The script of a recorded session: the same lines, under ids of its own.

Recorded ids repeat and may tell something, so each turn has ids that follow from its
number. Those of tool calls are as long as the recorded ones, since they are stored too.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from deltabench.session.interface import Content, InputMessage, SessionScript
from deltabench.session.transcripts.recorded import Call  # noqa: TC001  # pydantic reads it
from deltabench.session.transcripts.transcript import (
    Transcript,  # noqa: TC001  # pydantic reads it
)

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware

_CALL_ID = re.compile(r"call-(\d+)-(\d+)-(\d+)")


class RecordedScript(SessionScript):
    """Says what was said, turn by turn, and from the beginning again in a repetition."""

    transcript: Transcript

    @property
    def max_input_tokens(self) -> int | None:
        """No limit: a recorded session was summarized when it was recorded, or not at all."""
        return None

    @property
    def most_rounds(self) -> int:
        """Rounds of tool calls in the longest turn."""
        return max(len(turn.rounds) for turn in self.transcript.recorded)

    @property
    def system_prompt(self) -> str | None:
        """The recorded system messages; the agent keeps them out of the thread."""
        return self.transcript.system_prompt or None

    def inputs(self, turn: int) -> list[InputMessage]:
        """The recorded messages with which `turn` begins."""
        inputs = self.transcript.turn(turn).inputs
        return [
            InputMessage(each.role, each.content, f"user-{turn}" + (f"-{index}" if index else ""))
            for index, each in enumerate(inputs)
        ]

    def answer_id(self, turn: int, step: int) -> str:
        """The id of the model's message number `step` of `turn`."""
        return f"ai-{turn}-{step}"

    def answer_text(self, turn: int, step: int) -> Content:
        """The content of that message as it was recorded."""
        return self.transcript.turn(turn).answers[step].content

    def tool_calls(self, turn: int, step: int) -> list[dict[str, Any]]:
        """The recorded calls of that message."""
        return [
            {
                "name": call.tool,
                "args": call.arguments,
                "id": call_id(turn, step, index, call.id_chars),
            }
            for index, call in enumerate(self.transcript.turn(turn).answers[step].calls)
        ]

    def call(self, call_id: str) -> Call:
        """The recorded call that was made under this id."""
        place = _CALL_ID.match(call_id)
        if place is None:
            msg = f"the transcript never made a call {call_id!r}"
            raise ValueError(msg)
        turn, step, index = (int(part) for part in place.groups())
        return self.transcript.turn(turn).answers[step].calls[index]

    def summary_text(self) -> str:
        """Nothing asks for a summary, as the context is never full."""
        return ""

    def tools(self) -> list[dict[str, Any]]:
        """The recorded tools by name: declared to the model, answered by the middleware."""
        names = {
            call.tool
            for turn in self.transcript.recorded
            for answer in turn.answers
            for call in answer.calls
        }
        return [{"type": "function", "function": {"name": name}} for name in sorted(names)]

    @property
    def middleware(self) -> list[AgentMiddleware[Any, Any, Any]]:
        """What returns the recorded results."""
        from deltabench.session.transcripts.results import RecordedResults

        return [RecordedResults(self)]


def call_id(turn: int, step: int, index: int, chars: int) -> str:
    """An id that names its place, as long as the recorded one if that is long enough."""
    place = f"call-{turn}-{step}-{index}"
    return f"{place}-{hashlib.sha256(place.encode()).hexdigest()}"[: max(len(place), chars)]
