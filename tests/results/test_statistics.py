"""Tests of the statistics: their laws, and their behaviour at the edges."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.results.statistics import (
    bootstrap_interval,
    count_outliers,
    growth_exponent,
    median,
    median_absolute_deviation,
    paired_ratio,
    percentile,
    spread,
)

positive = st.floats(min_value=1e-6, max_value=1e6)
samples = st.lists(positive, min_size=1, max_size=12)


@given(samples)
def test_percentiles_rise_and_stay_within_the_samples(values: list[float]) -> None:
    """Percentiles never fall and never leave the range of the samples."""
    found = [percentile(values, percent) for percent in (0, 5, 50, 95, 100)]
    assert found[0] == min(values)
    assert found[-1] == max(values)
    assert all(low <= high + 1e-9 for low, high in itertools.pairwise(found))


@given(samples)
def test_the_order_of_samples_does_not_matter_to_the_median(values: list[float]) -> None:
    """The median is a property of the set of samples."""
    assert median(values) == median(sorted(values, reverse=True))


@given(st.lists(positive, min_size=3, max_size=12))
def test_the_interval_holds_the_median(values: list[float]) -> None:
    """The interval of the median is around it, and the same on every call."""
    interval = bootstrap_interval(values)
    assert interval is not None
    assert interval[0] <= median(values) <= interval[1]
    assert interval == bootstrap_interval(values)


def test_an_interval_widens_with_the_noise() -> None:
    """More noise around the same median gives a wider interval."""
    calm = bootstrap_interval([9.9, 9.95, 10.0, 10.05, 10.1])
    wild = bootstrap_interval([5.0, 7.0, 10.0, 13.0, 15.0])
    assert calm
    assert wild
    assert wild[1] - wild[0] > 10 * (calm[1] - calm[0])


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9])
def test_a_spread_knows_when_samples_are_few(count: int) -> None:
    """Below three samples there is no interval, below nine a warning."""
    result = spread([1.0 + number / 10 for number in range(count)])
    assert (result.low is not None) == (count >= 3)
    assert result.few == (count < 9)
    assert result.samples == count


def test_no_samples_are_an_error_and_not_a_zero() -> None:
    """Nothing measured must never look like a figure."""
    with pytest.raises(ValueError, match="no samples"):
        median([])


def test_outliers_are_counted_and_kept() -> None:
    """One wild sample is told, and the median still counts it as a sample."""
    values = [1.0, 1.1, 0.9, 1.05, 0.95, 9.0]
    assert median_absolute_deviation(values) == pytest.approx(0.075)
    assert count_outliers(values) == 1
    assert spread(values).samples == 6
    assert count_outliers([1.0, 1.0, 1.0, 5.0]) == 0


@given(st.lists(positive, min_size=1, max_size=12), st.floats(min_value=0.01, max_value=100))
def test_a_paired_ratio_finds_a_constant_factor(values: list[float], factor: float) -> None:
    """If full is always `factor` times this, the ratio is `factor`, whatever the noise."""
    ratio = paired_ratio([value * factor for value in values], values)
    assert ratio is not None
    assert ratio.value == pytest.approx(factor)
    if ratio.low is not None and ratio.high is not None:
        assert ratio.low == pytest.approx(factor)
        assert ratio.high == pytest.approx(factor)


def test_pairing_is_not_the_ratio_of_medians() -> None:
    """A slow machine in one repeat slows both sides of its pair, and cancels."""
    ratio = paired_ratio([10.0, 40.0, 90.0], [5.0, 20.0, 30.0])
    assert ratio is not None
    assert ratio.value == 2.0


@pytest.mark.parametrize(("full", "this"), [([], []), ([1.0, 2.0], [1.0, 0.0]), ([0.0], [1.0])])
def test_a_ratio_without_a_denominator_is_none(full: list[float], this: list[float]) -> None:
    """A pair that has no ratio is not left out in favour of the others."""
    assert paired_ratio(full, this) is None


@given(st.floats(min_value=0.5, max_value=2.5), st.integers(min_value=1_000, max_value=10**6))
def test_the_exponent_of_a_power_law_is_found(exponent: float, scale: int) -> None:
    """Bytes that grow as a power of the turns give that power, whatever comes before turn 10."""
    turns = [1, 5, 10, 20, 50, 100, 500]
    sizes = [7, 7, *(round(scale * turn**exponent) for turn in turns[2:])]
    assert growth_exponent(turns, sizes) == pytest.approx(exponent, abs=0.01)


def test_two_marks_give_no_exponent() -> None:
    """A line through two points always fits, so it says nothing."""
    assert growth_exponent([1, 5, 10, 20], [1, 2, 3, 4]) is None
    assert growth_exponent([10, 20, 50], [100, 200, 500]) == pytest.approx(1.0)
