"""The gate for machines."""

from __future__ import annotations

import json

from deltabench.gate.formats.registry import render
from tests.gate.formats.golden import FAILED, PASSED


def test_the_object_holds_outcome_and_numbers() -> None:
    """Outcome and exit code on top, every finding with its numbers and its cell below."""
    document = json.loads(render(FAILED, "json"))
    assert {key: document[key] for key in list(document)[:7]} == {
        "passed": False,
        "exit_code": 3,
        "judged": 2,
        "blocking": 2,
        "results": "r.json",
        "baseline": "b.json",
        "versions": "same versions",
    }
    assert document["notices"] == ["100 % of another machine."]
    assert document["findings"][1] == {
        "place": "B, 50 turns, memory, async, K=50",
        "key": {
            "workload": "B",
            "turns": 50,
            "checkpointer": "memory",
            "durability": "async",
            "policy": {"snapshot_frequency": 50},
        },
        "metric": "total_bytes",
        "unit": "bytes",
        "rule": "exact",
        "expected": "1,000 B",
        "found": "1,100 B (+10.0 %)",
        "expected_value": 1000,
        "found_value": 1100,
        "verdict": "worse",
        "standing": "broken",
        "next_step": "look; or accept",
    }


def test_a_pass_says_so() -> None:
    """One field is enough for a script."""
    document = json.loads(render(PASSED, "json"))
    assert (document["passed"], document["exit_code"]) == (True, 0)
