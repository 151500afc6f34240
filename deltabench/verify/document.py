"""Verdicts as a file, with the versions they were found with."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from pydantic import ValidationError

from deltabench.cells import Value
from deltabench.errors import DeltabenchError
from deltabench.verify.vocabulary import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE_NAME = "verdicts.json"
PACKAGES = (
    "langgraph",
    "langgraph-checkpoint",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "deepagents",
)


class Document(Value):
    """What one verification found, and the installed versions of the packages it is about."""

    versions: dict[str, str]
    verdicts: tuple[Verdict, ...]

    @property
    def words(self) -> str:
        """The versions in one line."""
        return ", ".join(f"{package} {found}" for package, found in self.versions.items())


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


def load_document(directory: Path) -> Document | None:
    """Read the verdicts beside a result, None when there are none.

    Raises DeltabenchError when the file is not what `verify` wrote.
    """
    path = directory / FILE_NAME
    if not path.is_file():
        return None
    try:
        return Document.model_validate_json(path.read_bytes())
    except (ValidationError, OSError) as error:
        hint = "deltabench verify --out writes it again"
        raise DeltabenchError(f"{path}: no verdicts of this version", hint=hint) from error
