# ruff: noqa: INP001, ARG002  # no package; langchain names the parameters
"""A small research agent, as an example of a graph of your own.

It searches a few notes, keeps what it found, and answers. `make_model` names a scripted
model, so that everything here runs without a network; put your own model in its place.
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode

NOTES = {
    "channel": "A channel is one field of the state of a graph; its reducer merges writes.",
    "checkpoint": "A checkpoint is saved after every superstep, so that a thread can go on.",
    "snapshot": "A delta channel stores a whole value now and then, and writes in between.",
    "thread": "A thread is one conversation; its checkpoints form a chain.",
}


def merge_sources(known: dict[str, int], found: dict[str, int]) -> dict[str, int]:
    """Count how often each source was used."""
    return {**known, **{name: known.get(name, 0) + times for name, times in found.items()}}


class State(TypedDict):
    """What the agent remembers of a thread."""

    messages: Annotated[list[AnyMessage], add_messages]
    findings: Annotated[list[str], operator.add]
    sources: Annotated[dict[str, int], merge_sources]
    questions: Annotated[int, operator.add]


@tool
def search(query: str) -> str:
    """Search the notes."""
    found = [text for word, text in NOTES.items() if word in query.lower()]
    return "\n".join(found) or "Nothing was found."


class ScriptedModel(BaseChatModel):
    """Asks for one search, then answers with what it found; the same for the same thread."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> ScriptedModel:
        """Know the tools already."""
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any
    ) -> ChatResult:
        number = sum(isinstance(message, HumanMessage) for message in messages)
        last = messages[-1]
        if isinstance(last, ToolMessage):
            answer = AIMessage(f"Answer {number}. {last.content}", id=f"answer-{number}")
        else:
            call = {"name": "search", "args": {"query": last.text}, "id": f"call-{number}"}
            answer = AIMessage("Let me look.", tool_calls=[call], id=f"look-{number}")
        return ChatResult(generations=[ChatGeneration(message=answer)])


def make_model() -> BaseChatModel:
    """Make the model: replace this by your own, such as `init_chat_model("...")`."""
    return ScriptedModel()


model = make_model().bind_tools([search])


def think(state: State) -> dict[str, Any]:
    """Ask the model what to do next."""
    return {"messages": [model.invoke(state["messages"])]}


def keep(state: State) -> dict[str, Any]:
    """Keep what the search found."""
    found = str(state["messages"][-1].content)
    used = {word: 1 for word, text in NOTES.items() if text in found}
    return {"findings": [found], "sources": used, "questions": 1}


def after_thinking(state: State) -> str:
    """Search if the model asks for it."""
    last = state["messages"][-1]
    return "search" if isinstance(last, AIMessage) and last.tool_calls else END


builder = StateGraph(State)
builder.add_node("think", think)
builder.add_node("search", ToolNode([search]))
builder.add_node("keep", keep)
builder.add_edge(START, "think")
builder.add_conditional_edges("think", after_thinking, ["search", END])
builder.add_edge("search", "keep")
builder.add_edge("keep", "think")
graph = builder.compile()
