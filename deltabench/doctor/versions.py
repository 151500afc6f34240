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
    from collections.abc import Iterator, Mapping

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
    findings = [*_present(present, history, installed), *_unknown(unknown, history, installed)]
    if not findings:
        how = "" if tried_exactly(history, installed) else _NOT_TRIED
        findings = [Finding(level="fine", text=f"no fault is known of these versions{how}")]
    facts = tuple(f"{package} {version}" for package, version in installed.items())
    return Part(title="Versions", facts=facts, findings=tuple(findings))


def _present(
    found: list[Fault], history: History, installed: Mapping[str, str]
) -> Iterator[Finding]:
    """One finding for each guarantee and what mends it."""
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[Fault]] = defaultdict(list)
    for fault in found:
        mends = tuple(remedy(fault, history, installed).items())
        groups[fault.guarantee, mends].append(fault)
    for (guarantee, mends), of_group in groups.items():
        places = ", ".join(dict.fromkeys(fault.checkpointer for fault in of_group))
        text = f"{guarantee} fails on {places}: {_cases(of_group)}"
        yield Finding(level="fault", text=text, remedy=_install(dict(mends)))


def _unknown(
    found: list[Fault], history: History, installed: Mapping[str, str]
) -> Iterator[Finding]:
    if not found:
        return
    guarantees = ", ".join(dict.fromkeys(fault.guarantee for fault in found))
    mends: dict[str, str] = {}
    for fault in found:
        for package, version in remedy(fault, history, installed).items():
            mends[package] = max(version, mends.get(package, version), key=Version)
    text = (
        "these versions lie between those that were tried; of older ones something failed in "
        f"{guarantees}. `deltabench verify` tries it"
    )
    yield Finding(level="unsure", text=text, remedy=_install(mends))


def _cases(found: list[Fault]) -> str:
    names = list(dict.fromkeys(fault.case for fault in found))
    more = f" and {len(names) - _MOST_CASES} more" if len(names) > _MOST_CASES else ""
    return "; ".join(names[:_MOST_CASES]) + more


def _install(mends: Mapping[str, str]) -> str:
    if not mends:
        return ""
    return "pip install " + " ".join(f"'{name}>={version}'" for name, version in mends.items())
