"""What every test needs: no tracing out of the process, and no settings of the caller."""

from __future__ import annotations

import os

import pytest

pytest_plugins = ["pytester"]  # runs small suites that use the fixture of this project

# Set before anything imports langchain, which reads them once and keeps them.
for _name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
    os.environ[_name] = "false"


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the database, the colours and the width of the caller's shell out of the tests."""
    for name in ("DELTABENCH_POSTGRES_URL", "COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
