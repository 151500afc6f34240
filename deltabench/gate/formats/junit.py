"""The gate as a JUnit report: a suite per place, a case per rule."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from deltabench.gate.words import headline
from deltabench.report.units import plain

if TYPE_CHECKING:
    from deltabench.gate.verdicts import Finding, Judgement


def render(judgement: Judgement) -> str:
    """XML that test reporters read: broken rules fail, lost cells are errors, open ones skip."""
    root = ET.Element("testsuites", name="deltabench check")
    places: dict[str, list[Finding]] = {}
    for finding in judgement.findings:
        places.setdefault(finding.place, []).append(finding)
    for place, findings in places.items():
        suite = ET.SubElement(root, "testsuite", {"name": plain(place), **_counts(findings)})
        for finding in findings:
            _case(suite, finding)
    for name, value in _counts(list(judgement.findings)).items():
        root.set(name, value)
    if not judgement.passed and not judgement.blocking:
        # Readers of the file know no exit code: an empty report must not look green.
        suite = ET.SubElement(root, "testsuite", name="gate", tests="1", errors="1")
        case = ET.SubElement(suite, "testcase", classname="gate", name="judged")
        ET.SubElement(case, "error", message=plain(headline(judgement)))
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _counts(findings: list[Finding]) -> dict[str, str]:
    standings = [finding.standing for finding in findings]
    return {
        "tests": str(len(standings)),
        "failures": str(standings.count("broken")),
        "errors": str(standings.count("no result") + standings.count("not comparable")),
        "skipped": str(standings.count("open")),
    }


def _case(suite: ET.Element, finding: Finding) -> None:
    name = plain(f"{finding.metric} {finding.rule}")
    case = ET.SubElement(suite, "testcase", classname=plain(finding.place), name=name)
    text = f"{finding.words}: expected {finding.expected}, found {finding.found}"
    if finding.standing == "open":
        ET.SubElement(case, "skipped", message=plain(f"{text}; {finding.next_step}"))
    elif finding.blocks:
        tag = "failure" if finding.standing == "broken" else "error"
        problem = ET.SubElement(case, tag, message=plain(text), type=finding.verdict.value)
        problem.text = plain(finding.next_step)
