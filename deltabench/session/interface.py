"""What a session is to everything that plans, estimates or drives one.

A generated workload and a recorded transcript are both a `Session`; the lab sends it to
the cell's process as JSON, where its `SessionScript` says the lines. Turns count from 1,
steps of a turn from 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import Field

from deltabench.cells import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.tools import BaseTool

# Text, or a list of parts as chat models take them (`{"type": "text", "text": ...}`).
Content = str | list[str | dict[Any, Any]]


class InputMessage(NamedTuple):
    """A message that a turn begins with."""

    role: Literal["user", "assistant"]
    content: Content
    id: str


class TurnSize(NamedTuple):
    """What one turn adds, for estimates: characters of text, and how many pieces."""

    rounds: int
    messages: int
    message_chars: int
    files: int = 0
    file_chars: int = 0
    file_updates: int = 0
    evicted: int = 0


class SessionScript(Value, ABC):
    """The lines of one session, as a pure function of turn and step."""

    @property
    @abstractmethod
    def max_input_tokens(self) -> int | None:
        """The context that the model announces; None: one that no session fills."""

    @property
    @abstractmethod
    def most_rounds(self) -> int:
        """Rounds of tool calls in the longest turn."""

    @abstractmethod
    def inputs(self, turn: int) -> Sequence[InputMessage]:
        """The messages with which `turn` begins."""

    @abstractmethod
    def answer_id(self, turn: int, step: int) -> str:
        """The id of the model's message number `step` of `turn`."""

    @abstractmethod
    def answer_text(self, turn: int, step: int) -> Content:
        """The content of that message."""

    @abstractmethod
    def tool_calls(self, turn: int, step: int) -> list[dict[str, Any]]:
        """The tool calls of that message: name, args and id; empty in the last answer."""

    @abstractmethod
    def summary_text(self) -> str:
        """What the model says when Deep Agents asks it for a summary."""

    @abstractmethod
    def tools(self) -> Sequence[BaseTool | dict[str, Any]]:
        """Tools that Deep Agents does not bring itself."""

    @property
    def middleware(self) -> Sequence[AgentMiddleware[Any, Any, Any]]:
        """What stands between the agent and its tools."""
        return ()

    @property
    def system_prompt(self) -> str | None:
        """Instructions for the agent; they are not part of the thread."""
        return None


class Session(Value, ABC):
    """What happens in a thread, and how long it is unless a run says otherwise."""

    name: str = Field(min_length=1)
    title: str = Field(min_length=1)
    turns: int = Field(ge=1)

    @property
    @abstractmethod
    def digest(self) -> str:
        """Identity of the session: 16 hex digits over everything that shapes its bytes."""

    @property
    def driving_channel(self) -> str:
        """The channel whose updates the places of reads are counted in."""
        return "messages"

    @abstractmethod
    def updates_through(self, turn: int) -> int:
        """Updates of `messages` from the beginning to the end of `turn`; 0 for turn 0."""

    @abstractmethod
    def file_updates(self, turns: int) -> Iterator[tuple[int, int]]:
        """Yield each update of `files`: its turn, and its place in that turn, both from 1.

        The place is the number of the update of `messages` that the same superstep makes.
        """

    @abstractmethod
    def turn_size(self, turn: int) -> TurnSize:
        """What `turn` adds to the thread."""

    @abstractmethod
    def script(self, seed: int) -> SessionScript:
        """The lines of the session."""

    @abstractmethod
    def shape(self) -> Iterator[str]:
        """Lines of 80 columns at most that tell a person what a turn writes."""

    def check_turns(self, turns: int) -> None:
        """Raise DeltabenchError when the session cannot be `turns` long."""

    def notices(self) -> tuple[str, ...]:
        """Lines that whoever runs it should know; none quotes the session."""
        return ()

    def at_most(self, turns: int) -> int:
        """That many turns, or as many as there are."""
        return turns

    def specification(self) -> dict[str, Any]:
        """What a result keeps of it: everything, unless that would be somebody's content."""
        return self.model_dump(mode="json")
