"""Installed versions against the faults that are known of them."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from deltabench.doctor.findings import Finding, Part
from deltabench.errors import DeltabenchError
from deltabench.verify.document import PACKAGES, versions
from deltabench.verify.history import faults, load_history, remedy, standing, tried_exactly

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from deltabench.verify.history import Fault, History

_MOST_CASES = 3
_NOT_TRIED = ", but just these were not tried: `deltabench verify` tries them"
_PIN = re.compile(r"\s*(?P<name>[\w.-]+)(\[[^]]*\])?\s*==\s*(?P<version>[^\s;#\\]+)")


def look_at_versions(requirements: str | None) -> Part:
    """The versions of this environment, or those that a list of requirements pins.

    `requirements` is a file in pip's format, `-` for standard input. Raises DeltabenchError
    when it cannot be read or pins none of the packages.
    """
    return judged(load_history(), versions() if requirements is None else pinned(requirements))


def pinned(requirements: str) -> dict[str, str]:
    """The versions of the packages in question that a list pins, as `pip freeze` writes it."""
    try:
        text = (
            sys.stdin.read()
            if requirements == "-"
            else Path(requirements).read_text(encoding="utf-8")
        )
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise DeltabenchError(f"{requirements}: cannot be read: {reason}") from error
    found: dict[str, str] = {}
    for line in text.splitlines():
        if pin := _PIN.match(line):
            found[canonicalize_name(pin["name"])] = pin["version"]
    listed = {package: found[package] for package in PACKAGES if package in found}
    if not listed:
        name = "standard input" if requirements == "-" else requirements
        hint = "lines such as langgraph==1.2.24; pip freeze writes them"
        raise DeltabenchError(f"{name}: no version of {' or '.join(PACKAGES[:2])}", hint=hint)
    for package, version in listed.items():
        try:
            Version(version)
        except InvalidVersion as error:
            raise DeltabenchError(f"{requirements}: {package}=={version} is no version") from error
    return listed


def judged(history: History, installed: Mapping[str, str]) -> Part:
    """Hold versions against a history; faults of packages that are missing are left out."""
    present: list[Fault] = []
    unknown: list[Fault] = []
    for fault in faults(history):
        if all(package in installed for package in fault.packages):
            found = standing(fault, history, installed)
            (present if found == "present" else unknown if found == "unknown" else []).append(fault)
    failing = {fault.guarantee for fault in present}
    unknown = [fault for fault in unknown if fault.guarantee not in failing]
    findings = [*_present(present), *_unknown(unknown)]
    if not findings:
        how = "" if tried_exactly(history, installed) else _NOT_TRIED
        findings = [Finding(level="fine", text=f"no fault is known of these versions{how}")]
    return Part(
        title="Versions",
        facts=tuple(f"{package} {version}" for package, version in installed.items()),
        findings=tuple(findings),
        remedy=_remedy([*present, *unknown], history, installed),
    )


def _present(found: list[Fault]) -> Iterator[Finding]:
    """One finding for each guarantee."""
    for guarantee, of_guarantee in _by_guarantee(found):
        places = ", ".join(dict.fromkeys(fault.checkpointer for fault in of_guarantee))
        text = f"{guarantee} fails on {places}: {_cases(of_guarantee)}"
        yield Finding(level="fault", text=text)


def _unknown(found: list[Fault]) -> Iterator[Finding]:
    if found:
        guarantees = ", ".join(guarantee for guarantee, _ in _by_guarantee(found))
        text = (
            "these versions lie between those that were tried; of older ones something failed "
            f"in {guarantees}. `deltabench verify` tries it"
        )
        yield Finding(level="unsure", text=text)


def _by_guarantee(found: list[Fault]) -> Iterable[tuple[str, list[Fault]]]:
    groups: dict[str, list[Fault]] = defaultdict(list)
    for fault in found:
        groups[fault.guarantee].append(fault)
    return groups.items()


def _remedy(found: list[Fault], history: History, installed: Mapping[str, str]) -> str:
    """The lowest versions with which all of it held."""
    mends: dict[str, str] = {}
    for fault in found:
        for package, version in remedy(fault, history, installed).items():
            mends[package] = max(version, mends.get(package, version), key=Version)
    if not mends:
        return ""
    return "pip install " + " ".join(f"'{name}>={version}'" for name, version in mends.items())


def _cases(found: list[Fault]) -> str:
    names = list(dict.fromkeys(fault.case for fault in found))
    more = f" and {len(names) - _MOST_CASES} more" if len(names) > _MOST_CASES else ""
    return "; ".join(names[:_MOST_CASES]) + more
