"""Tests of fresh processes: what depends on the order of a set shows only there."""

from __future__ import annotations

import pytest

from deltabench.errors import DeltabenchError
from deltabench.reducer.checks.processes import check_processes
from deltabench.reducer.checks.trial import make_trial
from deltabench.reducer.elsewhere import call_elsewhere
from deltabench.reducer.making import make_subject
from deltabench.reducer.search import no_traces
from tests.reducer import reducers

_SPEC = "tests.reducer.reducers:{}"


def test_the_order_of_a_set_shows() -> None:
    """Within a process it is always the same; two with other hashes differ."""
    with no_traces():
        trial = make_trial(
            make_subject(reducers.any_order), [], max_examples=30, seed=0, pause_seconds=0
        )
    check = check_processes(trial, _SPEC.format("any_order"))
    assert (check.name, check.verdict) == ("other process", "broken")
    assert check.counterexample is not None
    one, two = check.counterexample.calls
    assert one.expression == two.expression
    assert one.outcome != two.outcome


def test_a_process_that_fails_is_told_in_one_line() -> None:
    """The last line that it said, and no more."""
    with pytest.raises(DeltabenchError, match="a fresh process failed: ") as caught:
        call_elsewhere(_SPEC.format("nowhere"), "batch", [], hash_seed=1)
    assert "\n" not in str(caught.value)
    assert "nowhere" in str(caught.value)
