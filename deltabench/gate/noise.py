"""How far two measurements of the same thing lie apart in one run: the A/A noise.

The repeats of one cell are the same program on the same input, so the ratio of two of
them is noise and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.results.statistics import ENOUGH_SAMPLES, bootstrap_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from deltabench.gate.metrics import Metric
    from deltabench.gate.sides import Column


def noise(column: Column, metric: Metric) -> float | None:
    """A/A noise of a metric as a share; None with fewer than nine repeats.

    Repeats 0 and 1, 2 and 3, ... of the policy and of full make pairs of the same cell;
    the noise is the farther end of the 95 % interval of their median ratio, seen from 1,
    and never less than the metric's floor.
    """
    mine, full = column.samples(metric), column.samples(metric, full=True)
    if len(mine.keys() & full.keys()) < ENOUGH_SAMPLES:
        return None
    interval = bootstrap_interval([*_pairs(mine), *_pairs(full)])
    if interval is None:
        return None
    low, high = interval
    # A ratio and its inverse are the same pair the other way round.
    return max(metric.floor, high - 1, 1 / low - 1)


def _pairs(samples: Mapping[int, float]) -> Iterator[float]:
    for repeat in sorted(samples):
        partner = samples.get(repeat + 1)
        if repeat % 2 == 0 and partner and samples[repeat]:
            yield samples[repeat] / partner
