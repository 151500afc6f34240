"""Finding and calling a user's checkpointer factory, with one line for all that can go wrong."""

from __future__ import annotations

import inspect
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.subject.loading import load_object, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    from langgraph.checkpoint.base import BaseCheckpointSaver

    made = _guarded(spec, load_factory(spec))
    if isinstance(made, BaseCheckpointSaver):
        yield made
        return
    if not isinstance(made, AbstractContextManager):
        if inspect.iscoroutine(made):
            made.close()
        raise _wrong_type(spec, made)
    with ExitStack() as stack:
        saver = _guarded(spec, lambda: stack.enter_context(made))
        if not isinstance(saver, BaseCheckpointSaver):
            raise _wrong_type(spec, saver)
        yield saver


def _guarded(spec: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:  # user code may raise anything
        raise DeltabenchError(f"checkpointer {spec!r} failed: {one_line(error)}") from error


def _wrong_type(spec: str, made: object) -> DeltabenchError:
    return DeltabenchError(f"checkpointer {spec!r} gave a {type(made).__name__}", hint=_HINT)
