"""Deep Agents with a model that follows from the messages it is given, and keeps no state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepagents import create_deep_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

from deltabench.cells import Policy
from deltabench.subject.policy import apply_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import BaseMessage
    from langgraph.pregel import Pregel

# What the model calls, one after the other, by the first word of the last thing it was told.
_PLANS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "write": (
        ("write_file", {"file_path": "/notes-{turn}.md", "content": "first line\nturn {turn}\n"}),
        (
            "edit_file",
            {"file_path": "/notes-{turn}.md", "old_string": "first", "new_string": "1st"},
        ),
        ("read_file", {"file_path": "/notes-{turn}.md"}),
    ),
    "delete": (("delete", {"file_path": "/notes-1.md"}),),
    "search": (("search", {"question": "turn {turn}"}),),
    "delegate": (
        ("task", {"description": "write in a subagent", "subagent_type": "general-purpose"}),
    ),
}
_NO_LIMIT_TOKENS = 10**7  # summarization stays out
_SMALL_LIMIT_TOKENS = 16_000  # summarization comes after a few turns of some length
SUMMARY = "all of it in short"
_LARGE_CHARS = 90_000  # beyond the 20,000 tokens at which Deep Agents moves a result to a file


@tool
def search(question: str) -> str:
    """Answer with more than a thread should hold."""
    return f"all about {question}: ".ljust(_LARGE_CHARS, ".")


class PlannedModel(BaseChatModel):
    """Calls the tools of a plan in turn, then answers."""

    @property
    def _llm_type(self) -> str:
        return "planned"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> PlannedModel:  # noqa: ARG002
        """Know the tools already."""
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        turn = sum(isinstance(message, HumanMessage) for message in messages)
        last = max(i for i, message in enumerate(messages) if isinstance(message, HumanMessage))
        done = sum(isinstance(message, ToolMessage) for message in messages[last:])
        plan = _PLANS.get(str(messages[last].content).split()[0], ())
        calls = [_call(turn, done, *plan[done])] if done < len(plan) else []
        text = "" if calls else f"turn {turn} is done" if _is_turn(messages[last]) else SUMMARY
        answer = AIMessage(text, id=f"answer-{turn}-{done}", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=answer)])


def _is_turn(message: BaseMessage) -> bool:
    """Whether it came from a person, and is no request to summarize."""
    return (message.id or "").startswith("human")


def _call(turn: int, done: int, name: str, arguments: dict[str, Any]) -> Any:
    filled = {key: str(value).replace("{turn}", str(turn)) for key, value in arguments.items()}
    return {"name": name, "args": filled, "id": f"call-{turn}-{done}"}


def deep_agent(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The installed Deep Agents under a policy."""
    return _under_policy(saver, frequency)


def careful_agent(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The same, which asks before it writes a file."""
    return _under_policy(saver, frequency, interrupt_on={"write_file": True})


def forgetful_agent(saver: Any, frequency: int | None) -> Pregel[Any]:
    """The same with a model of so small a context that Deep Agents summarizes."""
    return _under_policy(saver, frequency, limit_tokens=_SMALL_LIMIT_TOKENS)


def _under_policy(
    saver: Any, frequency: int | None, *, limit_tokens: int = _NO_LIMIT_TOKENS, **options: Any
) -> Pregel[Any]:
    graph: Pregel[Any] = create_deep_agent(
        model=PlannedModel(profile={"max_input_tokens": limit_tokens}),
        tools=[search],
        checkpointer=saver,
        **options,
    )
    apply_policy(graph, Policy(snapshot_frequency=frequency))
    return graph
