"""Differences that are known and documented, as data: `known.toml`."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.cells import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deltabench.verify.vocabulary import CaseResult, Difference

FILE = Path(__file__).with_name("known.toml")


class Known(Value):
    """One documented difference; the patterns are regular expressions for the whole text."""

    id: str
    guarantee: str
    cases: str
    observed: str
    path: str
    text: str
    upstream: str
    langgraph: tuple[str, ...]

    def is_of(self, guarantee: str) -> bool:
        """Whether it shows in this guarantee."""
        return re.fullmatch(self.guarantee, guarantee) is not None

    def explains(self, guarantee: str, case: str, difference: Difference) -> bool:
        """Whether this is the difference that is described here."""
        return (
            self.is_of(guarantee)
            and re.fullmatch(self.cases, case) is not None
            and re.fullmatch(self.observed, difference.observed) is not None
            and re.fullmatch(self.path, difference.path) is not None
        )


def load_known() -> tuple[Known, ...]:
    """All entries, in the order of the file."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["known"]
    return tuple(Known.model_validate(entry) for entry in entries)


def explained(guarantee: str, result: CaseResult, known: Iterable[Known]) -> CaseResult:
    """The result with the ids of the entries that explain its differences, one for each."""
    ids = []
    entries = tuple(known)
    for difference in result.differences:
        found = (e.id for e in entries if e.explains(guarantee, result.case, difference))
        if (entry := next(found, None)) is not None:
            ids.append(entry)
    return result.model_copy(update={"known": tuple(ids)})


def no_longer_seen(
    known: Iterable[Known], tried: Iterable[str], seen: Iterable[str]
) -> tuple[Known, ...]:
    """Entries of the installed langgraph that were tried and did not occur."""
    installed, tried, seen = version("langgraph"), set(tried), set(seen)
    return tuple(
        entry
        for entry in known
        if installed in entry.langgraph and any(map(entry.is_of, tried)) and entry.id not in seen
    )
