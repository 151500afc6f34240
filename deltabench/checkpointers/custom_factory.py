"""Finding and calling a user's checkpointer factory, with one line for all that can go wrong."""

from __future__ import annotations

import importlib
import inspect
import sys
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from langgraph.checkpoint.base import BaseCheckpointSaver

_HINT = "a factory takes no argument and returns a BaseCheckpointSaver or a context manager of one"


def load_factory(spec: str) -> Callable[[], Any]:
    """Import `module:factory` or `path/to/file.py:factory`, also from the current directory.

    Raises DeltabenchError when the import fails, the name is missing or takes arguments.
    """
    place, _, name = spec.rpartition(":")
    try:
        module = _from_file(place) if place.endswith(".py") else _from_name(place)
    except Exception as error:  # user code may raise anything while it is imported
        raise DeltabenchError(
            f"checkpointer {spec!r}: importing {place} failed: {_one_line(error)}"
        ) from error
    factory: Callable[[], Any] | None = getattr(module, name, None)
    if not callable(factory):
        raise DeltabenchError(f"checkpointer {spec!r}: {place} has no function {name!r}")
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
        raise DeltabenchError(f"checkpointer {spec!r} failed: {_one_line(error)}") from error


def _wrong_type(spec: str, made: object) -> DeltabenchError:
    return DeltabenchError(f"checkpointer {spec!r} gave a {type(made).__name__}", hint=_HINT)


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _from_name(name: str) -> ModuleType:
    # An installed command does not have the current directory on its path.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return importlib.import_module(name)


def _from_file(path: str) -> ModuleType:
    file = Path(path).resolve(strict=True)
    name = f"deltabench_custom_{file.stem}"
    if name in sys.modules and sys.modules[name].__file__ == str(file):
        return sys.modules[name]
    found = spec_from_file_location(name, file)
    if found is None or found.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = sys.modules[name] = module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
