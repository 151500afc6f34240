"""One way to call a graph or a saver, whether plainly or awaited.

Guarantees are written once, against this; each is then tried in both modes.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Any

from deltabench.verify.places import open_async_saver, open_saver

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.verify.places import Place
    from deltabench.verify.vocabulary import Mode


def reaching(graph: Any, saver: Any, config: Any) -> Any:
    """A config by which the graph reaches the saver: one that has none of its own is told."""
    if graph.checkpointer is not None:
        return config
    configurable = {**config["configurable"], "__pregel_checkpointer": saver}
    return {**config, "configurable": configurable}


class Calls(ABC):
    """Opens savers and makes calls; closing it closes the savers."""

    @abstractmethod
    def open(self, place: Place) -> BaseCheckpointSaver[Any]:
        """Open one more saver on the place."""

    @abstractmethod
    def call(self, target: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method by its plain name (`invoke`, `get_state`, `delete_thread`)."""

    @abstractmethod
    def gather(self, target: Any, method: str, *args: Any, **kwargs: Any) -> list[Any]:
        """Call a method that gives items one by one (`stream`, `list`), and take them all."""

    @abstractmethod
    def together(self, target: Any, method: str, *calls: tuple[Any, ...]) -> list[Any]:
        """Make several calls of one method at once; gives results and errors in their order."""

    @abstractmethod
    def close(self) -> None:
        """Close every saver that was opened."""


class PlainCalls(Calls):
    """Calls methods as they are."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def open(self, place: Place) -> BaseCheckpointSaver[Any]:
        """Open one more saver on the place."""
        return self._stack.enter_context(open_saver(place))

    def call(self, target: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call the method."""
        return getattr(target, method)(*args, **kwargs)

    def gather(self, target: Any, method: str, *args: Any, **kwargs: Any) -> list[Any]:
        """Take all items of the method."""
        return list(getattr(target, method)(*args, **kwargs))

    def together(self, target: Any, method: str, *calls: tuple[Any, ...]) -> list[Any]:
        """Call from as many threads."""
        with ThreadPoolExecutor(len(calls)) as pool:
            futures = [pool.submit(getattr(target, method), *arguments) for arguments in calls]
            return [future.exception() or future.result() for future in futures]

    def close(self) -> None:
        """Close every saver."""
        self._stack.close()


class AwaitedCalls(Calls):
    """Calls the `a...` form of each method, on one event loop that lives as long as it does."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def open(self, place: Place) -> BaseCheckpointSaver[Any]:
        """Open one more saver on the place."""
        saver: BaseCheckpointSaver[Any] = self._runner.run(
            self._stack.enter_async_context(open_async_saver(place))
        )
        return saver

    def call(self, target: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        """Await the method."""
        return self._runner.run(getattr(target, f"a{method}")(*args, **kwargs))

    def gather(self, target: Any, method: str, *args: Any, **kwargs: Any) -> list[Any]:
        """Take all items of the method, inside the loop."""

        async def taken() -> list[Any]:
            return [item async for item in getattr(target, f"a{method}")(*args, **kwargs)]

        return self._runner.run(taken())

    def together(self, target: Any, method: str, *calls: tuple[Any, ...]) -> list[Any]:
        """Await all of them on the one loop."""

        async def gathered() -> list[Any]:
            started = [getattr(target, f"a{method}")(*arguments) for arguments in calls]
            return await asyncio.gather(*started, return_exceptions=True)

        return self._runner.run(gathered())

    def close(self) -> None:
        """Close every saver and the loop."""
        try:
            self._runner.run(self._stack.aclose())
        finally:
            self._runner.close()


def calls_of(mode: Mode) -> Calls:
    """Give the calls of a mode; close them in the end."""
    return PlainCalls() if mode == "sync" else AwaitedCalls()
