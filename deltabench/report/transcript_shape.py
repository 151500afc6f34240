"""The shape of a recorded chat in words and figures: what each turn adds to the thread."""

from __future__ import annotations

import textwrap
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING

from deltabench.report.units import plain
from deltabench.session.transcripts.recorded import chars_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.session.transcripts.recorded import Turn
    from deltabench.session.transcripts.transcript import Transcript

_COLUMNS = 80
_TABLE = {
    "turn": 6,
    "rounds": 7,
    "calls": 6,
    "updates": 8,
    "user": 10,
    "assistant": 10,
    "arguments": 10,
    "results": 11,
    "total": 12,
}
# Of a longer recording the first and the last turns are listed.
_LISTED_WHOLE = 20
_LISTED_FIRST, _LISTED_LAST = 12, 5


def transcript_shape_lines(transcript: Transcript) -> Iterator[str]:
    """Lines of 80 columns at most; sizes are characters of recorded content."""
    count = len(transcript.recorded)
    yield f"{plain(transcript.name)}: {transcript.title} (digest {transcript.digest})"
    repeated = f", repeated to {_turns(transcript.turns)}" if transcript.repeat > 1 else ""
    yield f"{_turns(count)} recorded{repeated}; characters of each turn"
    yield "".join(f"{title:>{width}}" for title, width in _TABLE.items())
    listed = [*range(1, count + 1)]
    if count > _LISTED_WHOLE:
        listed = [*listed[:_LISTED_FIRST], *listed[-_LISTED_LAST:]]
    for before, turn in zip([0, *listed], listed, strict=False):
        if turn > before + 1:
            yield f"   ... {turn - before - 1:,} more"
        yield _row(turn, transcript.recorded[turn - 1])
    totals = [sum(_sizes(turn)) for turn in transcript.recorded]
    largest = totals.index(max(totals)) + 1
    yield (
        f"growth: {sum(totals) / count:,.0f} characters a turn on average, "
        f"median {median(totals):,.0f},"
    )
    yield f"  largest {max(totals):,} in turn {largest}"
    updates = transcript.updates_through(transcript.turns)
    files = len(list(transcript.file_updates(transcript.turns)))
    where = f"in {_turns(transcript.turns)}"
    yield f"updates: {updates:,} of messages, {files:,} of files {where}"
    evicted = sum(transcript.turn_size(turn).evicted for turn in range(1, count + 1))
    if evicted:
        many = "1 message is" if evicted == 1 else f"{evicted:,} messages are"
        yield f"evicted: {many} so large that Deep Agents moves the text to files"
    yield from _tools(transcript)
    if transcript.system_prompt:
        size = f"{len(transcript.system_prompt):,} characters"
        yield f"system prompt: {size}, given to the agent, not part of the thread"


def _row(number: int, turn: Turn) -> str:
    calls = sum(len(answer.calls) for answer in turn.answers)
    updates = 2 + 2 * len(turn.rounds)
    sizes = _sizes(turn)
    figures = (number, len(turn.rounds), calls, updates, *sizes, sum(sizes))
    return "".join(f"{n:>{width},}" for n, width in zip(figures, _TABLE.values(), strict=True))


def _sizes(turn: Turn) -> tuple[int, int, int, int]:
    """Characters of user, assistant, arguments and results."""
    calls = [call for answer in turn.answers for call in answer.calls]
    return (
        sum(chars_of(each.content) for each in turn.inputs),
        sum(chars_of(answer.content) for answer in turn.answers),
        sum(chars_of(call.arguments) for call in calls),
        sum(chars_of(call.result) for call in calls),
    )


def _tools(transcript: Transcript) -> Iterator[str]:
    answers = [answer for turn in transcript.recorded for answer in turn.answers]
    used = Counter(call.tool for answer in answers for call in answer.calls)
    if used:
        names = ", ".join(f"{plain(tool)} {times:,}" for tool, times in used.most_common())
        yield from textwrap.wrap(f"tools: {names}", _COLUMNS, subsequent_indent="  ")


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count:,} turns"
