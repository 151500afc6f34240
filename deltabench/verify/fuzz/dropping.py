"""Leaves out of a sequence every operation that its difference does not need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.verify.fuzz.sequence import Sequence
from deltabench.verify.oracle.twins import BothRaisedError, DifferenceFoundError
from deltabench.verify.places import is_gone

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.verify.fuzz.machine import OpenTwins
    from deltabench.verify.vocabulary import Difference

    Wanted = Callable[[Sequence, Difference], bool]


def done_again(
    open_twins: OpenTwins, sequence: Sequence, wanted: Wanted
) -> tuple[Sequence, Difference] | None:
    """Do the same again; gives the sequence up to a difference that is wanted, None if none."""
    again = Sequence(sequence.start)
    with open_twins(sequence.start) as twins:
        for operation in sequence.operations:
            differences = []
            try:
                again.add(operation, twins)
                operation.do(twins)
            except DifferenceFoundError as error:
                differences = [error.difference]
            except BothRaisedError:
                pass
            except Exception as error:
                if is_gone(error) or isinstance(error, DeltabenchError):
                    raise
                return None  # such as a checkpoint that is not there without what was left out
            for difference in (*twins.noted, *differences):
                if wanted(again, difference):
                    return again, difference
            if differences:
                return None
    return None


def without_needless(
    open_twins: OpenTwins, sequence: Sequence, difference: Difference, wanted: Wanted
) -> tuple[Sequence, Difference, bool]:
    """The sequence of which no single operation can be left out, and whether it repeats.

    Hypothesis shrinks what it drew, and draws fewer operations only where the rest of the
    draws still makes sense; here operations are data, and any can go.
    """
    found = done_again(open_twins, sequence, wanted)
    if found is None:
        return sequence, difference, False
    index = len(found[0].operations) - 2
    while index >= 0:
        kept = [each for number, each in enumerate(found[0].operations) if number != index]
        if shorter := done_again(open_twins, Sequence(sequence.start, kept), wanted):
            found = shorter
            index = min(index, len(kept) - 1)
        index -= 1
    return *found, True
