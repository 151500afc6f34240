"""What the tests of all checkpointers share."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.checkpointers.registry import backend_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from deltabench.checkpointers.interface import OpenCheckpointer


@pytest.fixture(scope="session")
def small_session() -> Any:
    """Give the module next to this file that runs a small session."""
    spec = spec_from_file_location("small_session", Path(__file__).with_name("small_session.py"))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["small_session"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def opened(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[str], AbstractContextManager[OpenCheckpointer]]:
    """Give a way to prepare and open a backend by its name in this process."""

    @contextmanager
    def open_named(name: str) -> Iterator[OpenCheckpointer]:
        backend = backend_named(name)
        with backend.prepare() as place:
            for variable, value in place.items():
                monkeypatch.setenv(variable, value)
            with backend.open() as checkpointer:
                yield checkpointer

    return open_named
