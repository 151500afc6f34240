"""Prints what a seed draws, for a test that compares processes: a line for each sequence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from deltabench.verify.fuzz.running import Campaign, run_campaign
from deltabench.verify.fuzz.search import Search

if TYPE_CHECKING:
    from deltabench.verify.fuzz.sequence import Sequence

plain = Search.count


def count(self: Search, sequence: Sequence) -> None:
    """Tell the sequence, and count it."""
    kinds = ", ".join(operation.kind for operation in sequence.operations)
    print(f"{kinds}; {sequence.start}; {sequence.calls}")  # noqa: T201
    plain(self, sequence)


Search.count = count  # type: ignore[method-assign]
run_campaign(Campaign("memory", int(sys.argv[1]), seed=int(sys.argv[2])), lambda *_: None)
