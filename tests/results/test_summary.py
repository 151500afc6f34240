"""Tests of the summary: what is compared with what, and that nothing gets lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from deltabench.cells import Policy, Row
from deltabench.results.summary import summarize
from tests.fakes import failed_row, fake_results, fake_stored, replace_measured, replace_row

if TYPE_CHECKING:
    from deltabench.results.file import Results
    from deltabench.results.values import Figures


def _delta(results: Results, *, rtt_ms: float | None = None) -> Figures:
    figures = summarize(results, rtt_ms=rtt_ms).groups[0].columns[1].figures
    assert figures
    return figures


def test_the_headline_ratio_is_of_totals_and_exact() -> None:
    """The ratio counts every byte held, and keeps the integers that it came from."""
    figures = _delta(fake_results())
    full, delta = fake_stored(200, None, 2), fake_stored(200, 50, 2)
    assert (figures.total_bytes.full, figures.total_bytes.this) == (
        full.total_bytes,
        delta.total_bytes,
    )
    assert figures.total_bytes.ratio == full.total_bytes / delta.total_bytes
    assert figures.total_bytes.ratio < full.value_bytes / delta.value_bytes
    assert figures.floor_bytes == delta.write_bytes + delta.row_bytes + delta.key_bytes


def test_the_worst_phase_is_compared_with_full_at_the_same_place() -> None:
    """The headline resume is the slowest phase of this K, and full is read there too."""
    results = fake_results()
    worst = _delta(results).reads.worst_warm
    assert worst
    assert worst.position
    assert (worst.position.phase, worst.position.update) == ("before_snapshot", 1_799)
    full = results.rows[0].measurement
    assert full
    same = next(read for read in full.reads if read.position == worst.position)
    assert worst.seconds.full
    assert worst.seconds.full.median == sorted(same.seconds)[1]


def test_a_k_that_is_never_reached_is_read_at_the_end() -> None:
    """Such a K never snapshots, and its worst place is the end of the thread."""
    figures = _delta(fake_results(ks=(5000,)))
    assert figures.never_snapshots
    assert figures.reads.worst_warm
    assert figures.reads.worst_warm.position
    assert figures.reads.worst_warm.position.phase == "end"
    assert not _delta(fake_results()).never_snapshots


def test_repeats_give_an_interval_and_one_does_not() -> None:
    """With nine repeats a time has an interval and a paired ratio; with one, neither."""
    one, nine = _delta(fake_results()), _delta(fake_results(repeats=9))
    assert one.turn_p50_seconds.this.low is None
    assert nine.turn_p50_seconds.this.samples == 9
    assert not nine.turn_p50_seconds.this.few
    ratio = nine.turn_p50_seconds.ratio
    assert ratio
    assert ratio.low
    assert ratio.high
    assert ratio.low <= ratio.value <= ratio.high
    assert ratio.pairs == 9


def test_only_repeats_that_both_have_make_a_pair() -> None:
    """A failed full repeat leaves its partner in the median, but in no ratio."""
    results = fake_results(repeats=3)
    results = replace_row(results, 2, failed_row(results.rows[2].cell))
    figures = _delta(results)
    assert figures.turn_p50_seconds.this.samples == 3
    assert figures.turn_p50_seconds.ratio
    assert figures.turn_p50_seconds.ratio.pairs == 2


def test_without_full_there_is_no_ratio() -> None:
    """Nothing is compared with a full run that was not measured."""
    figures = summarize(fake_results(full=False)).groups[0].columns[0].figures
    assert figures
    assert figures.total_bytes.ratio is None
    assert figures.turn_p50_seconds.ratio is None
    assert figures.state.equal is None


def test_turns_are_split_into_tenths() -> None:
    """The first and the last tenth show whether a turn slows down as the thread grows."""
    turns = tuple(float(turn) for turn in range(1, 201))
    figures = _delta(replace_measured(fake_results(), 1, turn_seconds=turns))
    assert figures.turn_first_seconds.this.median == 10.5
    assert figures.turn_middle_seconds.this.median == 100.5
    assert figures.turn_last_seconds.this.median == 190.5


def test_a_zero_time_gives_no_ratio() -> None:
    """A clock that did not tick is no reason to divide by zero."""
    figures = _delta(replace_measured(fake_results(), 1, session_seconds=0.0))
    assert figures.session_seconds.ratio is None


def test_a_failed_cell_is_listed_with_its_reason() -> None:
    """The column stays, without figures, and the problem stands at the top as well."""
    results = fake_results(ks=(10, 50))
    summary = summarize(replace_row(results, 1, failed_row(results.rows[1].cell, "no memory")))
    assert [column.policy.label for column in summary.groups[0].columns] == ["full", "K=10", "K=50"]
    assert summary.groups[0].columns[1].figures is None
    assert [(p.label, p.kind, p.reason) for p in summary.problems] == [
        ("B 200 turns, memory, K=10", "timeout", "no memory")
    ]


def test_another_state_takes_the_figures_away() -> None:
    """A K whose final state differs is a failure and not a result."""
    results = fake_results()
    row = results.rows[1]
    assert row.measurement
    state = row.measurement.state.model_copy(update={"content": "other"})
    summary = summarize(replace_measured(results, 1, state=state))
    assert summary.groups[0].columns[1].figures is None
    assert summary.problems[0].kind == "differs"


def test_a_planned_k_without_any_row_is_a_problem() -> None:
    """The places that cells read at tell of a K whose row is gone; it is never left out."""
    results = fake_results(ks=(10, 50))
    summary = summarize(results.model_copy(update={"rows": results.rows[:2]}))
    assert [(p.policy.label, p.kind) for p in summary.problems] == [("K=50", "missing")]
    assert summary.groups[0].columns[2].figures is None


def test_a_policy_missing_in_one_group_is_a_problem_there() -> None:
    """A sweep measures the same policies in every group."""
    results = fake_results(workloads=("A", "B"))
    summary = summarize(results.model_copy(update={"rows": results.rows[:3]}))
    assert [(p.label, p.kind) for p in summary.problems] == [
        ("B 200 turns, memory, K=50", "missing")
    ]


def test_a_missing_repeat_is_a_problem() -> None:
    """A repeat that others of the group have may not be dropped silently."""
    results = fake_results(repeats=2)
    summary = summarize(results.model_copy(update={"rows": results.rows[:3]}))
    assert [p.label for p in summary.problems] == ["B 200 turns, memory, K=50, repeat 2"]


def test_cells_that_have_not_run_are_counted() -> None:
    """Pending is neither a failure nor a result."""
    results = fake_results()
    summary = summarize(replace_row(results, 1, Row(cell=results.rows[1].cell)))
    assert (summary.pending, summary.problems) == (1, ())


def test_derived_latency_is_round_trips_times_rtt_plus_the_median() -> None:
    """With a database statements cross the network, without one the saver calls do."""
    memory = _delta(fake_results(), rtt_ms=20)
    assert memory.turn_derived
    calls = 4_000 / 200
    assert memory.turn_derived.this_seconds == pytest.approx(
        calls * 0.020 + memory.turn_p50_seconds.this.median
    )
    sqlite = _delta(fake_results(checkpointer="sqlite"), rtt_ms=20)
    assert sqlite.turn_derived
    assert sqlite.turn_derived.this_seconds == pytest.approx(
        27 * 0.020 + sqlite.turn_p50_seconds.this.median
    )
    assert _delta(fake_results()).turn_derived is None


def test_growth_shows_that_delta_is_not_linear() -> None:
    """The exponents are fitted from exact bytes: near two for full, less for a large K."""
    columns = summarize(fake_results(ks=(50, 5000))).groups[0].columns
    exponents = [c.figures.growth_exponent for c in columns if c.figures]
    assert exponents == pytest.approx([1.99, 1.82, 1.0], abs=0.01)


def test_groups_keep_the_order_of_the_plan_and_columns_rise_with_k() -> None:
    """Full comes first, then K by size, whatever order the cells ran in."""
    results = fake_results(ks=(1000, 10), workloads=("B", "A"))
    groups = summarize(results.model_copy(update={"rows": results.rows[::1]})).groups
    assert [group.workload for group in groups] == ["B", "A"]
    assert [column.policy for column in groups[0].columns] == [
        Policy(),
        Policy(snapshot_frequency=10),
        Policy(snapshot_frequency=1000),
    ]


def test_the_summary_is_json_with_numbers() -> None:
    """Everything that is shown can be read by a machine."""
    document = json.loads(summarize(fake_results(), rtt_ms=5).model_dump_json())
    figures = document["groups"][0]["columns"][1]["figures"]
    assert figures["total_bytes"] == {
        "this": 233_520_000,
        "full": 10_711_680_000,
        "ratio": 10_711_680_000 / 233_520_000,
    }
    assert isinstance(figures["reads"]["worst_warm"]["seconds"]["ratio"]["value"], float)
