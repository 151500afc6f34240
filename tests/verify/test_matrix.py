"""Pairs of guarantee and checkpointer in processes of their own, and what they come to."""

from __future__ import annotations

import pytest

from deltabench.verify.known import explained, load_known, no_longer_seen
from deltabench.verify.matrix import Matrix, judge, run_matrix
from deltabench.verify.vocabulary import CaseResult, Difference, Variant, Verdict
from tests.verify import faults

APART = Difference(operation="run", observed="the state", path="values", expected="1", found="2")
KNOWN = Difference(
    operation="run", observed="what tasks wrote", path="results[0]", expected="1", found="2"
)


def _silent(*_: object) -> None:
    pass


def test_a_pair_is_tried_in_a_process_of_its_own() -> None:
    """On sqlite other processes read as well; every verdict is told."""
    told: list[Verdict] = []
    matrix = Matrix(("long-term-memory",), ("memory", "sqlite"), quick=True)
    verdicts = run_matrix(matrix, _silent, told.append)
    assert [(v.checkpointer, v.status) for v in verdicts] == [
        ("memory", "holds"),
        ("sqlite", "holds"),
    ]
    assert sorted(v.checkpointer for v in told) == ["memory", "sqlite"]


def test_a_fault_is_found_and_a_hang_is_not_taken_for_one() -> None:
    """A broken saver fails; a process that says nothing leaves its pair untried."""
    broken = Matrix(("long-term-memory",), ("memory",), quick=True, change=faults.drops_writes)
    (verdict,) = run_matrix(broken, _silent, _silent)
    assert verdict.status == "fails"
    hanging = Matrix(("long-term-memory",), ("memory",), quick=True, stall_seconds=0.01)
    (verdict,) = run_matrix(hanging, _silent, _silent)
    assert (verdict.status, verdict.reason) == (
        "not_tried",
        "no answer for 0 s; the process was ended",
    )


def test_a_database_that_goes_away_leaves_its_cases_untried() -> None:
    """The rest of the matrix goes on, and nothing of an address is told."""
    matrix = Matrix(("long-term-memory",), ("memory",), quick=True, change=faults.goes_away)
    (verdict,) = run_matrix(matrix, _silent, _silent)
    assert (verdict.status, verdict.reason) == (
        "not_tried",
        "the database cannot be reached (OperationalError)",
    )


def test_a_killed_process_leaves_its_pair_untried() -> None:
    """The others are not touched."""
    matrix = Matrix(("long-term-memory",), ("memory",), quick=True, change=faults.kills_its_process)
    (verdict,) = run_matrix(matrix, _silent, _silent)
    assert (verdict.status, verdict.reason) == (
        "not_tried",
        "the process ended without an answer",
    )


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (CaseResult(case="remove by id", variant=Variant()), "holds"),
        (CaseResult(case="remove by id", variant=Variant(), differences=(KNOWN,)), "differs"),
        (CaseResult(case="remove by id", variant=Variant(), differences=(KNOWN, APART)), "fails"),
        (CaseResult(case="remove by id", variant=Variant(), not_tried="why"), "not_tried"),
    ],
)
def test_the_verdict_follows_from_the_cases(result: CaseResult, status: str) -> None:
    """One unknown difference fails, whatever else is known."""
    verdict = judge("messages", "memory", [result])
    assert verdict.status == status
    assert verdict.reason == ("why" if status == "not_tried" else "")


def test_known_differences_are_data_and_their_absence_is_told() -> None:
    """An entry explains only its own guarantee, and one that no longer occurs is found."""
    known = load_known()
    result = CaseResult(case="remove by id", variant=Variant(), differences=(KNOWN,))
    assert explained("messages", result, known).known == ("task-results-coerced",)
    assert explained("streaming", result, known).known == ()
    entry = known[0].model_copy(update={"langgraph": ("0.0",)})
    assert no_longer_seen([entry], ["messages"], []) == ()
    from importlib.metadata import version

    here = known[0].model_copy(update={"langgraph": (version("langgraph"),)})
    assert no_longer_seen([here], ["messages"], []) == (here,)
    assert no_longer_seen([here], ["messages"], [here.id]) == ()
    assert no_longer_seen([here], ["streaming"], []) == ()
