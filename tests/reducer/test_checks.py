"""Tests of single checks, each with a fault that the others do not show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from deltabench.reducer import check_reducer
from deltabench.reducer.checks.accepts import check_empty
from deltabench.reducer.checks.full_twin import check_as_full
from deltabench.reducer.checks.storing import stored
from deltabench.reducer.checks.trial import Trial, make_trial
from deltabench.reducer.making import make_subject
from deltabench.reducer.search import no_traces
from tests.reducer import reducers

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.reducer.subject import Subject


def _trial(subject: Subject, start: Any) -> Trial:
    with no_traces():
        return make_trial(subject, start, max_examples=20, seed=0, pause_seconds=0)


def test_a_batch_form_that_is_no_fold_is_found() -> None:
    """Held against the full channel, one that forgets its writes differs."""
    subject = make_subject(reducers.keep_first)
    check = check_as_full(_trial(replace(subject, reducer=lambda state, _: state), {}))
    assert (check.name, check.verdict) == ("as full channel", "broken")
    assert check.counterexample is not None
    assert check.counterexample.calls[0].expression.startswith("full channel: [{")


def _needs_a_base(state: list[str], writes: list[str]) -> list[str]:
    if not state:
        message = "no base"
        raise LookupError(message)
    return [*state, *writes]


def test_a_reducer_that_cannot_begin_is_found() -> None:
    """With states of the user's own all is well, but a channel starts from the empty one."""
    result = check_reducer(
        _needs_a_base, form="batch", writes=st.just("x"), states=st.just(["a"]), quick=True
    )
    assert [check.name for check in result.broken] == ["empty value"]
    check = result.check("empty value")
    assert check.detail == "starts from [], and every first write raises"
    assert check.counterexample is not None
    assert check.counterexample.calls[0].outcome == "raises LookupError: no base"


def test_none_as_a_state_is_told() -> None:
    """Whether a reducer takes None is no part of the contract, but worth a word."""

    def detail(reducer: Callable[..., Any], start: Any) -> str:
        return check_empty(_trial(make_subject(reducer), start)).detail

    def tolerant(state: list[str] | None, writes: list[list[str]]) -> list[str]:
        return reducers.append(state or [], writes)

    assert detail(tolerant, []) == "starts from []; takes None, too"
    assert detail(reducers.append, []) == "starts from []"


def _sometimes(state: list[int], writes: list[int]) -> list[int]:
    if 3 in writes:
        message = "three"
        raise ValueError(message)
    return [*state, *writes]


def test_raising_for_some_values_is_a_warning() -> None:
    """It does so in one batch and in two, and under full snapshots."""
    result = check_reducer(_sometimes, form="batch", examples=[1, 2, 3], quick=True)
    assert result.holds
    check = result.check("no errors")
    assert check.verdict == "warning"
    assert check.counterexample is not None
    assert check.counterexample.calls[0].expression == "_sometimes([], [3])"


def test_what_cannot_be_stored_is_an_outcome() -> None:
    """A note comes back equal, a range does not come back."""
    assert stored([reducers.Note("x")]).value == [reducers.Note("x")]
    assert isinstance(stored(range(3)).error, TypeError)


def test_writes_must_be_storable_too() -> None:
    """They are the delta: a number beyond 64 bits is refused by langgraph's serializer."""
    result = check_reducer(reducers.count, examples=[2**70], form="batch", quick=True)
    check = result.check("stored")
    assert (check.verdict, check.detail) == ("broken", "a int cannot be stored")
    assert check.counterexample is not None
    assert check.counterexample.calls[0].expression == f"JsonPlusSerializer().dumps_typed({2**70})"


def _open(left: list[str], right: list[str]) -> list[str]:
    return [*left, *sorted(right)]


def test_a_form_that_is_open_is_tried_both_ways() -> None:
    """As a fold it holds, as a batch reducer it sorts what comes together: that is told."""
    result = check_reducer(_open, quick=True)
    assert (result.form, result.holds) == ("binary", True)
    check = result.check("as batch")
    assert check.verdict == "warning"
    assert check.counterexample is not None
    assert check.counterexample.calls[1].expression == "_open([], ['a', ''])"
    with pytest.raises(KeyError):
        check_reducer(_open, form="binary", quick=True).check("as batch")
