"""A judgement written by hand, with everything that a format has to show."""

from __future__ import annotations

from deltabench.cells import Policy
from deltabench.gate.verdicts import LOST, Finding, Judgement, Key, Verdict, cell_finding

KEY = Key(
    workload="B",
    turns=50,
    checkpointer="memory",
    durability="async",
    policy=Policy(snapshot_frequency=50),
)
OTHER = KEY.model_copy(update={"checkpointer": "mine:<saver>&|", "policy": Policy()})


def finding(**changes: object) -> Finding:
    """A rule that holds, with changes."""
    fields: dict[str, object] = {
        "place": KEY.label,
        "key": KEY,
        "metric": "total_bytes",
        "unit": "bytes",
        "rule": "exact",
        "expected": "1,000 B",
        "found": "1,000 B",
        "expected_value": 1000,
        "found_value": 1000,
        "verdict": Verdict.EQUAL,
        "standing": "holds",
    }
    return Finding.model_validate(fields | changes)


FAILED = Judgement(
    results="r.json",
    baseline="b.json",
    versions="same versions",
    findings=(
        finding(
            metric="savings",
            unit="x",
            rule="min_ratio 25",
            expected="at least 25.0x",
            found="41.0x",
            expected_value=25.0,
            found_value=41.0,
            verdict=Verdict.BETTER,
        ),
        finding(
            found="1,100 B (+10.0 %)",
            found_value=1100,
            verdict=Verdict.WORSE,
            standing="broken",
            next_step="look; or accept",
        ),
        finding(
            metric="resume_warm",
            unit="seconds",
            rule="max_ratio 3",
            expected="at most 3.00x",
            found="1.50x",
            expected_value=None,
            found_value=1.5,
            verdict=Verdict.INCONCLUSIVE,
            standing="open",
            next_step="--repeat 9",
        ),
        cell_finding(OTHER, "measured", "timeout: no\nanswer <60 s>", LOST, "measure again"),
    ),
    notices=("100 % of another machine.",),
)
PASSED = FAILED.model_copy(update={"findings": FAILED.findings[:1], "notices": ()})
EMPTY = FAILED.model_copy(update={"findings": (FAILED.findings[2],), "notices": ()})
