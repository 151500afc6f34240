"""Tests of the answer whether a channel could be a delta channel, and of its batch form."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.graph.message import add_messages

from deltabench.reducer import BatchForm, could_be_delta
from tests.reducer import reducers


@pytest.mark.parametrize(
    ("reducer", "state_type"),
    [
        (add_messages, list),
        (operator.add, list[str]),
        (operator.add, list),
        (operator.or_, dict[str, int]),
        (operator.add, int),
        (reducers.keep_first, dict),
    ],
)
def test_common_reducers_could_be(reducer: Any, state_type: Any) -> None:
    """Those that graphs use most, as their channels declare them; a real channel takes it."""
    fit = could_be_delta(reducer, state_type)
    assert fit.possible, fit.reason
    assert fit.reason.startswith("its fold fulfils the contract (25 examples per check)")
    assert fit.batch_form is not None
    channel = DeltaChannel(fit.batch_form, state_type).from_checkpoint(None)
    assert channel.get() == BinaryOperatorAggregate(state_type, reducer).get()


def test_a_warning_is_in_the_reason() -> None:
    """It can be switched, and who does knows what may happen."""
    fit = could_be_delta(add_messages, list)
    assert "message ids: written without an id as tuples or text" in fit.reason


@pytest.mark.parametrize(
    ("reducer", "state_type", "reason"),
    [
        (reducers.count, list, "no errors: every call raises"),
        (reducers.random_ids, list, "deterministic: it makes ids at random, at [0]['id']"),
        (operator.iadd, list[str], "inputs unchanged: it changes the state in place"),
        (lambda a, b: a + b, Any, "no errors: "),
        (lambda _, b: b, reducers.Note, "empty value: a delta channel starts from Note()"),
        (len, list, "len cannot be called"),
    ],
)
def test_others_could_not_and_why(reducer: Any, state_type: Any, reason: str) -> None:
    """The answer is no, in one line, and there is no batch form to use by mistake."""
    fit = could_be_delta(reducer, state_type)
    assert (fit.possible, fit.batch_form) == (False, None)
    assert fit.reason.startswith(reason)
    assert "\n" not in fit.reason


@given(st.text(), st.lists(st.text()), st.lists(st.text()))
@settings(max_examples=50)
def test_a_fold_fulfils_the_contract_by_itself(s: str, xs: list[str], ys: list[str]) -> None:
    """Even where the operator is not associative, batches may fall as they like."""
    batch = BatchForm(lambda left, right: f"({left}-{right})")
    assert batch(batch(s, xs), ys) == batch(s, xs + ys)
    assert batch(s, []) == s


def test_a_batch_form_has_the_name_of_its_operator() -> None:
    """Read back from a channel, it says which reducer it folds."""
    assert BatchForm(add_messages).__name__ == "_add_messages"
    assert BatchForm(partial(operator.add)).__name__ == "partial"
