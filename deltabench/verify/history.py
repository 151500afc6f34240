"""Which guarantees failed with which versions, as data: `history.json`.

The file is made by `make verify-history`, which runs the matrix in an environment for each
set of versions. Nothing in it is written by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from packaging.version import Version
from pydantic import Field

from deltabench.cells import Value
from deltabench.verify.vocabulary import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from deltabench.verify.document import Document

FILE = Path(__file__).with_name("history.json")
# The packages on which what happens on a checkpointer depends.
_SAVERS = {
    "memory": (),
    "sqlite": ("langgraph-checkpoint-sqlite",),
    "postgres": ("langgraph-checkpoint-postgres",),
}
_EVERYWHERE = ("langgraph", "langgraph-checkpoint")
_OF_GUARANTEE = {"deep-agents": ("deepagents",)}

Standing = Literal["present", "fixed", "unknown"]


class Outcome(Value):
    """One guarantee on one checkpointer: cases that held, and what differed in the others.

    `failed` maps a case to what was observed; of cases that were tried in several variants
    one that failed in any failed. `known` are the ids of documented differences.
    """

    guarantee: str
    checkpointer: str
    status: Status
    reason: str = ""
    held: tuple[str, ...] = ()
    failed: dict[str, str] = Field(default_factory=dict)
    known: tuple[str, ...] = ()


class Environment(Value):
    """One set of versions, and what the matrix came to with them.

    `quick` says that only one variant of each guarantee was tried.
    """

    name: str
    quick: bool
    versions: dict[str, str]
    outcomes: tuple[Outcome, ...]


class History(Value):
    """All environments, oldest first."""

    environments: tuple[Environment, ...]


class Fault(Value):
    """A case that failed on a checkpointer with some versions."""

    guarantee: str
    checkpointer: str
    case: str
    observed: str

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose versions matter for it."""
        extra = _OF_GUARANTEE.get(self.guarantee, ())
        return (*_EVERYWHERE, *_SAVERS[self.checkpointer], *extra)


def load_history() -> History:
    """Read the data of the package."""
    return History.model_validate_json(FILE.read_bytes())


def environment(name: str, found: Document, *, quick: bool) -> Environment:
    """Boil one run of the matrix down to what failed."""
    outcomes = []
    for verdict in found.verdicts:
        failed = {
            case.case: f"{difference.observed}: {difference.path}"
            for case in verdict.cases
            if case.fails
            for difference in case.differences[-1:]
        }
        tried = (case.case for case in verdict.cases if case.not_tried is None)
        held = tuple(dict.fromkeys(case for case in tried if case not in failed))
        known = {entry for case in verdict.cases for entry in case.known}
        outcomes.append(
            Outcome(
                guarantee=verdict.guarantee,
                checkpointer=verdict.checkpointer,
                status=verdict.status,
                reason=verdict.reason,
                held=held,
                failed=failed,
                known=tuple(sorted(known)),
            )
        )
    return Environment(name=name, quick=quick, versions=found.versions, outcomes=tuple(outcomes))


def faults(history: History) -> tuple[Fault, ...]:
    """Every case that failed anywhere, in the order of the data."""
    found: dict[tuple[str, str, str], Fault] = {}
    for each in history.environments:
        for outcome in each.outcomes:
            for case, observed in outcome.failed.items():
                key = (outcome.guarantee, outcome.checkpointer, case)
                fault = Fault(
                    guarantee=outcome.guarantee,
                    checkpointer=outcome.checkpointer,
                    case=case,
                    observed=observed,
                )
                found.setdefault(key, fault)
    return tuple(found.values())


def standing(fault: Fault, history: History, installed: Mapping[str, str]) -> Standing:
    """Whether the installed versions have a fault, as far as the tried ones tell.

    It is fixed when it held with versions none of which is newer than the installed one,
    and present when it failed with versions none of which is older. What lies between is
    unknown.
    """
    failed, held = _tried(fault, history)
    here = _versions(fault, installed)
    if here is None:
        return "unknown"
    if here in failed:
        return "present"
    if here in held:
        return "fixed"
    older_held = [each for each in held if _not_newer(each, here)]
    # A version at which it came back counts more than an older one at which it held.
    if any(not _between(each, failed, here) for each in older_held):
        return "fixed"
    return "present" if any(_not_newer(here, each) for each in failed) else "unknown"


def remedy(fault: Fault, history: History, installed: Mapping[str, str]) -> dict[str, str]:
    """The versions to go to: the lowest tried ones at which it held; empty if there are none.

    Packages that are new enough are left out.
    """
    here = _versions(fault, installed)
    _, held = _tried(fault, history)
    better = [each for each in held if here is not None and _not_newer(here, each)]
    if here is None or not better:
        return {}
    lowest = min(better)
    return {
        package: str(version)
        for package, version, now in zip(fault.packages, lowest, here, strict=True)
        if version > now
    }


def tried_exactly(history: History, installed: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the environments that had just these versions."""
    return tuple(e.name for e in history.environments if dict(e.versions) == dict(installed))


_Versions = tuple[Version, ...]


def _tried(fault: Fault, history: History) -> tuple[list[_Versions], list[_Versions]]:
    failed: list[_Versions] = []
    held: list[_Versions] = []
    for each in history.environments:
        versions = _versions(fault, each.versions)
        for outcome in _of(each, fault):
            if versions is not None and fault.case in outcome.failed:
                failed.append(versions)
            elif versions is not None and fault.case in outcome.held:
                held.append(versions)
    return failed, held


def _of(each: Environment, fault: Fault) -> Iterator[Outcome]:
    place = (fault.guarantee, fault.checkpointer)
    return (o for o in each.outcomes if (o.guarantee, o.checkpointer) == place)


def _versions(fault: Fault, versions: Mapping[str, str]) -> _Versions | None:
    if not all(package in versions for package in fault.packages):
        return None
    return tuple(Version(versions[package]) for package in fault.packages)


def _not_newer(one: _Versions, other: _Versions) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def _between(low: _Versions, middle: Iterable[_Versions], high: _Versions) -> bool:
    return any(_not_newer(low, each) and _not_newer(each, high) for each in middle)
