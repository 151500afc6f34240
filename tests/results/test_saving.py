"""A saving is exact, tells what it is of, and is never told from a part of the run."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.api import Outcome
from deltabench.cells import Row
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.results.saving import ExactRatio, Saving, saving
from tests.fakes import failed_row, fake_cell, fake_results, replace_measured, replace_row

SIZES = st.integers(min_value=1, max_value=2**63)


def _saving(turns: int = 20) -> Saving:
    return saving(Outcome(fake_results(ks=(50,), turns=turns)))


@given(full_bytes=SIZES, delta_bytes=SIZES, bound=st.integers(0, 10**6))
def test_ratio_compares_exactly(full_bytes: int, delta_bytes: int, bound: int) -> None:
    """`ratio >= n` says just what the integers say, also where a float would round."""
    ratio = ExactRatio(full_bytes, delta_bytes)

    assert (ratio >= bound) is (full_bytes >= bound * delta_bytes)
    assert (ratio >= float(bound)) is (full_bytes >= bound * delta_bytes)


def test_ratio_just_below_a_bound_is_below() -> None:
    """A ratio that rounds to 10.0 as a float does not pass for ten."""
    full_bytes, delta_bytes = 10**18 - 1, 10**17

    assert full_bytes / delta_bytes == 10
    assert not ExactRatio(full_bytes, delta_bytes) >= 10


def test_saving_is_that_of_the_rows() -> None:
    """Both sizes and the ratio come from the stored bytes at the end of the session."""
    results = fake_results(ks=(50,), turns=20)
    full, delta = (row.measurement for row in results.rows)
    assert full
    assert delta
    found = saving(Outcome(results))

    assert found.full_bytes == full.stored.total_bytes
    assert found.delta_bytes == delta.stored.total_bytes
    assert found.ratio == Fraction(full.stored.total_bytes, delta.stored.total_bytes) > 1
    assert found.state_identical
    assert len(found.frame) == 2
    assert found.summary == Outcome(results).summary


def test_resume_ratio_is_delta_over_full_at_the_slowest_place() -> None:
    """A resume that is slower with delta channels gives a ratio above one."""
    found = _saving()
    (delta,) = found.summary.groups[0].deltas
    assert delta.figures
    worst = delta.figures.reads.worst_warm
    assert worst
    assert worst.seconds.full

    assert found.resume_ratio > 1
    assert found.resume_ratio == pytest.approx(
        worst.seconds.this.median / worst.seconds.full.median
    )


def test_resume_that_was_not_timed_has_no_ratio() -> None:
    """Without warm reads there is an error in place of a ratio."""
    results = replace_measured(fake_results(ks=(50,), turns=20), 1, reads=())

    with pytest.raises(DeltabenchError, match="resuming was not timed") as caught:
        _ = saving(Outcome(results)).resume_ratio
    assert caught.value.exit_code is ExitCode.CELL_FAILED


def test_saving_is_frozen_and_tells_what_it_is_of() -> None:
    """Its text names workload, turns, checkpointer, K and both sizes."""
    found = _saving()

    assert repr(found) == (
        f"Saving(B, 20 turns, memory, async, K=50: full {found.full_bytes:,} bytes, "
        f"delta {found.delta_bytes:,} bytes)"
    )
    assert repr(ExactRatio(25, 3)) == "8.33333x"
    with pytest.raises(FrozenInstanceError):
        found.full_bytes = 1  # type: ignore[misc]


@pytest.mark.parametrize("number", [0, 1])
def test_failed_cell_has_no_saving(number: int) -> None:
    """Whichever policy failed, there is an error with its reason and no figure."""
    results = fake_results(ks=(50,), turns=20)
    failed = failed_row(results.rows[number].cell, "no answer for 60 s")

    with pytest.raises(DeltabenchError, match="no answer for 60 s") as caught:
        saving(Outcome(replace_row(results, number, failed)))
    assert caught.value.exit_code is ExitCode.CELL_FAILED


def test_other_state_has_no_saving() -> None:
    """Delta channels that end in another state save nothing that counts."""
    results = fake_results(ks=(50,), turns=20)
    measured = results.rows[1].measurement
    assert measured
    other = measured.state.model_copy(update={"content": "other"})

    with pytest.raises(DeltabenchError, match="the final state is not that of full"):
        saving(Outcome(replace_measured(results, 1, state=other)))


def test_cell_that_did_not_run_has_no_saving() -> None:
    """A planned cell that is still pending is no saving of nothing."""
    pending = Row(cell=fake_cell(50, turns=20))

    with pytest.raises(DeltabenchError, match="K=50 was not measured"):
        saving(Outcome(replace_row(fake_results(ks=(50,), turns=20), 1, pending)))


def test_nothing_stored_has_no_saving() -> None:
    """A checkpointer that holds no byte is an error, not a division by zero."""
    results = fake_results(ks=(50,), turns=20)
    measured = results.rows[1].measurement
    assert measured
    empty = measured.stored.model_copy(
        update=dict.fromkeys(("value_bytes", "write_bytes", "row_bytes", "key_bytes"), 0)
    )

    with pytest.raises(DeltabenchError, match="nothing was stored"):
        saving(Outcome(replace_measured(results, 1, storage=(empty,))))
