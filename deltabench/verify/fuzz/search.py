"""Keeps the books of a campaign: what was counted, what is known, what is being shrunk."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from deltabench.verify.known import load_known

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.verify.fuzz.sequence import Sequence
    from deltabench.verify.vocabulary import Difference

GUARANTEE = "fuzz"
# So many sequences are drawn to shrink one finding; a count, unlike seconds, repeats.
MOST_SHRINKS = 400


class FoundError(Exception):
    """The difference that is being shrunk, for hypothesis to see."""


class EnoughError(BaseException):
    """All was drawn that was asked for. Hypothesis lets it pass, as it does Ctrl-C."""


class BrokenError(BaseException):
    """Nothing more can be tried, for the reason that it tells. Hypothesis lets it pass."""


class Search:
    """Told of every sequence and every difference.

    The first unknown difference of a round becomes its target, which is shrunk: from then
    on nothing else counts, and nothing is counted, until the next round.
    """

    def __init__(self, wanted: int, on_sequence: Callable[[int, int], None]) -> None:
        self.sequences = 0
        self.operations = 0
        self.raised_alike = 0
        self.known: Counter[str] = Counter()
        self.times: Counter[str] = Counter()
        # Kind -> the smallest sequence so far, and its difference.
        self.smallest: dict[str, tuple[Sequence, Difference]] = {}
        self._wanted = wanted
        self._target: str | None = None
        self._shrinks = 0
        self._entries = load_known()
        self._on_sequence = on_sequence

    @property
    def rest(self) -> int:
        """How many sequences are still to be drawn."""
        return self._wanted - self.sequences

    def begin_round(self) -> None:
        """Look for a kind of difference that was not found before."""
        self._target = None
        self._shrinks = 0

    def begin(self) -> None:
        """Let one more sequence begin; raises EnoughError when it is one too many."""
        if self._target is None and not self.rest:
            raise EnoughError
        if self._target is not None:
            self._shrinks += 1
            if self._shrinks > MOST_SHRINKS:
                raise EnoughError

    def known_as(self, sequence: Sequence, difference: Difference) -> str | None:
        """The id of the documented difference that this is."""
        case = sequence.case
        known = (e.id for e in self._entries if e.explains(GUARANTEE, case, difference))
        return next(known, None)

    def difference(self, sequence: Sequence, difference: Difference) -> None:
        """Judge a difference; raises FoundError when it is the target or becomes it."""
        kind = kind_of(sequence, difference)
        if self._target is not None:
            if kind == self._target and self.known_as(sequence, difference) is None:
                if sequence.size <= self.smallest[kind][0].size:
                    self._keep(kind, sequence, difference)
                raise FoundError
            return
        if (known := self.known_as(sequence, difference)) is not None:
            self.known[known] += 1
            return
        self.times[kind] += 1
        if kind not in self.smallest:
            self.count(sequence)
            self._target = kind
            self._keep(kind, sequence, difference)
            raise FoundError

    def end(self, sequence: Sequence) -> None:
        """Count a sequence, unless it is drawn for shrinking or nothing was done in it."""
        if self._target is None and sequence.operations:
            self.count(sequence)

    def count(self, sequence: Sequence) -> None:
        """Count a sequence and what was done in it."""
        self.sequences += 1
        self.operations += len(sequence.operations)
        self.raised_alike += sequence.raised_alike
        self._on_sequence(self.sequences, self.operations)

    def _keep(self, kind: str, sequence: Sequence, difference: Difference) -> None:
        self.smallest[kind] = sequence, difference


def kind_of(sequence: Sequence, difference: Difference) -> str:
    """What differences have in common that need not be shrunk one by one."""
    return re.sub(r"\d+", "#", f"{sequence.case}: {difference.observed}, {difference.path}")
