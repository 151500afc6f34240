"""Tests of the gate as a whole: every planted fault ends in its verdict and exit code."""

from __future__ import annotations

import pytest

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.verdicts import Verdict
from tests.fakes import failed_row, fake_results, replace_row
from tests.gate.plants import (
    each,
    found,
    grown,
    judged,
    on_another_machine,
    results_of,
    with_packages,
    without,
)


def test_the_same_results_pass() -> None:
    """A run against itself passes, with every counted figure equal."""
    judgement = judged(results_of(), results_of())
    assert judgement.exit_code is ExitCode.PASSED
    assert judgement.versions == "same versions"
    assert found(judgement, "total_bytes", "exact").verdict is Verdict.EQUAL
    assert found(judgement, "total_bytes", "exact", "full").verdict is Verdict.EQUAL
    assert found(judgement, "savings", "max_drop").verdict is Verdict.EQUAL
    assert not judgement.blocking


def test_ten_per_cent_more_stored_bytes_fail() -> None:
    """Planted growth is worse, breaks the exact rule and the ratio, and ends in 1."""
    judgement = judged(grown(results_of(), 10), results_of())
    assert judgement.exit_code is ExitCode.FAILED
    total = found(judgement, "total_bytes")
    assert (total.verdict, total.standing) == (Verdict.WORSE, "broken")
    assert "(+10.0 %)" in total.found
    assert "baseline update" in total.next_step
    assert found(judgement, "savings").standing == "broken"


def test_one_byte_more_fails() -> None:
    """Exact means to the byte, however many there are."""
    one_more = each(
        results_of(),
        lambda m: {"storage": (m.stored.model_copy(update={"key_bytes": m.stored.key_bytes + 1}),)},
    )
    judgement = judged(one_more, results_of())
    assert {f.metric for f in judgement.blocking} == {"total_bytes", "key_bytes"}
    assert judgement.exit_code is ExitCode.FAILED


def test_a_drop_of_the_ratio_fails() -> None:
    """A ratio that falls by more than 2 % breaks the default rule, even without exact ones."""
    judgement = judged(grown(results_of(), 10), results_of(), "counted.exact=false")
    assert [f.metric for f in judgement.blocking] == ["savings"]
    assert judgement.exit_code is ExitCode.FAILED
    slight = judged(grown(results_of(), 1), results_of(), "counted.exact=false")
    assert slight.passed
    assert found(slight, "savings").words == "worse, allowed"


def test_less_stored_is_better_but_not_exact() -> None:
    """Better breaks the exact rule with advice how to accept it, and no other rule."""
    judgement = judged(grown(results_of(), -10), results_of())
    assert judgement.exit_code is ExitCode.FAILED
    total = found(judgement, "total_bytes")
    assert total.words == "better, not equal"
    assert total.next_step.endswith("deltabench baseline update")
    ratio = found(judgement, "savings")
    assert (ratio.verdict, ratio.standing) == (Verdict.BETTER, "holds")
    assert judged(grown(results_of(), -10), results_of(), "counted.exact=false").passed


def test_another_final_state_fails() -> None:
    """The same session on the same versions must end in the same state, for every policy."""
    other = results_of()
    for k in (None, 50):
        other = each(
            other, lambda m: {"state": m.state.model_copy(update={"content": "other"})}, k=k
        )
    judgement = judged(other, results_of())
    assert judgement.exit_code is ExitCode.FAILED
    assert {(f.metric, f.verdict) for f in judgement.blocking} == {("state", Verdict.DIFFERENT)}


@pytest.mark.parametrize("number", [0, 1])
def test_a_dropped_cell_blocks(number: int) -> None:
    """A row that is not there, of full or of delta, ends in 3."""
    judgement = judged(without(results_of(), number), results_of())
    assert judgement.exit_code is ExitCode.CELL_FAILED
    assert judgement.blocking[0].verdict is Verdict.MISSING


@pytest.mark.parametrize("number", [0, 1])
def test_a_dropped_cell_blocks_without_a_baseline(number: int) -> None:
    """A ratio that cannot be formed is missing; it never passes."""
    judgement = judged(without(results_of(), number), None, "savings.min_ratio=1")
    assert judgement.exit_code is ExitCode.CELL_FAILED


def test_a_dropped_repeat_blocks() -> None:
    """Each repeat is a planned cell."""
    judgement = judged(without(results_of(2), 3), results_of(2))
    assert judgement.exit_code is ExitCode.CELL_FAILED
    assert "repeat 2" in judgement.blocking[0].found


@pytest.mark.parametrize("number", [0, 1])
def test_a_failed_cell_blocks(number: int) -> None:
    """A failed cell ends in 3 with its reason, whatever else holds."""
    results = results_of()
    failed = replace_row(results, number, failed_row(results.rows[number].cell))
    for baseline, rules in ((results, ()), (None, ("savings.min_ratio=1",))):
        judgement = judged(failed, baseline, *rules)
        assert judgement.exit_code is ExitCode.CELL_FAILED
        assert judgement.blocking[0].verdict is Verdict.FAILED
        assert "no answer for 60 s" in judgement.blocking[0].found


def test_a_pending_cell_blocks() -> None:
    """An interrupted run does not pass, and is told how to go on."""
    results = results_of()
    pending = replace_row(results, 1, results.rows[1].model_copy(update={"measurement": None}))
    judgement = judged(pending, results)
    assert judgement.exit_code is ExitCode.CELL_FAILED
    assert any("--resume" in finding.next_step for finding in judgement.blocking)


def test_results_without_any_cell_are_refused() -> None:
    """An empty file has nothing that could pass."""
    with pytest.raises(DeltabenchError, match="has no cells") as caught:
        judged(results_of().model_copy(update={"rows": ()}), results_of())
    assert caught.value.exit_code is ExitCode.CELL_FAILED


def test_full_alone_does_not_pass() -> None:
    """Equal full cells say nothing about delta channels."""
    full = without(results_of(), 1)
    judgement = judged(full, full)
    assert judgement.exit_code is ExitCode.CELL_FAILED
    assert judgement.blocking[0].expected == "a delta cell"


def test_other_versions_are_judged_by_ratio() -> None:
    """Other bytes from other packages pass while the ratio holds; the verdict says so."""
    now = with_packages(grown(results_of(), 1), langgraph="1.3.0")
    judgement = judged(now, results_of())
    assert judgement.passed
    assert judgement.versions == "other versions"
    assert {f.metric for f in judgement.findings if f.standing == "holds"} == {"savings"}
    assert "langgraph 1.3.0 against 1.2.24" in judgement.notices[0]
    assert judgement.notices[0].startswith("Baseline of other versions")


def test_other_versions_with_a_worse_ratio_fail() -> None:
    """An upgrade that loses savings ends in 1."""
    now = with_packages(grown(results_of(), 10), deepagents="0.8.0")
    assert judged(now, results_of()).exit_code is ExitCode.FAILED


def test_other_versions_without_a_ratio_rule_are_not_comparable() -> None:
    """When exact rules were all there was, nothing was compared: 4."""
    now = with_packages(results_of(), ormsgpack="2.0.0")
    judgement = judged(now, results_of(), "savings.max_drop=false", "timed.max_rise=false")
    assert judgement.exit_code is ExitCode.NOT_COMPARABLE
    assert judgement.judged == 0
    assert [finding.found for finding in judgement.blocking] == ["none"]


def test_other_versions_can_be_refused() -> None:
    """A policy may insist on one version set: 4."""
    with pytest.raises(DeltabenchError, match="baseline of other versions") as caught:
        judged(
            with_packages(results_of(), langgraph="1.3.0"), results_of(), "other_versions='refuse'"
        )
    assert caught.value.exit_code is ExitCode.NOT_COMPARABLE


def test_packages_that_store_nothing_do_not_matter() -> None:
    """Another sqlite saver changes nothing about cells in memory, and exact rules hold."""
    now = with_packages(results_of(), langgraph_checkpoint_sqlite="9.9")
    assert judged(now, results_of()).versions == "same versions"
    sqlite = results_of(checkpointer="sqlite")
    now = with_packages(sqlite, langgraph_checkpoint_sqlite="9.9")
    assert judged(now, sqlite).versions == "other versions"


def test_times_of_another_machine_are_refused_and_bytes_judged() -> None:
    """One sentence says so; the byte rules still find planted growth."""
    now = on_another_machine(results_of(9))
    judgement = judged(now, results_of(9))
    assert judgement.passed
    assert not any(f.unit == "seconds" for f in judgement.findings)
    assert found(judgement, "total_bytes", "exact").verdict is Verdict.EQUAL
    (notice,) = judgement.notices
    assert notice == (
        "Timed figures of the baseline are of another machine "
        "(Other CPU against Fake CPU 2000) and are not compared; the byte rules are."
    )
    worse = judged(on_another_machine(grown(results_of(9), 10)), results_of(9))
    assert worse.exit_code is ExitCode.FAILED


def test_only_times_of_another_machine_compare_nothing() -> None:
    """A policy of timed rules alone must not pass when its baseline is refused."""
    rules = ("counted.exact=false", "savings.max_drop=false")
    judgement = judged(on_another_machine(results_of(9)), results_of(9), *rules)
    assert judgement.exit_code is ExitCode.NOT_COMPARABLE


def test_only_inconclusive_rules_do_not_pass() -> None:
    """One repeat under timed rules alone decides nothing, and says what would."""
    judgement = judged(results_of(), None, "resume_warm.max_ratio=100")
    assert judgement.exit_code is ExitCode.NOT_COMPARABLE
    assert "--repeat 9" in judgement.blocking[0].next_step


def test_strict_lets_nothing_undecided_through() -> None:
    """What is inconclusive passes beside rules that hold, unless the policy is strict."""
    rules = ("savings.min_ratio=1", "resume_warm.max_ratio=100")
    assert judged(results_of(), None, *rules).passed
    assert judged(results_of(), None, *rules, "strict=true").exit_code is ExitCode.FAILED


def test_a_baseline_without_the_workload_is_refused() -> None:
    """The workloads that it has are named, and the code is 4."""
    now = fake_results(workloads=("A", "B"), turns=20)
    with pytest.raises(DeltabenchError, match=r"no workload 'A' \(it has B\)") as caught:
        judged(now, results_of())
    assert caught.value.exit_code is ExitCode.NOT_COMPARABLE


@pytest.mark.parametrize("what", ["workload_digest", "seed"])
def test_another_session_is_refused(what: str) -> None:
    """A workload that was changed, or another seed, stores other bytes."""
    then = results_of()
    rows = tuple(
        row.model_copy(
            update={"cell": row.cell.model_copy(update={what: "x" if "digest" in what else 8})}
        )
        for row in then.rows
    )
    with pytest.raises(DeltabenchError, match=r"'B' has another (digest|seed)") as caught:
        judged(results_of(), then.model_copy(update={"rows": rows}))
    assert caught.value.exit_code is ExitCode.NOT_COMPARABLE


def test_a_policy_that_the_baseline_lacks_is_not_comparable() -> None:
    """A K or length without a counterpart was not compared, though others were."""
    judgement = judged(results_of(ks=(50, 100)), results_of())
    assert judgement.exit_code is ExitCode.NOT_COMPARABLE
    (finding,) = judgement.blocking
    assert finding.key.policy.label == "K=100"
    assert finding.verdict is Verdict.MISSING


def test_what_only_the_baseline_has_is_missing_unless_a_part_is_judged() -> None:
    """A workload dropped from the run blocks; judging a subset has to be asked for."""
    baseline = fake_results(workloads=("A", "B"), turns=20)
    assert judged(results_of(), baseline).exit_code is ExitCode.CELL_FAILED
    assert judged(results_of(), baseline, whole=False).passed


def test_a_failed_cell_of_the_baseline_is_not_comparable() -> None:
    """A baseline with holes compares nothing there."""
    results = results_of()
    failed = replace_row(results, 1, failed_row(results.rows[1].cell))
    judgement = judged(results, failed)
    assert judgement.exit_code is ExitCode.NOT_COMPARABLE
    assert judgement.blocking[0].verdict is Verdict.NOT_COMPARABLE


def test_a_baseline_rule_without_a_baseline_is_refused() -> None:
    """A rule that was written but cannot be applied is an error, not a pass."""
    with pytest.raises(DeltabenchError, match=r"savings.max_drop can only be judged against"):
        judged(results_of(), None, "savings.min_ratio=1", "savings.max_drop='1%'")


def test_nothing_to_judge_by_is_refused() -> None:
    """Without a baseline the defaults demand nothing, which must not look like a pass."""
    with pytest.raises(DeltabenchError, match="nothing to judge by"):
        judged(results_of())


def test_an_override_that_fits_nothing_is_told() -> None:
    """A slip of the pen in an override shows."""
    override = "where = [{checkpointer = 'sqlte', savings = {min_ratio = 3}}]"
    judgement = judged(results_of(), results_of(), override)
    assert judgement.notices == (
        "An override of the policy fits no cell here: checkpointer sqlte.",
    )


def test_the_most_serious_gives_the_code() -> None:
    """A missing cell outweighs a broken rule, and that an uncomparable cell."""
    both = without(grown(results_of(ks=(10, 50)), 10), 1)
    assert judged(both, results_of(ks=(10, 50))).exit_code is ExitCode.CELL_FAILED
    worse = judged(grown(results_of(ks=(50, 100)), 10), results_of())
    assert worse.exit_code is ExitCode.FAILED
