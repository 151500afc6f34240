"""Tests of the contract: good reducers fulfil it, and each broken one breaks the right check."""

from __future__ import annotations

import operator
import uuid
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from deepagents.middleware.filesystem import _file_data_delta_reducer, _file_data_reducer
from hypothesis import strategies as st
from langgraph.graph.message import _messages_delta_reducer, add_messages

from deltabench.errors import DeltabenchError
from deltabench.reducer import check_reducer
from tests.reducer import reducers

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.reducer import Check

GOOD = (
    reducers.append,
    reducers.append_todos,
    reducers.merge_notes,
    reducers.union,
    reducers.count,
    reducers.last_write_wins,
    reducers.newest_ten,
    reducers.keep_first,
    _messages_delta_reducer,
    _file_data_delta_reducer,
    _file_data_reducer,
    add_messages,
)
BROKEN: dict[Callable[..., Any], set[str]] = {
    reducers.last_of_batch: {"batching"},
    reducers.average: {"batching"},
    reducers.sort_batch: {"batching"},
    reducers.unique_in_batch: {"batching"},
    reducers.newest_two_of_batch: {"batching"},
    reducers.count_batches: {"batching", "no writes"},
    reducers.refuse_second: {"batching"},
    reducers.random_ids: {"deterministic"},
    reducers.shuffled: {"deterministic"},
    reducers.extend: {"inputs unchanged"},
    reducers.consume: {"inputs unchanged"},
    reducers.unstorable: {"stored"},
    reducers.never: {"no errors"},
}


@pytest.mark.parametrize("reducer", GOOD, ids=lambda reducer: reducer.__name__)
def test_a_good_reducer_fulfils_it(reducer: Callable[..., Any]) -> None:
    """Nothing is broken, and nothing was left out but what `quick` leaves out."""
    result = check_reducer(reducer, quick=True)
    assert result.holds, result.broken
    assert "not tried" not in {check.verdict for check in result.checks}
    assert result.max_examples == 25


@pytest.mark.parametrize("reducer", BROKEN, ids=lambda reducer: reducer.__name__)
def test_a_broken_one_breaks_its_check(reducer: Callable[..., Any]) -> None:
    """The check that is meant breaks, and no other."""
    result = check_reducer(reducer, quick=True)
    assert {check.name for check in result.broken} == BROKEN[reducer]
    assert not result.holds
    assert all(check.counterexample for check in result.broken)


def _gave(check: Check) -> list[Any]:
    """Run the calls of a counterexample as a user would paste them."""
    assert check.counterexample is not None
    names: dict[str, Any] = {}
    exec("\n".join(check.counterexample.imports), names)  # noqa: S102  # what is told must run
    return [eval(call.expression, names) for call in check.counterexample.calls]  # noqa: S307


@pytest.mark.parametrize(
    "reducer",
    [reducers.last_of_batch, reducers.average, reducers.sort_batch, reducers.unique_in_batch],
    ids=lambda reducer: reducer.__name__,
)
def test_a_counterexample_can_be_pasted(reducer: Callable[..., Any]) -> None:
    """Its two calls run as printed, give what is printed, and differ."""
    check = check_reducer(reducer, quick=True).check("batching")
    one, two = _gave(check)
    assert check.counterexample is not None
    assert [repr(one), repr(two)] == [call.outcome for call in check.counterexample.calls]
    assert one != two


def test_a_counterexample_is_the_smallest() -> None:
    """One item in each batch shows sorting, and no state is needed for it."""
    check = check_reducer(reducers.sort_batch, max_examples=100, quick=True).check("batching")
    assert check.counterexample is not None
    assert check.counterexample.imports == ("from tests.reducer.reducers import sort_batch",)
    assert [(call.expression, call.outcome) for call in check.counterexample.calls] == [
        ("sort_batch(sort_batch([], [['a']]), [['']])", "['a', '']"),
        ("sort_batch([], [['a'], ['']])", "['', 'a']"),
    ]


def test_errors_of_the_reducer_are_findings() -> None:
    """What it raises is told in one line, with the input."""
    example = check_reducer(reducers.refuse_second, quick=True).check("batching").counterexample
    assert example is not None
    assert example.calls[1].outcome == "raises ValueError: too many at once"


def test_random_ids_are_called_by_name() -> None:
    """It says that ids are made at random and where, and does not blame batching."""
    result = check_reducer(reducers.random_ids, quick=True)
    assert "makes ids at random, at [0]['id']" in result.check("deterministic").detail
    assert result.check("batching").verdict == "not tried"


def test_a_clock_shows_a_second_later() -> None:
    """Whole seconds are the same at once, so it is called again after one."""
    quick = check_reducer(reducers.stamped, quick=True)
    assert quick.check("deterministic").verdict == "holds"
    whole = check_reducer(reducers.stamped, examples=[{"a": 1}], max_examples=5)
    assert whole.check("deterministic").detail == "the same call gives another state 1.1 s later"


def test_the_same_seed_finds_the_same() -> None:
    """Everything but times is repeated by the seed, and another one may find another."""
    one, two = (check_reducer(reducers.average, seed=5, quick=True) for _ in range(2))
    assert one == two


def test_values_can_be_named() -> None:
    """Examples and strategies take the place of annotations, and states of their own too."""
    by_examples = check_reducer(reducers.untold, examples=[["a"], ["b", "c"]], quick=True)
    assert (by_examples.form, by_examples.values_from) == ("binary", "--examples")
    assert by_examples.holds
    assert (by_examples.state_type, by_examples.checks[1].detail) == ("list", "starts from []")
    by_strategy = check_reducer(reducers.untold_batch, writes=st.integers(0, 9), quick=True)
    assert (by_strategy.form, by_strategy.recognised_by) == ("batch", "found by trying")
    assert by_strategy.holds
    # Only the empty state hides what this one does.
    kept: Any = lambda state, writes: [*state[1:], *writes]  # noqa: E731  # has no name
    found = check_reducer(
        kept, form="batch", writes=st.just("x"), states=st.just(["a", "b"]), quick=True
    )
    example = found.check("batching").counterexample
    assert example is not None
    assert example.imports == ()
    assert example.calls[0].expression.startswith("reducer(reducer(['a', 'b'], ['x']), ['x'])")


def test_no_values_is_an_error_with_a_way_out() -> None:
    """Without annotations it says which option to give."""
    with pytest.raises(DeltabenchError, match=r"no annotation says .*--writes .*--examples"):
        check_reducer(operator.add)


def test_a_channel_needs_a_value_to_start_from() -> None:
    """A type that cannot be made without arguments breaks it before anything is called."""
    result = check_reducer(
        lambda _, right: right, form="binary", state_type=reducers.Note, quick=True
    )
    assert [check.name for check in result.broken] == ["empty value"]
    assert "starts from Note(), which raises TypeError" in result.checks[0].detail
    assert {check.verdict for check in result.checks[1:]} == {"not tried"}


def test_a_binary_reducer_ends_where_the_full_channel_does() -> None:
    """The batch form is held against langgraph's own full channel and printed."""
    result = check_reducer(reducers.keep_first, quick=True)
    assert result.check("as full channel").verdict == "holds"
    assert result.batch_form == (
        "from functools import reduce\n\n"
        "def keep_first_batch(state, writes):\n"
        "    return reduce(keep_first, writes, state)\n"
    )


def test_a_batch_reducer_taken_for_binary_is_found() -> None:
    """Called with one write instead of a batch, it fails in every call."""
    result = check_reducer(reducers.count, form="binary", examples=[1, 2], quick=True)
    assert [check.name for check in result.broken] == ["no errors"]


@pytest.mark.parametrize(
    ("reducer", "verdict", "shapes"),
    [(_messages_delta_reducer, "holds", ""), (add_messages, "warning", "tuples or text")],
    ids=["delta", "add_messages"],
)
def test_ids_of_messages(reducer: Callable[..., Any], verdict: str, shapes: str) -> None:
    """A real thread is read twice: add_messages gives text another id at each read."""
    check = check_reducer(reducer, quick=True).check("message ids")
    assert check.verdict == verdict
    assert shapes in check.detail


def test_ids_made_anew_for_messages_are_broken() -> None:
    """A reducer that gives message objects another id at each replay breaks every thread."""

    def renamed(state: list[Any], writes: list[Any]) -> list[Any]:
        flat = [message for write in writes for message in write]
        return [*state, *(m.model_copy(update={"id": str(uuid.uuid4())}) for m in flat)]

    renamed.__annotations__ = get_type_hints(_messages_delta_reducer)
    result = check_reducer(renamed, quick=True)
    assert {check.name for check in result.broken} == {"deterministic", "message ids"}
