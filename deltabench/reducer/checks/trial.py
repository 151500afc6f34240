"""What each check is given: the subject, the cases to try it on, and how to look closer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.reducer.cases import Case, prepared, recipes
from deltabench.reducer.search import sample, smallest

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.reducer.cases import Recipe
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
        found: list[Case] = []

        def keeping(recipe: Recipe) -> bool:
            case = prepared(self.subject, self.start, recipe)
            if wanted(case):
                found.append(case)
                return True
            return False

        made = recipes(self.subject)
        smallest(made, keeping, max_examples=len(self.tried), seed=self.seed)
        # The last one is the smallest, and with the very state that did it.
        return found[-1] if found else hit


def make_trial(
    subject: Subject, start: Any, *, max_examples: int, seed: int, pause_seconds: float
) -> Trial:
    """Draw the cases of a trial.

    Raises DeltabenchError when the values themselves cannot be made.
    """
    drawn = sample(recipes(subject), max_examples, seed=seed)
    tried = tuple(prepared(subject, start, recipe) for recipe in drawn)
    return Trial(subject, start, tried, seed, pause_seconds)
