"""Tests of results side by side."""

from __future__ import annotations

import json

import pytest

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.comparing import compare
from deltabench.gate.formats.comparison import render
from deltabench.gate.sides import Side
from deltabench.gate.verdicts import Verdict
from tests.fakes import fake_results, replace_row
from tests.gate.plants import (
    grown,
    on_another_machine,
    results_of,
    with_packages,
)

SAME, MORE = Side("a.json", results_of()), Side("b.json", grown(results_of(), 10))

HEAD = [
    "A = a.json (langgraph 1.2.24, langgraph-checkpoint 4.3.2, deepagents 0.7.32)",
    "B = b.json (langgraph 1.2.24, langgraph-checkpoint 4.3.2, deepagents 0.7.32)",
    "C = c.json (langgraph 1.3.0, langgraph-checkpoint 4.3.2, deepagents 0.7.32)",
    "",
    "B, 20 turns, memory, async, full",
    "                           A              B  B is               C  C is",
    "  total_bytes  108,888,000 B  108,888,000 B  equal  108,888,000 B  equal",
]


def _verdicts(one: Side, two: Side) -> dict[str, Verdict | None]:
    comparison = compare([one, two], everything=True)
    block = next(b for b in comparison.blocks if not b.key.policy.is_full)
    return {line.metric: line.entries[1].verdict for line in block.lines}


def test_the_words_are_those_of_the_gate() -> None:
    """Growth is worse, the way back better, the same equal, few repeats inconclusive."""
    forth, back = _verdicts(SAME, MORE), _verdicts(MORE, SAME)
    assert (forth["total_bytes"], back["total_bytes"]) == (Verdict.WORSE, Verdict.BETTER)
    assert (forth["savings"], back["savings"]) == (Verdict.WORSE, Verdict.BETTER)
    assert forth["write_bytes"] is Verdict.EQUAL
    assert forth["resume_warm"] is Verdict.INCONCLUSIVE


def test_text_puts_any_number_of_files_side_by_side() -> None:
    """Main figures and what differs, each file against the first, versions on top."""
    third = Side("c.json", with_packages(results_of(), langgraph="1.3.0"))
    lines = render(compare([SAME, MORE, third]), "text").splitlines()
    assert lines[: len(HEAD)] == HEAD
    (delta,) = [line for line in lines if line.startswith("  total_bytes") and "worse" in line]
    assert delta.endswith("equal")
    assert "c.json is of other versions: langgraph 1.3.0 against 1.2.24." in lines[-1]


def test_markdown_and_json_hold_the_same() -> None:
    """The same figures and words in every format."""
    comparison = compare([SAME, MORE])
    markdown, document = render(comparison, "markdown"), json.loads(render(comparison, "json"))
    (row,) = [line for line in markdown.splitlines() if "total_bytes" in line and "worse" in line]
    (line,) = [line for line in document["blocks"][1]["lines"] if line["metric"] == "total_bytes"]
    one, two = line["entries"]
    assert row == f"| total_bytes | {one['figure']} | {two['figure']} | worse |"
    assert two["verdict"] == "worse"


def test_what_only_one_file_has_is_missing() -> None:
    """A K of one file stands there, with nothing beside it; that is no failure."""
    comparison = compare([SAME, Side("b.json", results_of(ks=(10, 50)))])
    (block,) = [b for b in comparison.blocks if b.key.policy.label == "K=10"]
    assert {line.entries[1].verdict for line in block.lines} == {Verdict.MISSING}
    assert {line.entries[0].figure for line in block.lines} == {None}
    assert comparison.exit_code is ExitCode.PASSED


def test_times_of_another_machine_get_no_verdict() -> None:
    """They are shown, and the reason stands below."""
    other = Side("b.json", on_another_machine(results_of(9)))
    one = Side("a.json", results_of(9))
    assert _verdicts(one, other)["resume_warm"] is Verdict.NOT_COMPARABLE
    assert _verdicts(one, Side("b.json", results_of(9)))["resume_warm"] is Verdict.WITHIN_NOISE
    assert "another machine" in compare([one, other]).notices[0]


def test_a_cell_without_a_result_is_told_first() -> None:
    """It ends in 3, as with every command."""
    results = results_of()
    pending = replace_row(results, 1, results.rows[1].model_copy(update={"measurement": None}))
    comparison = compare([SAME, Side("b.json", pending)])
    assert comparison.exit_code is ExitCode.CELL_FAILED
    assert render(comparison, "text").startswith("MISSING: B, 20 turns, memory, async, K=50: 1 not")


def test_other_sessions_are_refused() -> None:
    """A workload of the same name and another digest is another workload: 4."""
    rows = tuple(
        row.model_copy(update={"cell": row.cell.model_copy(update={"workload_digest": "other"})})
        for row in results_of().rows
    )
    other = Side("b.json", results_of().model_copy(update={"rows": rows}))
    with pytest.raises(DeltabenchError, match=r"another digest in a\.json") as caught:
        compare([SAME, other])
    assert caught.value.exit_code is ExitCode.NOT_COMPARABLE


def test_nothing_in_common_is_refused() -> None:
    """Files of other workloads or lengths have nothing to compare: 4."""
    for other in (fake_results(workloads=("A",), turns=20), results_of(turns=10)):
        with pytest.raises(DeltabenchError, match="nothing is in two") as caught:
            compare([SAME, Side("b.json", other)])
        assert caught.value.exit_code is ExitCode.NOT_COMPARABLE


def test_one_file_is_refused() -> None:
    """There is nothing to compare it with."""
    with pytest.raises(DeltabenchError, match="one file alone"):
        compare([SAME])
