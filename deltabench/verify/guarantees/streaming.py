"""Streaming gives the same events in every mode, alone and together."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import speaker
from deltabench.verify.probes_nested import nested

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MODES = ("values", "updates", "messages", "custom")


class Streaming(Guarantee):
    """The events of `stream`, mode by mode."""

    name: ClassVar[str] = "streaming"
    promise: ClassVar[str] = "Each stream mode gives the same events, alone and with others."
    source: ClassVar[str] = "langgraph streaming"
    how: ClassVar[str] = (
        "values, updates, messages, custom: each alone, in pairs, and all at once; subgraphs"
    )
    latency_of: ClassVar[str | None] = "stream"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each set of modes."""
        chosen = [(mode,) for mode in MODES] + list(combinations(MODES, 2)) + [MODES]
        alone = {" + ".join(modes): partial(_stream, modes) for modes in chosen}
        return {**alone, "all modes of subgraphs": _stream_subgraphs}


def _stream_subgraphs(bench: Bench) -> None:
    with bench.twins(nested) as twins:
        for turn in range(3):
            given = {"notes": [f"turn {turn}"], "turn": turn}
            twins.run(given, stream_mode=list(MODES), subgraphs=True)


def _stream(modes: Sequence[str], bench: Bench) -> None:
    with bench.twins(speaker) as twins:
        for turn in range(4):
            twins.run({"notes": [f"turn {turn}"]}, stream_mode=list(modes))
