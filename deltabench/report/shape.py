"""The shape of a workload in words: what one turn writes, and what that adds up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.session.workload import Call, Workload


def shape_lines(workload: Workload) -> Iterator[str]:
    """Lines of 80 columns at most; sizes are characters of generated text."""
    yield f"{workload.name}: {workload.title} (digest {workload.digest})"
    yield f"{workload.turns} turns unless told otherwise; in each turn"
    yield f"  user       {workload.user_chars:>9,} characters"
    for number, round_ in enumerate(workload.rounds, 1):
        said = f", saying {round_.text_chars:,} characters" if round_.text_chars else ""
        yield f"  round {number}{said}"
        for call in round_.calls:
            yield f"    {_call(call)}"
    yield f"  answer     {workload.answer_chars:>9,} characters"
    yield (
        f"{workload.updates_per_turn} updates of messages a turn, "
        f"{workload.updates_per_turn * workload.turns:,} in {workload.turns} turns"
    )
    if workload.summarization is None:
        yield "summarization: off, the model announces a context that no session fills"
    else:
        tokens = workload.summarization.max_input_tokens
        yield f"summarization: on, the model announces a context of {tokens:,} tokens"


def _call(call: Call) -> str:
    if call.tool == "read_file":
        return "read_file  the file written last in the turn before"
    text = f"{call.tool:<10} {call.chars:>9,} characters"
    if call.large_every:
        first = call.large_first or call.large_every
        text += f", {call.large_chars:,} in turns {first}, {first + call.large_every}, ..."
    return text
