"""Checkpointers by name."""

from __future__ import annotations

import pytest

from deltabench.checkpointers.registry import backend_named
from deltabench.errors import DeltabenchError, ExitCode


@pytest.mark.parametrize(
    ("name", "outlives_process"), [("memory", False), ("sqlite", True), ("postgres", True)]
)
def test_backends_know_their_names(name: str, *, outlives_process: bool) -> None:
    """Each name gives the backend of that name, which says whether it outlives its process."""
    backend = backend_named(name)
    assert backend.name == name
    assert backend.outlives_process is outlives_process


def test_module_and_factory_give_the_custom_backend() -> None:
    """A name with a colon is a user's own factory."""
    assert backend_named("some.module:factory").name == "custom"


@pytest.mark.parametrize("name", ["redis", "", "Memory", ":factory", "module:"])
def test_unknown_names_are_refused_with_the_known_ones(name: str) -> None:
    """An unknown name is one line that offers all names."""
    with pytest.raises(DeltabenchError, match="memory, sqlite, postgres, or module:factory") as e:
        backend_named(name)
    assert repr(name) in str(e.value)
    assert e.value.exit_code == ExitCode.USAGE
