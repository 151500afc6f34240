"""What an inspection found: the sums, and the figures that are read out of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from deltabench.inspect.candidates import Standing

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from deltabench.inspect.rows import Kind
    from deltabench.inspect.sampling import Sample
    from deltabench.inspect.sums import Key, Sums
    from deltabench.inspect.whatif import Policy

_SURE = (Standing.DELTA, Standing.GROWS)


@dataclass(frozen=True, slots=True)
class Figure:
    """A sum over threads; from a sample an estimate, with a 95 % interval.

    `is_rough` marks an estimate that no interval is known of.
    """

    value: float
    low: float | None = None
    high: float | None = None
    is_rough: bool = False

    @property
    def is_estimated(self) -> bool:
        """Whether only a part of the threads, or of the contents, was read."""
        return self.is_rough or self.low is not None


@dataclass(frozen=True, slots=True)
class ThreadFigures:
    """One thread; `newest_bytes` is the mean size of the newest tenth of its checkpoints."""

    thread: str
    size_bytes: int
    checkpoints: int
    mean_bytes: float
    newest_bytes: float
    stored_as: str
    replayed_updates: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything that was found in a database, or in a part of it."""

    name: str
    kind: Kind
    threads: int
    threads_read: int
    policies: tuple[Policy, ...]
    physical_bytes: dict[str, int]
    found: Sums
    largest: tuple[ThreadFigures, ...]
    sample: Sample | None = None

    def figure(self, of: Callable[[Counter[Key]], float]) -> Figure:
        """A figure that adds up over threads."""
        if self.sample is None:
            return Figure(of(self.found.sums))
        return self.sample.figure(of)

    def summed(self, *key: object) -> Figure:
        """The sum under one key."""
        return self.figure(lambda sums: sums[key])

    def names(self, table: str, place: int) -> list[str]:
        """What stands at `place` in the keys of a table, each once, in order of appearance."""
        return list(dict.fromkeys(str(k[place]) for k in self.found.sums if k[0] == table))

    def channels(self) -> list[tuple[str, str]]:
        """Namespace and name of every channel."""
        return list(dict.fromkeys((k[1], k[2]) for k in self.found.sums if k[0] == "channel"))

    def predicted(self) -> list[tuple[str, str]]:
        """The channels for which there are what-if figures: sure in at least one thread."""
        keys = (k for k in self.found.sums if k[0] == "change" and k[1] in _SURE)
        return list(dict.fromkeys((k[2], k[3]) for k in keys))

    def change(self, channel: tuple[str, str], policy: Policy, what: str) -> Figure:
        """What a policy changes of a channel: `bytes`, or sums of `snapshots`, `depth`, `at`."""
        figure = self.figure(lambda sums: _change(sums, channel, policy, what))
        return replace(figure, is_rough=what == "bytes" and bool(self.estimates(policy, channel)))

    def total(self, policy: Policy) -> Figure:
        """Every byte of the database under a policy."""
        channels = self.predicted()
        figure = self.figure(
            lambda sums: (
                sums["total",]
                + sums["counters", policy]
                + sum(_change(sums, channel, policy, "bytes") for channel in channels)
            )
        )
        rough = any(self.estimates(policy, channel) for channel in channels)
        return replace(figure, is_rough=rough)

    def estimates(self, policy: Policy, channel: tuple[str, str]) -> set[str]:
        """What is not known to the byte of a channel under a policy: "sizes", "ids"."""
        return {k[3] for k in self.found.estimates if k[:3] == (*channel, policy)}

    def stored_as(self, channel: tuple[str, str]) -> str:
        """How a channel is stored: `full`, `delta`, `mixed`, or `last` for no accumulation."""
        sums = self.found.sums
        judged = {k[1] for k in sums if k[0] == "change" and (k[2], k[3]) == channel}
        key = ("channel", *channel)
        if Standing.DELTA in judged or sums[*key, "snapshot_rows"]:
            return "mixed" if sums[*key, "value_rows"] else "delta"
        if channel in self.found.reasons:
            return "?"
        return "full" if Standing.GROWS in judged else "last"


def _change(sums: Counter[Key], channel: tuple[str, str], policy: Policy, what: str) -> float:
    return sum(sums["change", standing, *channel, policy, what] for standing in Standing)
