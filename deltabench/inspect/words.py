"""Figures of an inspection in words: what was estimated carries a mark and its error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.units import format_bytes, ratio_words, three_digits

if TYPE_CHECKING:
    from deltabench.inspect.found import Figure
    from deltabench.inspect.whatif import Policy

ESTIMATED = "~"
_PERCENT = 100


def bytes_words(figure: Figure) -> str:
    """Bytes: `32.1 MB`, or `~32.1 MB +-12%` from a sample; `-` for none at all."""
    if not figure.value and not figure.is_estimated:
        return "-"
    return f"{_mark(figure)}{format_bytes(figure.value)}{_error(figure)}"


def short_words(figure: Figure) -> str:
    """Bytes without the error, where there is no room: `~32.1 MB`."""
    return f"{_mark(figure)}{format_bytes(figure.value)}"


def count_words(figure: Figure) -> str:
    """A count: `1,234`, or `~1,230 +-12%` from a sample."""
    if not figure.is_estimated:
        return f"{figure.value:,.0f}"
    return f"{ESTIMATED}{three_digits(figure.value)}{_error(figure)}"


def policy_words(policy: Policy) -> str:
    """`full snapshots` or `K=50`."""
    return "full snapshots" if policy is None else f"K={policy}"


def change_words(now: Figure, then: Figure) -> str:
    """How much less or more than now."""
    words = ratio_words(now.value / then.value if then.value else None)
    return f"{ESTIMATED}{words}" if words and then.is_estimated else words


def _mark(figure: Figure) -> str:
    return ESTIMATED if figure.is_estimated else ""


def _error(figure: Figure) -> str:
    """The larger of both sides of the interval, in percent of the estimate."""
    if figure.low is None or figure.high is None or not figure.value:
        return ""
    error = max(figure.high - figure.value, figure.value - figure.low) / abs(figure.value)
    return f" +-{error * _PERCENT:.0f}%"
