"""Finding and calling a user's checkpointer factory, with one line for all that can go wrong."""

from __future__ import annotations

import inspect
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
)
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.subject.loading import load_object, one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from langgraph.checkpoint.base import BaseCheckpointSaver

_HINT = "a factory takes no argument and returns a BaseCheckpointSaver or a context manager of one"


def load_factory(spec: str) -> Callable[[], Any]:
    """Import `module:factory` or `path/to/file.py:factory`, also from the current directory.

    Raises DeltabenchError when the import fails, the name is missing or takes arguments.
    """
    factory = load_object(spec)
    if not callable(factory):
        raise DeltabenchError(f"checkpointer {spec!r} is no function", hint=_HINT)
    try:
        inspect.signature(factory).bind()
    except (TypeError, ValueError) as error:
        raise DeltabenchError(
            f"checkpointer {spec!r} cannot be called without arguments", hint=_HINT
        ) from error
    return factory


@contextmanager
def opened_saver(spec: str) -> Iterator[BaseCheckpointSaver[Any]]:
    """Call the factory and enter what it returns, if that is no saver yet.

    Raises DeltabenchError when the factory fails or returns something else.
    """
    with _entered(spec, _guarded(spec, load_factory(spec))) as saver:
        yield saver


@asynccontextmanager
async def opened_async_saver(spec: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """The same inside an event loop, where an asynchronous context manager will do, too."""
    made = _guarded(spec, load_factory(spec))
    if not _is_awaited(made) or isinstance(made, AbstractContextManager):
        with _entered(spec, made) as saver:
            yield saver
    else:
        async with made as saver:
            yield _checked(spec, saver)


@contextmanager
def _entered(spec: str, made: Any) -> Iterator[BaseCheckpointSaver[Any]]:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    with ExitStack() as stack:
        if isinstance(made, AbstractContextManager) and not isinstance(made, BaseCheckpointSaver):
            made = _guarded(spec, lambda: stack.enter_context(made))
        elif _is_awaited(made) and not isinstance(made, BaseCheckpointSaver):
            raise DeltabenchError(f"checkpointer {spec!r} can be awaited only", hint=_HINT)
        yield _checked(spec, made)


def _is_awaited(made: Any) -> bool:
    return isinstance(made, AbstractAsyncContextManager)


def _checked(spec: str, made: Any) -> BaseCheckpointSaver[Any]:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    if isinstance(made, BaseCheckpointSaver):
        return made
    if inspect.iscoroutine(made):
        made.close()
    raise DeltabenchError(f"checkpointer {spec!r} gave a {type(made).__name__}", hint=_HINT)


def _guarded(spec: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:  # user code may raise anything
        raise DeltabenchError(f"checkpointer {spec!r} failed: {one_line(error)}") from error
