"""Tests of the table that people read, as text."""

from __future__ import annotations

from dataclasses import replace

from deltabench.reducer.rendering import render
from deltabench.reducer.result import Call, Check, Counterexample, ReducerResult

_EXAMPLE = Counterexample(
    imports=("from my_app.state import merge",),
    calls=(
        Call("merge(merge({}, [{'a': 0}]), [{}])", "{'a': 0}"),
        Call("merge({}, [{'a': 0}, {}])", "{}"),
    ),
)
_RESULT = ReducerResult(
    reducer="merge",
    form="batch",
    recognised_by="'writes' is a sequence of writes",
    state_type="dict",
    values_from="its annotations",
    seed=0,
    max_examples=200,
    langgraph="1.2.24",
    checks=(
        Check("no errors", "holds", "it takes every value tried"),
        Check("batching", "broken", "one batch gives another state than two", _EXAMPLE),
        Check("growth", "not tried", "no state grew by the values tried"),
    ),
    growth=None,
    batch_form=None,
)


def test_a_broken_one_says_what_and_shows_how() -> None:
    """One line per check, then the calls to paste."""
    assert render(_RESULT) == (
        "merge: BREAKS the contract of a delta channel: batching\n"
        "  a batch reducer ('writes' is a sequence of writes) of dict; 200 cases from its\n"
        "  annotations, seed 0, langgraph 1.2.24\n"
        "\n"
        "  no errors  holds      it takes every value tried\n"
        "  batching   BROKEN     one batch gives another state than two\n"
        "  growth     not tried  no state grew by the values tried\n"
        "\n"
        "batching, broken:\n"
        "    from my_app.state import merge\n"
        "    merge(merge({}, [{'a': 0}]), [{}])\n"
        "    # {'a': 0}\n"
        "    merge({}, [{'a': 0}, {}])\n"
        "    # {}\n"
    )


def test_a_binary_one_comes_with_its_batch_form() -> None:
    """What to write is printed, but only where it would work."""
    form = "from functools import reduce\n\ndef f_batch(state, writes):\n    ...\n"
    good = replace(_RESULT, form="binary", batch_form=form, checks=_RESULT.checks[:1])
    assert render(good) == (
        "merge: its batch form fulfils the contract of a delta channel\n"
        "  a binary reducer ('writes' is a sequence of writes) of dict; 200 cases from\n"
        "  its annotations, seed 0, langgraph 1.2.24\n"
        "\n"
        "  no errors  holds  it takes every value tried\n"
        "\n"
        "A delta channel takes its batch form:\n"
        "    from functools import reduce\n"
        "\n"
        "    def f_batch(state, writes):\n"
        "        ...\n"
    )
    assert "batch form" not in render(replace(_RESULT, batch_form=form))


def test_long_lines_are_wrapped_but_not_what_is_pasted() -> None:
    """Eighty columns for the table; an expression stays on one line."""
    long = replace(_EXAMPLE, calls=(Call("f(" + "x" * 100 + ")", "1"),))
    check = Check("batching", "broken", "word " * 40, long)
    lines = render(replace(_RESULT, checks=(check,))).splitlines()
    assert [line for line in lines if len(line) > 80] == [f"    {long.calls[0].expression}"]


def test_control_characters_do_not_reach_the_terminal() -> None:
    """Values come from the user's code and may hold anything."""
    call = Call("f('\x1b[31m')", "\x1b]0;title\x07")
    check = Check("batching", "broken", "\x1b[2J", Counterexample((), (call,)))
    assert "\x1b" not in render(replace(_RESULT, checks=(check,)))
