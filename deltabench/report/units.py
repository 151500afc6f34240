"""Figures as people read them: three digits, decimal units, ratios in words."""

from __future__ import annotations

_BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_DIGITS = 3
_STEP = 1000
_MINUTE_SECONDS = 60
_HOUR_SECONDS = 3600
# A ratio that would print as 1.00x is told as equal.
_HUNDREDTH = 0.005
EQUAL = "equal"
# Nothing that is shown needs a ninth decimal.
_MOST_DECIMALS = 9


def three_digits(number: float) -> str:
    """Round to three significant digits, without an exponent: 0.0123, 5.30, 129, 12,300."""
    if number == 0:
        return "0"
    decimals = 0
    while decimals < _MOST_DECIMALS and round(abs(number), decimals) < 10 ** (
        _DIGITS - 1 - decimals
    ):
        decimals += 1
    return f"{number:,.{decimals}f}"


def format_bytes(size_bytes: float) -> str:
    """Bytes in decimal units: 999 B, 1.02 kB, 129 MB, 5.30 GB."""
    size, unit = float(size_bytes), 0
    # 999.6 kB would round to 1000 kB: it is told as 1.00 MB.
    while abs(size) >= _STEP - (0.5 if unit else 0) and unit < len(_BYTE_UNITS) - 1:
        size, unit = size / _STEP, unit + 1
    return f"{size:.0f} B" if unit == 0 else f"{three_digits(size)} {_BYTE_UNITS[unit]}"


def format_seconds(seconds: float) -> str:
    """Time from milliseconds to hours: 0.850 ms, 12.1 ms, 9.80 s, 2 min 13 s, 1 h 05 min."""
    if abs(seconds) * _STEP < _STEP - 0.5:
        return f"{three_digits(seconds * _STEP)} ms"
    if abs(seconds) < 2 * _MINUTE_SECONDS:
        return f"{three_digits(seconds)} s"
    whole = round(seconds)
    if whole < _HOUR_SECONDS:
        return f"{whole // _MINUTE_SECONDS} min {whole % _MINUTE_SECONDS:02} s"
    minutes = round(seconds / _MINUTE_SECONDS)
    return f"{minutes // _MINUTE_SECONDS} h {minutes % _MINUTE_SECONDS:02} min"


def format_seconds_pair(one: float, two: float) -> str:
    """Two times that share the unit of the larger where both keep digits: 160 / 310 ms."""
    first, second = format_seconds(one), format_seconds(two)
    number, _, unit = first.partition(" ")
    return f"{number} / {second}" if second.endswith(f" {unit}") else f"{first} / {second}"


def format_ratio(ratio: float) -> str:
    """Print a ratio as a number: 41.0x, 1.50x, 373x."""
    return f"{three_digits(ratio)}x"


def ratio_words(ratio: float | None, *, less: str = "less", more: str = "more") -> str:
    """Full / this in words: `41.0x less`, `1.50x more`, `equal`; empty without a ratio."""
    if ratio is None or ratio <= 0:
        return ""
    if abs(ratio - 1) < _HUNDREDTH:
        return EQUAL
    return f"{format_ratio(ratio)} {less}" if ratio > 1 else f"{format_ratio(1 / ratio)} {more}"


def interval_words(low: float | None, high: float | None, *, inverse: bool = False) -> str:
    """Interval of a ratio, told in the direction of its words; empty without one."""
    if not low or not high or low == high:
        return ""
    ends = (1 / high, 1 / low) if inverse else (low, high)
    return f"({three_digits(ends[0])}-{three_digits(ends[1])})"


def plain(text: str) -> str:
    """Text from outside on one line, without control characters that a terminal obeys."""
    return "".join(char for char in " ".join(text.split()) if char.isprintable())
