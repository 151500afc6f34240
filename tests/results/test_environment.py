"""Tests of the environment manifest: useful, and fit to be published."""

from __future__ import annotations

import getpass
import platform
from importlib import metadata
from pathlib import Path

from deltabench.results.environment import collect_environment


def test_it_names_what_the_figures_depend_on() -> None:
    """Versions are those that are installed, and the machine has a size."""
    environment = collect_environment()
    assert environment.packages["langgraph"] == metadata.version("langgraph")
    assert environment.packages["deepagents"] == metadata.version("deepagents")
    assert platform.python_version() in environment.python
    assert environment.cores >= 1
    assert environment.memory_bytes > 100_000_000
    assert 0 < environment.timer_resolution_seconds < 0.1


def test_it_names_no_user_host_or_path() -> None:
    """Results are published, so nothing in them may tell whose machine it was."""
    text = collect_environment().model_dump_json()
    for private in (str(Path.home()), str(Path.cwd())):
        assert private not in text
    if len(getpass.getuser()) > 4:  # shorter names are parts of other words
        assert getpass.getuser() not in text
    if len(platform.node()) > 4:
        assert platform.node() not in text
