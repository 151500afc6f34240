"""What the doctor says, as values: parts, each with facts and findings."""

from __future__ import annotations

from typing import Literal

from deltabench.cells import Value

# fault: it will not work, or lose something. unsure: nobody has tried it. fine: it was
# looked at, and nothing is wrong.
Level = Literal["fault", "unsure", "fine"]


class Finding(Value):
    """One thing that was found, and what to do about it."""

    level: Level
    text: str
    remedy: str = ""


class Part(Value):
    """What was looked at (`name` says what exactly), facts of it, and findings.

    `remedy` is one for all findings that have none of their own.
    """

    title: str
    name: str = ""
    facts: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    remedy: str = ""

    @property
    def faults(self) -> int:
        """How many findings are faults."""
        return sum(finding.level == "fault" for finding in self.findings)
