"""A thread goes on under another policy, without migration and without a loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.oracle.side import Side
from deltabench.verify.probes import asker, breakpoints, note_taker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.twins import Twins

OTHER_FREQUENCY = 5


class Migration(Guarantee):
    """Full threads opened as delta, K changed in mid-thread, two K at once, and the way back."""

    name: ClassVar[str] = "migration"
    promise: ClassVar[str] = (
        "A full thread goes on under delta channels, and K can change, with the same state."
    )
    source: ClassVar[str] = "delta channels need no migration; langgraph#8384, #8109: the way back"
    how: ClassVar[str] = (
        "full opened as delta, also while paused; K changed; two K on one store; "
        "delta opened as full; values and replay depth are held"
    )
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each change of policy."""
        return {
            "full goes on as delta": _full_goes_on,
            "paused at a breakpoint under full": _paused_at_breakpoint,
            "paused at an interrupt under full": _paused_at_interrupt,
            "K changes": _frequency_changes,
            "two K on one store": _two_frequencies,
            "delta opened as full": _way_back,
        }


def _full_goes_on(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        twins.delta.reopen(None)
        for turn in range(3):
            twins.run({"notes": [f"full {turn}"]})
        twins.reopen(bench.variant.snapshot_frequency)
        twins.check()
        for turn in range(4):
            twins.run({"notes": [f"delta {turn}"]})
            _depth_is_held(twins, bench.variant.snapshot_frequency)


def _paused_at_breakpoint(bench: Bench) -> None:
    with bench.twins(breakpoints) as twins:
        twins.delta.reopen(None)
        twins.run({"notes": ["hello"]})
        twins.reopen(bench.variant.snapshot_frequency)
        twins.run(None)
        twins.run({"notes": ["again"]})
        twins.run(None)


def _paused_at_interrupt(bench: Bench) -> None:
    with bench.twins(asker) as twins:
        twins.delta.reopen(None)
        twins.run({"notes": ["hello"]})
        twins.reopen(bench.variant.snapshot_frequency)
        twins.check()
        twins.resume()
        for turn in range(3):
            twins.run({"notes": [f"again {turn}"]})
            twins.resume()


def _frequency_changes(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for frequency in (bench.variant.snapshot_frequency, OTHER_FREQUENCY, 1, 1000, 2):
            twins.reopen(frequency)
            twins.run({"notes": [f"K={frequency}"]})
            _depth_is_held(twins, frequency)


def _two_frequencies(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        other = Side(twins.delta.place, note_taker, OTHER_FREQUENCY, bench.variant.mode)
        mine = twins.delta
        try:
            for turn in range(4):
                twins.delta = mine if turn % 2 else other
                twins.run({"notes": [f"turn {turn}"]})
        finally:
            twins.delta = mine
            other.close()


def _way_back(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(2):
            twins.run({"notes": [f"delta {turn}"]})
        twins.reopen(None)
        twins.check()
        twins.run({"notes": ["full again"]})


def _depth_is_held(twins: Twins, frequency: int) -> None:
    """A snapshot that is not found again shows only in how far a read has to go back."""
    side = twins.delta
    found = side.calls.call(side.saver, "get_tuple", twins.config())
    counters = found.metadata.get("counters_since_delta_snapshot") or {}
    deepest = max((updates for updates, _ in counters.values()), default=0)
    twins.claim(f"fewer than {frequency} updates are replayed", holds=deepest < frequency)
