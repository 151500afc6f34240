"""Figures of the gate as people read them: exact where the rule is exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.units import format_ratio, three_digits

if TYPE_CHECKING:
    from fractions import Fraction

    from deltabench.gate.metrics import Figure
    from deltabench.results.statistics import Ratio

_DIGEST_CHARS = 12
_MOST_DECIMALS = 9


def figure_text(figure: Figure, unit: str) -> str:
    """An exact figure with its unit; bytes are not rounded, because the rule does not."""
    if figure is None:
        return "none"
    if isinstance(figure, str):
        return figure[:_DIGEST_CHARS]
    number = f"{figure:,}" if isinstance(figure, int) else f"{figure:,.0f}"
    return f"{number} B" if unit == "bytes" else number


def change_text(found: float | Fraction, expected: float | Fraction) -> str:
    """The change in per cent, such as `+10.0 %`; empty where there is none to tell."""
    if not expected or found == expected:
        return ""
    change = (float(found) - float(expected)) / abs(float(expected)) * 100
    return f"{'+' if change > 0 else '-'}{three_digits(abs(change))} %"


def share_text(share: Fraction | float) -> str:
    """A share in per cent: `2 %`, `3.7 %`."""
    return f"{float(share) * 100:.3g} %"


def ratios_text(expected: Fraction, found: Fraction) -> tuple[str, str]:
    """Two ratios with three digits, or as many as it takes to tell them apart."""
    one, two = format_ratio(float(expected)), format_ratio(float(found))
    decimals = 2
    while one == two and expected != found and decimals < _MOST_DECIMALS:
        decimals += 1
        one, two = f"{float(expected):,.{decimals}f}x", f"{float(found):,.{decimals}f}x"
    return one, two


def interval_text(ratio: Ratio) -> str:
    """A cost against full with its interval, where there is one."""
    text = format_ratio(ratio.value)
    if ratio.low is None or ratio.high is None:
        return text
    return f"{text} ({three_digits(ratio.low)}-{three_digits(ratio.high)})"
