"""Drives one form of the graph and shows all of it. Scripts carry this file: langgraph only."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

from langgraph.types import Command

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b")
_APART = "changed"
_STUB_STEP = -2  # the empty checkpoint to which `exit` hangs a thread's first delta writes


class Twin:
    """The graph on a saver of its own; `snapshot_frequency` None means full snapshots.

    One that `stays` keeps these whatever K the other is reopened with.
    """

    def __init__(
        self,
        build: Any,
        open_saver: Any,
        snapshot_frequency: int | None,
        *,
        awaited: bool,
        stays: bool,
    ) -> None:
        self.build, self.open_saver, self.awaited = build, open_saver, awaited
        self.frequency, self.stays = snapshot_frequency, stays
        self.runner, self.stack = asyncio.Runner(), AsyncExitStack()
        self.numbers: dict[str, str] = {}
        self.first_seen: dict[str, str] = {}
        self.reopen(0)

    def reopen(self, snapshot_frequency: int | None) -> None:
        """Go on with a new saver and a new graph; 0 leaves K as it is."""
        if snapshot_frequency != 0 and not self.stays:
            self.frequency = snapshot_frequency
        self.close()
        opening = self.open_saver()
        if self.awaited and hasattr(opening, "__aenter__"):
            self.saver = self.runner.run(self.stack.enter_async_context(opening))
        else:
            self.saver = self.stack.enter_context(opening)
        self.graph = self.build(self.saver, self.frequency)

    def close(self) -> None:
        """Close the saver."""
        self.runner.run(self.stack.aclose())

    def run(self, thread: str, given: Any, *, at: int | None = None, **options: Any) -> list[Any]:
        """Stream a turn, from the newest checkpoint or that one, counted from the oldest."""
        return self._stream(given, self._config(thread, at), options)

    def resume(
        self, thread: str, *, count: int | None = None, at: int | None = None, **options: Any
    ) -> list[Any]:
        """Answer the interrupts that wait, or the first `count`."""
        config = self._config(thread, at)
        waiting = self._call("get_state", config, subgraphs=True).interrupts[:count]
        answers = {each.id: f"answer to {each.value}" for each in waiting}
        return self._stream(Command(resume=answers), config, options)

    def update(
        self, thread: str, values: Any, *, as_node: str | None = None, at: int | None = None
    ) -> list[Any]:
        """Call `update_state`."""
        return self._attempt("update_state", self._config(thread, at), values, as_node=as_node)

    def bulk_update(self, thread: str, supersteps: Any, *, at: int | None = None) -> list[Any]:
        """Call `bulk_update_state`."""
        return self._attempt("bulk_update_state", self._config(thread, at), supersteps)

    def delete(self, thread: str) -> None:
        """Delete the thread."""
        name = "adelete_thread" if self.awaited else "delete_thread"
        done = getattr(self.saver, name)(thread)
        if self.awaited:
            self.runner.run(done)

    def shown(self, thread: str, answer: list[Any] | None) -> dict[str, str]:
        """All that can be seen of a thread, as texts in which ids are numbered."""
        texts = {"what the call gave": self._numbered(sorted(map(repr, answer or []), key=_no_ids))}
        history = self._history(thread)
        for number, state in enumerate(history):
            texts[f"checkpoint {number}"] = self._numbered(_plain(state, history))
            # An old checkpoint must go on to show what it showed when it was new.
            identity, values = state.config["configurable"]["checkpoint_id"], repr(state.values)
            texts[f"checkpoint {number}, read again"] = _same(
                self.first_seen.setdefault(identity, values), values
            )
        config = self._config(thread)
        state = self._call("get_state", config)
        texts["the state"] = self._numbered(_plain(state, history))
        live = [event[1] for event in answer or [] if event[0] == "values"]
        if live and "__interrupt__" not in live[-1]:
            stored = {key: state.values.get(key) for key in live[-1]}
            texts["the state, as the run gave it"] = _same(repr(live[-1]), repr(stored))
        self.graph, running = self.build(self.saver, self.frequency), self.graph
        again = self._call("get_state", config)
        self.graph = running
        texts["the state, read by a fresh graph"] = _same(repr(state.values), repr(again.values))
        return texts

    def _stream(self, given: Any, config: Any, options: Any) -> list[Any]:
        modes = ["values", "updates"]
        return self._attempt("stream", given, config, stream_mode=modes, **options)

    def _attempt(self, method: str, *args: Any, **options: Any) -> list[Any]:
        try:
            given = self._call(method, *args, **options)
        except Exception as error:  # noqa: BLE001 - what it raises is part of what it shows
            return [("raised", f"{type(error).__name__}: {error}")]
        return given if isinstance(given, list) else [("returned", given)]

    def _call(self, method: str, *args: Any, **options: Any) -> Any:
        if not self.awaited:
            given = getattr(self.graph, method)(*args, **options)
            return list(given) if isinstance(given, Iterator) else given

        async def taken() -> Any:
            given = getattr(self.graph, f"a{method}")(*args, **options)
            return [each async for each in given] if hasattr(given, "__aiter__") else await given

        return self.runner.run(taken())

    def _config(self, thread: str, at: int | None = None) -> dict[str, Any]:
        where = {"thread_id": thread}
        if at is not None:
            state = self._history(thread)[at]
            where |= {"checkpoint_id": state.config["configurable"]["checkpoint_id"]}
            where |= {"checkpoint_ns": ""}
        return {"configurable": where}

    def _history(self, thread: str) -> list[Any]:
        states: list[Any] = self._call("get_state_history", self._config(thread))[::-1]
        return states[1:] if states and states[0].metadata.get("step") == _STUB_STEP else states

    def _numbered(self, shown: Any) -> str:
        numbers = self.numbers
        return _ID.sub(
            lambda found: numbers.setdefault(found[0], f"id {len(numbers)}"), repr(shown)
        )


def first_difference(full: dict[str, str], delta: dict[str, str]) -> tuple[str, str, str] | None:
    """What is not alike, and what each twin shows; a twin that is not like itself counts."""
    for label in [*full, *(label for label in delta if label not in full)]:
        one, other = full.get(label, "nothing"), delta.get(label, "nothing")
        if one != other or one.startswith(_APART):
            pairs = enumerate(zip(one, other, strict=False))
            start = max(0, next((at for at, (a, b) in pairs if a != b), 0) - 40)
            return label, one[start : start + 200], other[start : start + 200]
    return None


def _same(expected: str, found: str) -> str:
    return "as before" if expected == found else f"{_APART}: {found}, and not {expected}"


def _plain(state: Any, history: list[Any]) -> tuple[Any, ...]:
    metadata = dict(state.metadata or {})
    metadata.pop("counters_since_delta_snapshot", None)  # the mechanism itself
    ids = [each.config["configurable"]["checkpoint_id"] for each in history]
    parent = (state.parent_config or {}).get("configurable", {}).get("checkpoint_id")
    tasks = [(task.name, task.path, repr(task.error), task.interrupts) for task in state.tasks]
    return state.values, state.next, metadata, tasks, parent if parent in ids else None


def _no_ids(text: str) -> str:
    return _ID.sub("", text)
