"""Tests of figures as people read them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.report.units import (
    format_bytes,
    format_seconds,
    format_seconds_pair,
    interval_words,
    plain,
    ratio_words,
    three_digits,
)


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.00 kB"),
        (1_024, "1.02 kB"),
        (999_499, "999 kB"),
        (999_500, "1.00 MB"),
        (129_000_000, "129 MB"),
        (5_300_000_000, "5.30 GB"),
        (-5_000_000, "-5.00 MB"),
        (2 * 10**18, "2,000 PB"),
    ],
)
def test_bytes_are_decimal_with_three_digits(size_bytes: int, text: str) -> None:
    """A size never shows four digits where the next unit has three."""
    assert format_bytes(size_bytes) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.00085, "0.850 ms"),
        (0.0121, "12.1 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.00 s"),
        (9.8, "9.80 s"),
        (133, "2 min 13 s"),
        (3599.6, "1 h 00 min"),
        (4_000, "1 h 07 min"),
    ],
)
def test_seconds_go_from_milliseconds_to_hours(seconds: float, text: str) -> None:
    """Rounding carries into the next unit."""
    assert format_seconds(seconds) == text


def test_two_times_share_a_unit_where_it_is_the_same() -> None:
    """The unit is said once, unless the two differ in it."""
    assert format_seconds_pair(0.160, 0.310) == "160 / 310 ms"
    assert format_seconds_pair(0.5, 1.3) == "500 ms / 1.30 s"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (41.0, "41.0x less"),
        (372.8, "373x less"),
        (1.5, "1.50x less"),
        (2 / 3, "1.50x more"),
        (0.024, "41.7x more"),
        (1.001, "equal"),
        (0.0, ""),
        (None, ""),
    ],
)
def test_ratios_are_words_and_never_fractions(ratio: float | None, text: str) -> None:
    """Nobody has to turn 0.024x around in the head."""
    assert ratio_words(ratio) == text


@given(st.floats(min_value=1e-4, max_value=1e4))
def test_no_ratio_is_told_below_one(ratio: float) -> None:
    """Whatever the ratio, the number in its words is at least one."""
    words = ratio_words(ratio)
    number = re.match(r"[\d.,]+", words)
    assert words == "equal" or (number and float(number[0].replace(",", "")) >= 1)


@given(st.floats(min_value=1e-6, max_value=1e6))
def test_three_digits_are_within_half_a_percent(number: float) -> None:
    """Rounding to three digits is never off by more than their last half."""
    assert float(three_digits(number).replace(",", "")) == pytest.approx(number, rel=0.00501)


def test_an_interval_is_told_in_the_direction_of_its_words() -> None:
    """An interval of `less` reads upwards, that of `more` is turned around with it."""
    assert interval_words(1.4, 1.6) == "(1.40-1.60)"
    assert interval_words(0.5, 0.8, inverse=True) == "(1.25-2.00)"
    assert interval_words(None, None) == ""
    assert interval_words(2.0, 2.0) == ""


def test_text_from_outside_stays_on_one_line() -> None:
    """Control characters that a terminal would obey are dropped."""
    assert plain("a\n b\x1b[31m\x07c") == "a b[31mc"
