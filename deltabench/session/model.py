"""The scripted chat model and the search tool: a real agent's parts, without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, StructuredTool

from deltabench.session.interface import SessionScript

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_core.callbacks import CallbackManagerForLLMRun
    from langchain_core.runnables import Runnable

    from deltabench.session.script import Script

# Far beyond any session: Deep Agents then never starts to summarize.
NO_SUMMARIZATION_TOKENS = 10**12


class ScriptedModel(BaseChatModel):
    """Says the next line of the script each time it is asked.

    The driver calls `begin_turn` before each turn. A call without bound tools can only
    be Deep Agents asking for a summary, which gets the script's summary and takes no
    line of the turn.
    """

    script: SessionScript
    turn: int = 0
    step: int = 0

    def __init__(self, script: SessionScript) -> None:
        limit = script.max_input_tokens or NO_SUMMARIZATION_TOKENS
        super().__init__(script=script, profile={"max_input_tokens": limit})

    @property
    def _llm_type(self) -> str:
        return "deltabench-scripted"

    def begin_turn(self, turn: int) -> None:
        """Go to the first line of `turn` (from 1)."""
        self.turn = turn
        self.step = 0

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],  # noqa: ARG002
        **_: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Tell calls of the agent loop, which binds tools, from calls for a summary."""
        return self.bind(in_agent_loop=True)

    def _generate(
        self,
        messages: list[BaseMessage],  # noqa: ARG002
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        *,
        in_agent_loop: bool = False,
        **_: Any,
    ) -> ChatResult:
        if not in_agent_loop:
            message = AIMessage(content=self.script.summary_text())
        else:
            message = AIMessage(
                content=self.script.answer_text(self.turn, self.step),
                tool_calls=self.script.tool_calls(self.turn, self.step),
                id=self.script.answer_id(self.turn, self.step),
            )
            self.step += 1
        return ChatResult(generations=[ChatGeneration(message=message)])


def search_tool(script: Script) -> BaseTool:
    """The one tool that Deep Agents does not bring: a code search with scripted results."""
    return StructuredTool.from_function(
        func=script.search_result,
        name="search",
        description="Search the code base and return matching lines.",
    )
