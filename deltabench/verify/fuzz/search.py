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


class FoundError(Exception):
    """The difference that is being shrunk, for hypothesis to see."""


class EnoughError(BaseException):
    """All was drawn that was asked for. Hypothesis lets it pass, as it does Ctrl-C."""


class BrokenError(BaseException):
    """Nothing more can be tried, for the reason that it tells. Hypothesis lets it pass."""


class Search:
    """Told of every sequence and every difference.

    The first difference of a round that is neither known nor found before is shrunk, to the
    smallest sequence that ends in any such difference: from then on nothing else counts, and
    nothing is counted, until the next round.
    """

    def __init__(self, wanted: int, on_sequence: Callable[[int, int], None], shrinks: int) -> None:
        self.sequences = 0
        self.operations = 0
        self.raised_alike = 0
        self.known: Counter[str] = Counter()
        # Kind of what was found -> the sequences that ended in one like it.
        self.times: Counter[str] = Counter()
        # The smallest sequence of this round so far, and its difference.
        self.smallest: tuple[Sequence, Difference] | None = None
        self._wanted = wanted
        self._most_shrinks = shrinks
        self._shrinks = 0
        self._entries = load_known()
        self._on_sequence = on_sequence

    @property
    def rest(self) -> int:
        """How many sequences are still to be drawn."""
        return self._wanted - self.sequences

    def begin_round(self) -> None:
        """Look for a kind of difference that was not found before."""
        self.smallest = None
        self._shrinks = 0

    def begin(self) -> None:
        """Let one more sequence begin; raises EnoughError when it is one too many."""
        if self.smallest is not None:
            self._shrinks += 1
            if self._shrinks > self._most_shrinks:
                raise EnoughError
        elif not self.rest:
            raise EnoughError

    def known_as(self, sequence: Sequence, difference: Difference) -> str | None:
        """The id of the documented difference that this is."""
        case = sequence.case
        known = (e.id for e in self._entries if e.explains(GUARANTEE, case, difference))
        return next(known, None)

    def is_new(self, sequence: Sequence, difference: Difference) -> bool:
        """Whether it is neither known nor found in a round before."""
        kind = kind_of(sequence, difference)
        return kind not in self.times and self.known_as(sequence, difference) is None

    def difference(self, sequence: Sequence, difference: Difference) -> None:
        """Judge a difference; raises FoundError when it is what is shrunk, or to be."""
        if self.is_new(sequence, difference):
            if self.smallest is None:
                self.count(sequence)
            if self.smallest is None or sequence.size <= self.smallest[0].size:
                self.smallest = sequence, difference
            raise FoundError
        if self.smallest is not None:
            return
        known = self.known_as(sequence, difference)
        counter = self.times if known is None else self.known
        counter[known or kind_of(sequence, difference)] += 1

    def end(self, sequence: Sequence) -> None:
        """Count a sequence, unless it is drawn for shrinking or nothing was done in it."""
        if self.smallest is None and sequence.operations:
            self.count(sequence)

    def count(self, sequence: Sequence) -> None:
        """Count a sequence and what was done in it."""
        self.sequences += 1
        self.operations += len(sequence.operations)
        self.raised_alike += sequence.raised_alike
        self._on_sequence(self.sequences, self.operations)


def kind_of(sequence: Sequence, difference: Difference) -> str:
    """What differences have in common that need not be shrunk one by one."""
    return re.sub(r"\d+", "#", f"{sequence.case}: {difference.observed}, {difference.path}")
