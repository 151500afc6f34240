"""Tests of what may count as a result: counted quantities repeat, states agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Row, StateDigest
from deltabench.results.equality import judged_rows
from tests.fakes import fake_results, replace_measured, replace_row

if TYPE_CHECKING:
    from deltabench.results.file import Results


def _reasons(results: Results) -> list[str | None]:
    return [row.failure.reason if row.failure else None for row in judged_rows(results.rows)]


def _state(results: Results, number: int, content: str) -> Results:
    row = results.rows[number]
    assert row.measurement
    state: StateDigest = row.measurement.state.model_copy(update={"content": content})
    return replace_measured(results, number, state=state)


def test_equal_repeats_and_states_stay_as_they_are() -> None:
    """Rows that agree are given back untouched."""
    results = fake_results(ks=(10, 50), repeats=2)
    assert judged_rows(results.rows) == results.rows


def test_one_byte_between_repeats_is_a_failure_and_not_an_average() -> None:
    """Both repeats of a policy fail if they differ, with the first difference by name."""
    results = fake_results(repeats=3)
    row = results.rows[5]
    assert row.measurement
    end = row.measurement.stored
    storage = (*row.measurement.storage[:-1], end.model_copy(update={"row_bytes": 1}))
    reasons = _reasons(replace_measured(results, 5, storage=storage))
    reason = "repeats 1 and 3 differ in row_bytes after turn 200: 1,240,000 against 1"
    assert reasons == [None, reason, None, reason, None, reason]


def test_another_final_state_than_full_is_a_failure_of_the_k() -> None:
    """A K that ends in another state has no figures, whatever it saved."""
    reasons = _reasons(_state(fake_results(ks=(10, 50)), 2, "other"))
    assert reasons == [None, None, "the final state is not that of full"]


def test_without_full_the_smallest_k_is_the_reference() -> None:
    """Delta cells must agree among themselves too."""
    reasons = _reasons(_state(fake_results(ks=(10, 50), full=False), 1, "other"))
    assert reasons == [None, "the final state is not that of K=10"]


def test_states_of_other_groups_are_not_compared() -> None:
    """Two workloads end in two states, and that is no failure."""
    assert _reasons(fake_results(workloads=("A", "B"))) == [None] * 4


def test_repeats_of_different_cells_are_no_repeats() -> None:
    """Another seed measures another session."""
    results = fake_results(repeats=2)
    row = results.rows[3]
    other = Row(cell=row.cell.model_copy(update={"seed": 8}), measurement=row.measurement)
    reasons = _reasons(replace_row(results, 3, other))
    reason = "the repeats are not of one cell: seed, workload or positions differ"
    assert reasons == [None, reason, None, reason]


def test_timed_quantities_may_differ() -> None:
    """Times and memory are noisy and never fail a repeat."""
    results = fake_results(repeats=2)
    changed = replace_measured(results, 2, turn_seconds=(1.0,), session_seconds=1.0)
    assert _reasons(changed) == [None] * 4
