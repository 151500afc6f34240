"""The result for people: one line per check, the counterexample below, in 80 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from deltabench.report.units import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.reducer.result import Check, Counterexample, ReducerResult

WIDTH = 80
_SHOWN = ("broken", "warning")


def render(result: ReducerResult) -> str:
    """The result as plain text, ending in a line break."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: ReducerResult) -> Iterator[str]:
    yield from _wrapped(f"{result.reducer}: {headline(result)}", 2)
    yield from _wrapped(f"  {_how(result)}", 2)
    yield ""
    names = max(len(check.name) for check in result.checks)
    verdicts = max(len(_word(check)) for check in result.checks)
    for check in result.checks:
        start = f"  {check.name:<{names}}  {_word(check):<{verdicts}}  "
        yield from _wrapped(f"{start}{plain(check.detail)}".rstrip(), len(start))
    for check in result.checks:
        if check.counterexample is not None and check.verdict in _SHOWN:
            yield ""
            yield f"{check.name}, {check.verdict}:"
            yield from _example(check.counterexample)
    if result.batch_form is not None and result.holds:
        yield ""
        yield "A delta channel takes its batch form:"
        yield from textwrap.indent(result.batch_form.rstrip(), "    ").splitlines()


def headline(result: ReducerResult) -> str:
    """The verdict in one sentence."""
    if result.broken:
        names = ", ".join(check.name for check in result.broken)
        return f"BREAKS the contract of a delta channel: {names}"
    if result.form == "binary":
        return "its batch form fulfils the contract of a delta channel"
    return "fulfils the contract of a delta channel"


def _how(result: ReducerResult) -> str:
    return (
        f"a {result.form} reducer ({result.recognised_by}) of {result.state_type}; "
        f"{result.max_examples} cases from {result.values_from}, seed {result.seed}, "
        f"langgraph {result.langgraph}"
    )


def _word(check: Check) -> str:
    return check.verdict.upper() if check.verdict == "broken" else check.verdict


def _example(example: Counterexample) -> Iterator[str]:
    # Not wrapped: it is there to be copied.
    for line in example.imports:
        yield f"    {plain(line)}"
    for call in example.calls:
        yield f"    {plain(call.expression)}"
        yield f"    # {plain(call.outcome)}"


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
        replace_whitespace=False,
    )
