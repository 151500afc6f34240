"""What noisy samples say: medians, intervals and ratios that know their own limits.

Everything is deterministic: the bootstrap is seeded, so the same samples always give
the same interval.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from deltabench.cells import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 10_000
CONFIDENCE_PERCENT = 95.0
FEWEST_FOR_INTERVAL = 3
ENOUGH_SAMPLES = 9
# Iglewicz and Hoaglin: |0.6745 (x - median) / MAD| above 3.5 is a potential outlier.
_OUTLIER_SCORE = 3.5
_NORMAL_MAD = 0.6745
# Below ten turns the linear part of storage dominates and bends the exponent.
_FIRST_FITTED_TURN = 10
_FEWEST_MARKS = 3


class Spread(Value):
    """Median of repeated samples with its bootstrap interval, in the unit of the samples.

    `low` and `high` are None below three samples; `few` warns that there are fewer than
    nine. Outliers are counted and kept.
    """

    median: float
    low: float | None
    high: float | None
    samples: int
    few: bool
    outliers: int


class Ratio(Value):
    """Median of paired ratios full / this, with its bootstrap interval over the pairs."""

    value: float
    low: float | None
    high: float | None
    pairs: int
    few: bool


def median(samples: Sequence[float]) -> float:
    """Middle of the samples; ValueError if there are none."""
    return percentile(samples, 50)


def percentile(samples: Sequence[float], percent: float) -> float:
    """Percentile between 0 and 100, linear between samples; ValueError if there are none."""
    if not samples:
        message = "no samples"
        raise ValueError(message)
    # By hand: for a few samples numpy takes a hundred times as long.
    ordered = sorted(samples)
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (ordered[above] - ordered[below]) * (place - below))


def median_absolute_deviation(samples: Sequence[float]) -> float:
    """Median distance from the median; ValueError if there are no samples."""
    middle = median(samples)
    return median([abs(sample - middle) for sample in samples])


def count_outliers(samples: Sequence[float]) -> int:
    """How many samples have a modified z-score above 3.5; none if most are equal."""
    deviation = median_absolute_deviation(samples)
    if deviation == 0:
        return 0
    middle = median(samples)
    scores = (_NORMAL_MAD * abs(sample - middle) / deviation for sample in samples)
    return sum(score > _OUTLIER_SCORE for score in scores)


def bootstrap_interval(samples: Sequence[float]) -> tuple[float, float] | None:
    """Seeded percentile bootstrap of the median at 95 %; None below three samples."""
    if len(samples) < FEWEST_FOR_INTERVAL:
        return None
    medians = np.median(np.asarray(samples, dtype=float)[_resamples(len(samples))], axis=1)
    tail = (100 - CONFIDENCE_PERCENT) / 2
    low, high = np.percentile(medians, [tail, 100 - tail])
    return float(low), float(high)


@lru_cache(maxsize=8)
def _resamples(size: int) -> Any:
    return np.random.default_rng(0).integers(0, size, (RESAMPLES, size))


def spread(samples: Sequence[float]) -> Spread:
    """Median and interval of the samples; ValueError if there are none."""
    low, high = bootstrap_interval(samples) or (None, None)
    return Spread(
        median=median(samples),
        low=low,
        high=high,
        samples=len(samples),
        few=len(samples) < ENOUGH_SAMPLES,
        outliers=count_outliers(samples),
    )


def paired_ratio(full: Sequence[float], this: Sequence[float]) -> Ratio | None:
    """Ratio full / this over pairs of one repeat each; None if any pair has no ratio.

    A pair without a positive number on both sides has none, and leaving it out would
    flatter the others. ValueError if the lengths differ.
    """
    pairs = list(zip(full, this, strict=True))
    if not pairs or any(a <= 0 or b <= 0 for a, b in pairs):
        return None
    ratios = [a / b for a, b in pairs]
    low, high = bootstrap_interval(ratios) or (None, None)
    few = len(ratios) < ENOUGH_SAMPLES
    return Ratio(value=median(ratios), low=low, high=high, pairs=len(ratios), few=few)


def growth_exponent(turns: Sequence[int], sizes_bytes: Sequence[int]) -> float | None:
    """Slope of log bytes on log turns from turn 10 on; None with fewer than three marks."""
    marks = {
        turn: size
        for turn, size in zip(turns, sizes_bytes, strict=True)
        if turn >= _FIRST_FITTED_TURN and size > 0
    }
    if len(marks) < _FEWEST_MARKS:
        return None
    slope, _ = np.polyfit(np.log(list(marks)), np.log(list(marks.values())), 1)
    return float(slope)
