"""A graph with a model and tools of several kinds, which count how often they really run."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Annotated, Any

from langchain_core.language_models import BaseChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, InjectedToolCallId, tool
from langgraph._internal._constants import CONFIG_KEY_SEND
from langgraph.config import get_config
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt

ran: Counter[str] = Counter()
_numbers = itertools.count()


class State(MessagesState):
    """Messages, and what a tool may write."""

    note: str


class RealModel(BaseChatModel):
    """Never answers twice alike, as a real model."""

    @property
    def _llm_type(self) -> str:
        return "real"

    def bind_tools(self, tools: Any, **_: Any) -> RealModel:  # noqa: ARG002
        """Know the tools already."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: Any = None,  # noqa: ARG002
        run_manager: Any = None,  # noqa: ARG002
        **_: Any,
    ) -> ChatResult:
        ran["model"] += 1
        number = next(_numbers)
        asked = next(m for m in reversed(messages) if isinstance(m, HumanMessage)).text
        if isinstance(messages[-1], ToolMessage) or asked not in TOOLS:
            answer = AIMessage(f"answer {number}", id=f"a{number}")
        else:
            call = {"name": asked, "args": {"text": "t"}, "id": f"call{number}"}
            answer = AIMessage("", tool_calls=[call], id=f"c{number}")
        return ChatResult(generations=[ChatGeneration(message=answer)])


@tool
def look(text: str) -> str:
    """Give what changes with every call."""
    ran["look"] += 1
    return f"{text} {next(_numbers)}"


@tool
async def look_later(text: str) -> str:
    """Give what changes with every call, later."""
    ran["look_later"] += 1
    return f"{text} {next(_numbers)}"


@tool
def write(text: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Change the state."""
    ran["write"] += 1
    message = ToolMessage("written", tool_call_id=tool_call_id)
    return Command(update={"note": text, "messages": [message]})


@tool
def send(text: str) -> str:
    """Change the state past the result, as the files of Deep Agents are written."""
    ran["send"] += 1
    get_config()["configurable"][CONFIG_KEY_SEND]([("note", text)])
    return "sent"


@tool
def confirm(text: str) -> str:
    """Ask a person."""
    ran["confirm"] += 1
    return f"{text} {interrupt('sure?')}"


@tool
def delegate(text: str) -> str:
    """Ask a model inside."""
    ran["delegate"] += 1
    return RealModel().invoke([HumanMessage(text)]).text


MADE: tuple[BaseTool, ...] = (look, look_later, write, send, confirm, delegate)
TOOLS = {made.name for made in MADE}
model: BaseChatModel = RealModel()


def think(state: State) -> dict[str, Any]:
    """Ask the model."""
    return {"messages": [model.invoke(state["messages"])]}


async def think_later(state: State) -> dict[str, Any]:
    """Ask the model, later."""
    return {"messages": [await model.ainvoke(state["messages"])]}


def think_in_pieces(state: State) -> dict[str, Any]:
    """Ask the model to stream."""
    whole = None
    for piece in model.stream(state["messages"]):
        whole = piece if whole is None else whole + piece
    return {"messages": [whole]}


def think_past_errors(state: State) -> dict[str, Any]:
    """Ask the model, and answer oneself when that fails."""
    try:
        return think(state)
    except Exception:  # noqa: BLE001  # this is what a graph may do
        return {"messages": [AIMessage("no answer")]}


def ask_a_fake(_: State) -> dict[str, Any]:
    """Ask a model that LangChain ships for tests."""
    fake = GenericFakeChatModel(messages=iter([AIMessage("fake")]))
    return {"messages": [fake.invoke("x")]}


def _graph(node: Any) -> Any:
    def after(state: State) -> str:
        last = state["messages"][-1]
        return "tools" if isinstance(last, AIMessage) and last.tool_calls else END

    builder = StateGraph(State)
    builder.add_node("think", node)
    builder.add_node("tools", ToolNode(list(MADE)))
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", after, ["tools", END])
    builder.add_edge("tools", "think")
    return builder.compile()


graph = _graph(think)
later = _graph(think_later)
in_pieces = _graph(think_in_pieces)
past_errors = _graph(think_past_errors)
fake = _graph(ask_a_fake)


class Always(RealModel):
    """Says one thing."""

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage("scripted"))])


def fails() -> BaseChatModel:
    """Fail to make a model."""
    raise RuntimeError("no\nkey")


def gives_text() -> str:
    """Make something else."""
    return "model"
