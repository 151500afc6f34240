"""Stands between a user's graph and its chat models and tools, in this process only.

The model is not what is measured, and asking a real one twice gives two sessions. Every
chat model of LangChain, whatever its class, asks through one method of its base class,
and every tool runs through one; these are replaced as long as a turn runs. A model that
is called past LangChain is not seen.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from langchain_core.messages import BaseMessage
    from langchain_core.outputs import ChatResult

REFUSED = (
    "record the session first (deltabench record) and give --transcript, or give a scripted "
    "--model, or --allow-model-calls"
)
_FAKES = "langchain_core.language_models.fake"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: its name, its arguments, and the id that the model gave it."""

    name: str
    arguments: Any
    call_id: str | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A result in place of running a tool."""

    result: Any


class Stand:
    """What happens to a call of a model or a tool; this one lets all of them through.

    Calls may come from several threads at once.
    """

    def begin_turn(self, turn: int) -> None:
        """Turn number `turn` (from 1) begins."""

    def end_turn(self) -> None:
        """Raise what went wrong in the turn: a graph may have caught it itself."""

    def answer(self, model: BaseChatModel, messages: list[BaseMessage]) -> ChatResult | None:
        """Answer in place of a model; None lets the model be asked."""

    def answered(self, messages: list[BaseMessage], result: ChatResult) -> None:
        """A model was asked, and this is what it said."""

    def result(self, call: ToolCall) -> Replayed | None:
        """The result of a tool; None lets it run."""

    def running(self, call: ToolCall) -> AbstractContextManager[None]:  # noqa: ARG002
        """Surround a tool while it runs."""
        return nullcontext()

    def configured(self, call: ToolCall, config: Any) -> Any:  # noqa: ARG002
        """The config that a tool runs with; `config` is None where it is the caller's."""
        return config

    def ran(self, call: ToolCall, result: Any) -> None:
        """A tool has run, and this is what it returned."""


class Refusing(Stand):
    """Lets no model be asked but those that LangChain ships as fakes."""

    def __init__(self) -> None:
        self._asked = ""

    def answer(
        self,
        model: BaseChatModel,
        messages: list[BaseMessage],  # noqa: ARG002
    ) -> ChatResult | None:
        """Refuse, and remember it."""
        if type(model).__module__.startswith(_FAKES):
            return None
        self._asked = type(model).__name__
        raise self._error()

    def end_turn(self) -> None:
        """Raise the refusal again."""
        if self._asked:
            raise self._error()

    def _error(self) -> DeltabenchError:
        return DeltabenchError(
            f"the graph asks a model ({self._asked})", hint=REFUSED, exit_code=ExitCode.CELL_FAILED
        )


class Scripted(Stand):
    """Lets one scripted model answer in place of every model of the graph."""

    def __init__(self, scripted: BaseChatModel) -> None:
        self._scripted = scripted

    def answer(
        self,
        model: BaseChatModel,  # noqa: ARG002
        messages: list[BaseMessage],
    ) -> ChatResult | None:
        """Ask the scripted model."""
        return self._scripted._generate(messages)  # noqa: SLF001  # `invoke` would come back here


@contextmanager
def standing(stand: Stand) -> Iterator[None]:
    """Send every call of a chat model or a tool in this process through `stand`."""
    plain = {
        (owner, name): vars(owner)[name]
        for owner, names in (
            (BaseChatModel, ("_generate_with_cache", "_agenerate_with_cache", "_should_stream")),
            (BaseTool, ("run", "arun")),
        )
        for name in names
    }
    for (owner, name), method in plain.items():
        setattr(owner, name, _REPLACEMENTS[name](stand, method))
    try:
        yield
    finally:
        for (owner, name), method in plain.items():
            setattr(owner, name, method)


def _generate(stand: Stand, plain: Callable[..., Any]) -> Any:
    def generate(self: BaseChatModel, messages: list[BaseMessage], *args: Any, **kw: Any) -> Any:
        result = stand.answer(self, messages)
        if result is None:
            result = plain(self, messages, *args, **kw)
            stand.answered(messages, result)
        return result

    return generate


def _agenerate(stand: Stand, plain: Callable[..., Any]) -> Any:
    async def agenerate(
        self: BaseChatModel, messages: list[BaseMessage], *args: Any, **kw: Any
    ) -> Any:
        result = stand.answer(self, messages)
        if result is None:
            result = await plain(self, messages, *args, **kw)
            stand.answered(messages, result)
        return result

    return agenerate


def _run(stand: Stand, plain: Callable[..., Any]) -> Any:
    def run(self: BaseTool, tool_input: Any, *args: Any, **kw: Any) -> Any:
        call = ToolCall(self.name, tool_input, kw.get("tool_call_id"))
        replayed = stand.result(call)
        if replayed is not None:
            return replayed.result
        kw["config"] = stand.configured(call, kw.get("config"))
        with stand.running(call):
            result = plain(self, tool_input, *args, **kw)
        stand.ran(call, result)
        return result

    return run


def _arun(stand: Stand, plain: Callable[..., Any]) -> Any:
    async def arun(self: BaseTool, tool_input: Any, *args: Any, **kw: Any) -> Any:
        call = ToolCall(self.name, tool_input, kw.get("tool_call_id"))
        replayed = stand.result(call)
        if replayed is not None:
            return replayed.result
        kw["config"] = stand.configured(call, kw.get("config"))
        with stand.running(call):
            result = await plain(self, tool_input, *args, **kw)
        stand.ran(call, result)
        return result

    return arun


def _should_stream(_stand: Stand, _plain: Callable[..., Any]) -> Any:
    # `stream` then asks by `invoke`, and gives the answer in one piece.
    return lambda _self, **_: False


_REPLACEMENTS: dict[str, Callable[[Stand, Callable[..., Any]], Any]] = {
    "_generate_with_cache": _generate,
    "_agenerate_with_cache": _agenerate,
    "_should_stream": _should_stream,
    "run": _run,
    "arun": _arun,
}
