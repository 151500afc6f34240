"""Verdicts as JSON, with the versions they were found with."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deltabench.verify.vocabulary import Verdict

PACKAGES = (
    "langgraph",
    "langgraph-checkpoint",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "deepagents",
)


def versions() -> dict[str, str]:
    """The installed versions of what is tried; a package that is missing is left out."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def document(verdicts: Iterable[Verdict]) -> str:
    """The verdicts with every case, as JSON."""
    entries = [verdict.model_dump(mode="json") for verdict in verdicts]
    return json.dumps({"versions": versions(), "verdicts": entries}, indent=2)
