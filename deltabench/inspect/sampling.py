"""Answers from a part of the threads: estimates, with the error that this brings.

`n` of `N` threads are drawn without replacement, each as likely as any other. A sum over
the threads is estimated as `N / n` times the sum over the sample. Its error is found by
bootstrap: the sample is drawn again from itself, `n` threads with replacement, many times,
and the 2.5 and 97.5 percentiles of these estimates' deviations, times `sqrt(1 - n / N)`
because a sample of everything has no error, are the ends of the 95 % interval.

A few threads that hold most of the bytes make the interval wide, and one that was not
drawn is not in it: a sample says little about the largest thread.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.inspect.found import Figure

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from deltabench.inspect.sums import Key

SMALLEST = 2
_RESAMPLES = 1000
_FEWEST_RESAMPLES = 100
_MOST_DRAWS = 4_000_000
_PERCENT = 100
_ENDS = (2.5, 97.5)


@dataclass(slots=True)
class Sample:
    """The sums of each thread that was drawn, of `population` threads."""

    population: int
    seed: int
    threads: list[Counter[Key]] = field(default_factory=list)
    _weights: Any = None

    def figure(self, of: Callable[[Counter[Key]], float]) -> Figure:
        """Estimate a figure that adds up over threads."""
        import numpy as np

        values = np.array([of(sums) for sums in self.threads], dtype=float)
        size = len(values)
        scale = self.population / size
        if self._weights is None:
            self._weights = self._draw(size)
        estimate = scale * float(values.sum())
        deviations = scale * (self._weights @ values) - estimate
        low, high = np.percentile(deviations, _ENDS) * sqrt(1 - size / self.population)
        return Figure(estimate, estimate + float(low), estimate + float(high))

    def _draw(self, size: int) -> Any:
        import numpy as np

        resamples = max(_FEWEST_RESAMPLES, min(_RESAMPLES, _MOST_DRAWS // size))
        generator = np.random.default_rng(self.seed)
        return generator.multinomial(size, [1 / size] * size, size=resamples)


def drawn(threads: Sequence[str], size: int, seed: int) -> list[str]:
    """Draw threads without replacement, and keep them in their order."""
    chosen = random.Random(seed).sample(range(len(threads)), size)
    return [threads[number] for number in sorted(chosen)]


def sample_size(text: str, population: int) -> int:
    """How many threads `100` or `5%` means, at least two; DeltabenchError if neither."""
    number = text.strip()
    try:
        if number.endswith("%"):
            size = round(population * float(number[:-1]) / _PERCENT)
            valid = 0 < float(number[:-1]) <= _PERCENT
        else:
            size = int(number)
            valid = size >= SMALLEST
    except ValueError:
        valid, size = False, 0
    if not valid:
        raise DeltabenchError(
            f"--sample: {text!r} is neither a number of threads (2 or more) nor a percentage",
            hint="for example --sample 100 or --sample 5%",
        )
    return min(population, max(SMALLEST, size))
