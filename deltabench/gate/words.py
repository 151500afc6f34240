"""The sentences that every format shares: the headline, and what was judged where."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from deltabench.errors import ExitCode
from deltabench.gate.metrics import SAVINGS
from deltabench.gate.verdicts import JUDGED, OTHER_VERSIONS, Verdict
from deltabench.report.units import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.gate.verdicts import Finding, Judgement

_CAUSES = {
    ExitCode.PASSED: "passed",
    ExitCode.FAILED: "gate failed",
    ExitCode.CELL_FAILED: "cell failed or missing",
    ExitCode.NOT_COMPARABLE: "not comparable",
}
# What needs a look comes before what does not.
_ORDER = (
    Verdict.FAILED,
    Verdict.MISSING,
    Verdict.NOT_COMPARABLE,
    Verdict.WORSE,
    Verdict.DIFFERENT,
    Verdict.INCONCLUSIVE,
    Verdict.BETTER,
    Verdict.WITHIN_NOISE,
    Verdict.EQUAL,
)


def headline(judgement: Judgement) -> str:
    """The outcome in one sentence, with the exit code if the gate stays shut."""
    against = f" against {plain(judgement.baseline)}" if judgement.baseline else ""
    if judgement.versions == "other versions":
        against += f", a {OTHER_VERSIONS}"
    cells = len({finding.key for finding in judgement.findings})
    policies = f"{cells} {'policy' if cells == 1 else 'policies'}"
    one = judgement.judged == 1
    if judgement.passed:
        holds = "rule holds" if one else "rules hold"
        return f"PASSED: {judgement.judged} {holds} for {policies}{against}."
    blocking = len(judgement.blocking)
    verb = "finding blocks" if blocking == 1 else "findings block"
    cause = _CAUSES[judgement.exit_code]
    rules = "rule was" if one else "rules were"
    return (
        f"FAILED: {blocking} {verb}, {judgement.judged} {rules} judged for "
        f"{policies}{against}. Exit code {judgement.exit_code.value}: {cause}."
    )


def blocking_by_place(judgement: Judgement) -> dict[str, list[Finding]]:
    """What keeps the gate shut, most serious first, by the place it is about."""
    places: dict[str, list[Finding]] = {}
    for finding in judgement.blocking:
        places.setdefault(finding.place, []).append(finding)
    return places


def next_steps(findings: list[Finding]) -> list[str]:
    """What to do, each step once."""
    return list(dict.fromkeys(plain(f.next_step) for f in findings if f.next_step))


def open_findings(judgement: Judgement) -> list[Finding]:
    """Rules that could not be judged and do not block."""
    return [finding for finding in judgement.findings if finding.standing == "open"]


def tally(findings: list[Finding]) -> str:
    """How often each verdict was found: `1 worse, 2 inconclusive, 25 equal`."""
    counts = Counter(finding.verdict for finding in findings)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in _ORDER if counts[verdict])


def place_lines(judgement: Judgement) -> Iterator[tuple[str, str]]:
    """For each place, its tally and the savings ratio that was found."""
    places: dict[str, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.standing in {*JUDGED, "open"}:
            places.setdefault(finding.place, []).append(finding)
    for place, findings in places.items():
        ratio = next((f for f in findings if f.metric == SAVINGS and f.found_value), None)
        saved = f"; {ratio.found} less stored than full, {ratio.expected}" if ratio else ""
        yield place, f"{tally(findings)}{saved}"
