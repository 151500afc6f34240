"""Whether a checkpointer carries what delta channels ask of it, tried on an empty store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.doctor.findings import Finding, Part
from deltabench.verify.matrix import Matrix, run_matrix

if TYPE_CHECKING:
    from deltabench.verify.vocabulary import CaseResult, Verdict

GUARANTEE = "any-checkpointer"


def look_at_checkpointer(spec: str, postgres_url: str | None) -> Part:
    """Run the short form of the guarantee that is about savers alone."""
    matrix = Matrix((GUARANTEE,), (spec,), quick=True, postgres_url=postgres_url)
    (verdict,) = run_matrix(matrix, lambda *_: None, lambda _: None)
    return judged(spec, verdict)


def judged(spec: str, verdict: Verdict) -> Part:
    """What the verdict means for delta channels."""
    failing = [case for case in verdict.cases if case.fails]
    findings = [Finding(level="fault", text=_words(case), remedy=_REMEDY) for case in failing]
    if verdict.status == "not_tried":
        text = f"it could not be tried: {verdict.reason}"
        findings.append(Finding(level="unsure", text=text))
    if not findings:
        tried = sum(case.not_tried is None for case in verdict.cases)
        findings.append(Finding(level="fine", text=f"it passes all {tried} trials"))
    facts = tuple(fact for case in verdict.cases for fact in case.facts)
    return Part(title="Checkpointer", name=spec, facts=facts, findings=tuple(findings))


def _words(case: CaseResult) -> str:
    return f"{case.case}: {case.differences[-1].line}"


_REMEDY = "deltabench verify --guarantee any-checkpointer --checkpointer tells more"
