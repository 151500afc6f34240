"""Records what models and tools of a user's graph say, and says it again."""

from __future__ import annotations

import json
import threading
import uuid
from collections import defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables.config import var_child_runnable_config
from langgraph._internal._constants import CONFIG_KEY_SEND
from langgraph.types import Command

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.session.inputs import repeated_id
from deltabench.session.recording import ModelEntry, RecordedTurn, Recording, ToolEntry
from deltabench.subject.canonical import digest
from deltabench.subject.models import Replayed, Stand, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.language_models import BaseChatModel

_tools_around: ContextVar[tuple[str, ...]] = ContextVar("tools_around", default=())


class Recorder(Stand):
    """Lets everything through and keeps it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: list[ModelEntry] = []
        self._tools: list[ToolEntry] = []
        self._more: set[str] = set()

    def answered(self, messages: list[BaseMessage], result: ChatResult) -> None:
        """Keep an answer, and that the tools around it asked a model."""
        message = message_to_dict(result.generations[0].message)
        with self._lock:
            self._models.append(ModelEntry(asked=_asked(messages), message=message))
            self._more.update(_tools_around.get())

    @contextmanager
    def running(self, call: ToolCall) -> Iterator[None]:
        """Know the tools around whatever is asked inside; one that fails runs again later."""
        key = _key(call)
        token = _tools_around.set((*_tools_around.get(), key))
        try:
            yield
        except BaseException:
            with self._lock:
                self._tools.append(ToolEntry(call=key, kind="run"))
            raise
        finally:
            _tools_around.reset(token)

    def configured(self, call: ToolCall, config: Any) -> Any:
        """Notice when a tool writes to the state past its result, as Deep Agents' do."""
        config = config or var_child_runnable_config.get() or {}
        configurable = config.get("configurable", {})
        send = configurable.get(CONFIG_KEY_SEND)
        if send is None:
            return config

        def noticed(writes: Any) -> Any:
            with self._lock:
                self._more.add(_key(call))
            return send(writes)

        return {**config, "configurable": {**configurable, CONFIG_KEY_SEND: noticed}}

    def ran(self, call: ToolCall, result: Any) -> None:
        """Keep a result."""
        key = _key(call)
        with self._lock:
            entry = ToolEntry(call=key, kind="run") if key in self._more else _entry(key, result)
            self._tools.append(entry)

    def take_turn(self, given: Any) -> RecordedTurn:
        """What was kept since the last time, as the turn that began with `given`."""
        with self._lock:
            turn = RecordedTurn(
                given=digest(given), models=tuple(self._models), tools=tuple(self._tools)
            )
            self._models, self._tools, self._more = [], [], set()
        return turn


class Player(Stand):
    """Says what was recorded: by what was asked where that is the same, otherwise in order.

    Messages without an id get one of the usual size here. Otherwise langgraph draws it, in
    place and while another thread stores the message, so that the bytes of two runs differ
    by the 37 of an id.
    """

    def __init__(self, recording: Recording, source: str) -> None:
        self._recording = recording
        self._source = source
        self._lock = threading.Lock()
        self._fault: DeltabenchError | None = None
        self.begin_turn(1)

    def begin_turn(self, turn: int) -> None:
        """Go to the recorded turn; after the last one it begins again, with new ids."""
        self._cycle, index = divmod(turn - 1, len(self._recording.turns))
        self._number = index + 1
        recorded = self._recording.turns[index]
        self._models = list(recorded.models)
        self._tools: dict[str, list[ToolEntry]] = defaultdict(list)
        for entry in recorded.tools:
            self._tools[self._renamed(entry.call)].append(entry)
        self._fault = None

    def end_turn(self) -> None:
        """Raise what a graph may have caught."""
        if self._fault is not None:
            raise self._fault

    def answer(
        self,
        model: BaseChatModel,  # noqa: ARG002
        messages: list[BaseMessage],
    ) -> ChatResult | None:
        """Give the recorded answer; raises DeltabenchError when there is none left."""
        asked = _asked(messages)
        with self._lock:
            if not self._models:
                count = len(self._recording.turns[self._number - 1].models)
                self._fault = DeltabenchError(
                    f"{self._source}: in turn {self._number} the graph asks its models more often "
                    f"than was recorded ({count} times)",
                    hint="record again after a change of the graph",
                    exit_code=ExitCode.CELL_FAILED,
                )
                raise self._fault
            same = (i for i, entry in enumerate(self._models) if entry.asked == asked)
            entry = self._models.pop(next(same, 0))
            (message,) = messages_from_dict([entry.message])
            left = len(self._models)
        message = self._again(message, f"answer:{left}")
        return ChatResult(generations=[ChatGeneration(message=message)])

    def result(self, call: ToolCall) -> Replayed | None:
        """Give a recorded result; what is not recorded as text runs."""
        with self._lock:
            entries = self._tools.get(_key(call))
            entry = entries.pop(0) if entries else None
        if entry is None or entry.kind == "run":
            return None
        if entry.kind == "value":
            return Replayed(entry.result)
        (message,) = messages_from_dict([entry.result])
        if isinstance(message, ToolMessage):
            message.tool_call_id = self._renamed(message.tool_call_id)
        return Replayed(self._identified(message, entry.call))

    def ran(self, call: ToolCall, result: Any) -> None:
        """Give ids to the messages of a tool that ran again."""
        update = result.update if isinstance(result, Command) else None
        said = update.get("messages") if isinstance(update, dict) else result
        for number, message in enumerate(said if isinstance(said, list) else [said]):
            if isinstance(message, BaseMessage):
                self._identified(message, f"{_key(call)}:{number}")

    def _identified(self, message: BaseMessage, place: str) -> BaseMessage:
        if message.id is None:
            turn = f"{self._cycle}:{self._number}"
            message.id = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{turn}:{place}"))
        return message

    def _again(self, message: BaseMessage, place: str) -> BaseMessage:
        if message.id is None:
            self._identified(message, place)
        elif self._cycle:
            message.id = self._renamed(message.id)
        if self._cycle:
            for call in message.tool_calls if isinstance(message, AIMessage) else ():
                call["id"] = self._renamed(call["id"]) if call["id"] else None
        return message

    def _renamed(self, plain: str) -> str:
        return repeated_id(plain, self._cycle)


def _asked(messages: list[BaseMessage]) -> str:
    return digest([[m.type, m.content, getattr(m, "tool_calls", None)] for m in messages])


def _key(call: ToolCall) -> str:
    return call.call_id or digest([call.name, repr(call.arguments)])


def _entry(key: str, result: Any) -> ToolEntry:
    kind = "message" if isinstance(result, ToolMessage) else "value"
    plain = message_to_dict(result) if isinstance(result, ToolMessage) else result
    try:
        if json.loads(json.dumps(plain)) != plain:
            kind = "run"
    except (TypeError, ValueError):
        kind = "run"
    return ToolEntry.model_validate(
        {"call": key, "kind": kind, "result": None if kind == "run" else plain}
    )
