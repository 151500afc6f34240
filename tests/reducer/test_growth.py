"""Tests of growth: the fit is exact on exact figures, and what it means stands in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.reducer.growth import exponent, growth_check, measure_growth
from deltabench.reducer.making import Given, make_subject
from deltabench.reducer.result import Growth
from deltabench.reducer.search import no_traces
from tests.reducer import reducers

_SIZES = (500, 1000, 2000, 4000)


@given(st.floats(0, 3), st.floats(1e-9, 1e-3))
def test_a_power_is_found_again(power: float, factor: float) -> None:
    """Seconds of factor * size ** power give that power, whatever the factor."""
    seconds = [factor * size**power for size in _SIZES]
    assert exponent(_SIZES, seconds) == pytest.approx(power, abs=1e-6)


def _growth(power: float, batch_ratio: float) -> Growth:
    seconds = tuple(1e-7 * size**power for size in _SIZES)
    return Growth(_SIZES, seconds, power, 16, batch_ratio)


def test_a_measurement_is_told_as_one() -> None:
    """It passes or fails nothing, and says what replaying costs."""
    check = growth_check(_growth(1.0, 1.2))
    assert check.verdict == "measured"
    assert check.detail == (
        "each batch costs as the state is long, however many its writes: one write on 500 to "
        "4,000 items takes 0.0500 ms to 0.400 ms, as n^1.00; 16 writes 1.20x of one"
    )
    assert "K writes cost K times that" in growth_check(_growth(1.0, 15.0)).detail
    assert "does not depend on the state" in growth_check(_growth(0.1, 15.0)).detail


def test_more_than_linear_is_a_warning() -> None:
    """Only that is more than a figure."""
    check = growth_check(_growth(2.0, 1.0))
    assert check.verdict == "warning"
    assert check.detail.startswith("grows faster than the state: ")


def test_what_grows_is_measured() -> None:
    """States of the sizes that are told were built, and every call took time."""
    with no_traces():
        growth = measure_growth(make_subject(reducers.merge), {}, seed=0)
    assert growth is not None
    assert growth.sizes_items == (512, 1024, 2048, 4096)
    assert min(growth.seconds) > 0
    assert growth.seconds[-1] > growth.seconds[0]
    assert growth.batch_ratio > 0


def test_what_does_not_grow_is_not_tried() -> None:
    """A number has no length, and examples may lead nowhere."""
    with no_traces():
        number = measure_growth(make_subject(reducers.count), 0, seed=0)
        examples = make_subject(reducers.append, given=Given(examples=[["a"]]))
        assert (number, measure_growth(examples, [], seed=0)) == (None, None)
    assert growth_check(None).verdict == "not tried"
