"""The script of a session: what user, model and tools say, as a pure function.

Every text and id follows from (seed, turn, round, call) alone, so two processes that
drive the same workload say the same to the last character. Turns count from 1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from deltabench.session.interface import InputMessage, SessionScript
from deltabench.session.text import code, prose, search_listing
from deltabench.session.workload import Call, Workload  # noqa: TC001  # pydantic reads it

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_QUERY_CHARS = 40
_PLACE = re.compile(r"#(\d+)\.(\d+)\.(\d+)$")


class Script(SessionScript):
    """The lines of one session."""

    workload: Workload
    seed: int

    @property
    def max_input_tokens(self) -> int | None:
        """The context that the model announces, if the workload limits it."""
        summarization = self.workload.summarization
        return summarization.max_input_tokens if summarization else None

    @property
    def most_rounds(self) -> int:
        """Rounds of every turn."""
        return len(self.workload.rounds)

    def inputs(self, turn: int) -> list[InputMessage]:
        """What the user says at the start of `turn`, as a message."""
        return [InputMessage("user", self.user_text(turn), self.user_id(turn))]

    def tools(self) -> list[BaseTool]:
        """The search."""
        from deltabench.session.model import search_tool

        return [search_tool(self)]

    def user_text(self, turn: int) -> str:
        """What the user says at the start of `turn`."""
        return prose(self._key("user", turn), self.workload.user_chars)

    def user_id(self, turn: int) -> str:
        """The id of the user's message."""
        return f"user-{turn}"

    def answer_id(self, turn: int, step: int) -> str:
        """The id of the model's message number `step` (from 0) of `turn`."""
        return f"ai-{turn}-{step}"

    def answer_text(self, turn: int, step: int) -> str:
        """The text of the model's message number `step` (from 0) of `turn`."""
        rounds = self.workload.rounds
        chars = rounds[step].text_chars if step < len(rounds) else self.workload.answer_chars
        return prose(self._key("answer", turn, step), chars)

    def tool_calls(self, turn: int, step: int) -> list[dict[str, Any]]:
        """The tool calls of that message: name, args and id; empty in the last answer."""
        rounds = self.workload.rounds
        if step >= len(rounds):
            return []
        return [
            {
                "name": call.tool,
                "args": self._arguments(call, turn, step, index),
                "id": f"call-{turn}-{step}-{index}",
            }
            for index, call in enumerate(rounds[step].calls)
        ]

    def search_result(self, query: str) -> str:
        """What the search tool finds: the query names its place in the session."""
        place = _PLACE.search(query)
        if place is None:
            msg = f"the script never asked for {query!r}"
            raise ValueError(msg)
        turn, step, index = (int(part) for part in place.groups())
        chars = self.workload.rounds[step].calls[index].result_chars(turn)
        return search_listing(self._key("result", turn, step, index), chars)

    def summary_text(self) -> str:
        """What the model says when Deep Agents asks it for a summary."""
        summarization = self.workload.summarization
        return prose(self._key("summary"), summarization.summary_chars if summarization else 1)

    def _arguments(self, call: Call, turn: int, step: int, index: int) -> dict[str, Any]:
        if call.tool == "search":
            text = prose(self._key("query", turn, step, index), _QUERY_CHARS)
            return {"query": f"{text}#{turn}.{step}.{index}"}
        if call.tool == "read_file":
            return {"file_path": self._path(max(1, turn - 1), *self._last_write())}
        content = code(self._key("file", turn, step, index), call.chars)
        return {"file_path": self._path(turn, step, index), "content": content}

    def _last_write(self) -> tuple[int, int]:
        return [
            (step, index)
            for step, round_ in enumerate(self.workload.rounds)
            for index, call in enumerate(round_.calls)
            if call.tool == "write_file"
        ][-1]

    def _path(self, turn: int, step: int, index: int) -> str:
        return f"/src/turn_{turn:05d}/part_{step}_{index}.py"

    def _key(self, *parts: object) -> str:
        return ":".join(str(part) for part in (self.seed, *parts))
