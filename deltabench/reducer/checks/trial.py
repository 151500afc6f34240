"""What each check is given: the subject, the cases to try it on, and how to look closer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.reducer.cases import Case, cases
from deltabench.reducer.search import sample, smallest

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.reducer.subject import Subject


@dataclass(frozen=True, slots=True)
class Trial:
    """A subject with the value that it starts from, and the cases that all checks share.

    `pause_seconds` is how long to wait before calling again with the same; clocks are
    found by that.
    """

    subject: Subject
    start: Any
    tried: tuple[Case, ...]
    seed: int
    pause_seconds: float = 0.0

    def find(self, wanted: Callable[[Case], bool]) -> Case | None:
        """The smallest case for which `wanted` is true, if it is for any that is tried."""
        hit = next((case for case in self.tried if wanted(case)), None)
        if hit is None:
            return None
        # The same seed comes upon the same cases, now to be made smaller.
        made = cases(self.subject, self.start)
        return smallest(made, wanted, max_examples=len(self.tried), seed=self.seed) or hit


def make_trial(
    subject: Subject, start: Any, *, max_examples: int, seed: int, pause_seconds: float
) -> Trial:
    """Draw the cases of a trial.

    Raises DeltabenchError when the values themselves cannot be made.
    """
    tried = sample(cases(subject, start), max_examples, seed=seed)
    return Trial(subject, start, tuple(tried), seed, pause_seconds)
