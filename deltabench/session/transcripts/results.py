"""Answers tool calls with what was recorded, inside the real agent.

Results pass the agent's own middleware like those of any tool, which moves large ones
to `files`. A tool that Deep Agents brings is not run, with one exception: those that
change the state of the thread. They run, so that `files` and todos grow as they did, and
only their answer is replaced by the recorded one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain.agents.middleware import ToolCallRequest
    from langgraph.types import Command

    from deltabench.session.interface import Content
    from deltabench.session.transcripts.replay import RecordedScript

CHANGES_STATE = frozenset({"write_file", "edit_file", "delete", "write_todos"})


class RecordedResults(AgentMiddleware[Any, Any, Any]):
    """Stands in front of the tools."""

    def __init__(self, script: RecordedScript) -> None:
        super().__init__()
        self._script = script

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Give the recorded result, after the real tool where that changes the state."""
        name, call_id = request.tool_call["name"], str(request.tool_call["id"])
        result = self._script.call(call_id).result
        if request.tool is not None and name in CHANGES_STATE:
            return _answering(handler(request), result)
        return ToolMessage(content=result, name=name, tool_call_id=call_id)


def _answering(done: ToolMessage | Command[Any], result: Content) -> ToolMessage | Command[Any]:
    if isinstance(done, ToolMessage):
        return done.model_copy(update={"content": result, "status": "success"})
    if not isinstance(done.update, dict):
        return done
    messages = [
        _answering(each, result) if isinstance(each, ToolMessage) else each
        for each in done.update.get("messages", [])
    ]
    return replace(done, update={**done.update, "messages": messages})
