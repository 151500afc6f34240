"""The what-if tables: the same threads under full snapshots and under each K."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from deltabench.inspect.tables import WIDTH, table
from deltabench.inspect.words import ESTIMATED, bytes_words, change_words, policy_words, short_words
from deltabench.report.units import plain, three_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.inspect.found import Figure, Inspection
    from deltabench.inspect.whatif import Policy

_MOST_CHANNELS = 8
_ESTIMATES = {
    "sizes": f"  {ESTIMATED} sizes between snapshots are estimated: from the writes' sizes alone",
    "ids": f"  {ESTIMATED} messages without an id are estimated: from a part of the writes",
}


def what_if_lines(found: Inspection) -> Iterator[str]:
    """The total under each policy with the replay that it gives, then channel by channel."""
    channels = found.predicted()
    if channels:
        yield from _totals(found)
        yield "  derived from the sizes found, not measured; replay: updates to merge when"
        yield "  resuming at the newest checkpoint, at any, at the worst (deepest channel)"
        whats = {key[3] for key in found.found.estimates}
        yield from (line for what, line in _ESTIMATES.items() if what in whats)
        yield ""
        yield from _by_channel(found, channels)
    else:
        yield "What if: no channel accumulates its writes, so no K would change what is stored."
    for (namespace, name), reason in sorted(found.found.reasons.items()):
        where = f" in {plain(namespace)}" if namespace else ""
        note = f"note: {plain(name)}{where} cannot be predicted, and stays as it is: {reason}"
        yield from wrap(note, WIDTH, subsequent_indent="  ")


def _totals(found: Inspection) -> Iterator[str]:
    now = found.summed("total")
    rows = [("as it is", bytes_words(now), "", "", "", "")]
    for policy in found.policies:
        then = found.total(policy)
        rows.append(
            (
                policy_words(policy),
                bytes_words(then),
                change_words(now, then),
                *_replay(found, policy),
            )
        )
    title = ("What if", "stored", "than now", "replay: newest", "mean", "worst")
    yield from table(title, rows)


def _replay(found: Inspection, policy: Policy) -> tuple[str, str, str]:
    if policy is None:
        return "0", "0", "0"
    channels, tops = found.predicted(), found.found.tops
    means = []
    for channel in channels:
        at = found.change(channel, policy, "at").value
        means.append(found.change(channel, policy, "depth").value / at if at else 0)
    newest = max(tops.get(("head", *channel, policy), 0) for channel in channels)
    worst = max(tops.get(("worst", *channel, policy), 0) for channel in channels)
    return f"{newest:,}", three_digits(max(means)), f"{worst:,}"


def _by_channel(found: Inspection, channels: list[tuple[str, str]]) -> Iterator[str]:
    rows = []
    for channel in channels:
        key = ("channel", *channel)
        now = sum(
            found.summed(*key, what).value
            for what in ("value_bytes", "snapshot_bytes", "write_bytes")
        )
        figures = [
            _shifted(found.change(channel, policy, "bytes"), now) for policy in found.policies
        ]
        namespace, name = channel
        label = plain(f"{namespace} {name}" if namespace else name)
        rows.append((now, (label, *(short_words(figure) for figure in figures))))
    rows.sort(key=lambda entry: -entry[0])
    title = ("By channel", *("full" if p is None else f"K={p}" for p in found.policies))
    yield from table(title, [row for _, row in rows[:_MOST_CHANNELS]])
    if len(rows) > _MOST_CHANNELS:
        yield f"  and {len(rows) - _MOST_CHANNELS} more (--json has all)"


def _shifted(change: Figure, now: float) -> Figure:
    if change.low is None or change.high is None:
        return replace(change, value=change.value + now)
    return replace(change, value=change.value + now, low=change.low + now, high=change.high + now)
