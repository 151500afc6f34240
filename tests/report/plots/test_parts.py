"""The plot of parts: shares of every policy, with the floor in them."""

from __future__ import annotations

from typing import Any

import pytest

from deltabench.report.plots import parts
from tests.fakes import fake_results
from tests.report.plots.drawn import draw, names


def test_parts_are_shares_with_the_floor_in_them() -> None:
    """Every bar adds up to 100 %, its size stands on top, and the floor is named once."""
    figure = draw(parts, fake_results(ks=(10, 1000)))
    (axes,) = figure.axes
    bars: list[Any] = list(axes.patches)
    for place in range(3):
        assert sum(b.get_height() for b in bars[3 * place : 3 * place + 3]) == pytest.approx(100)
    assert [t.get_text() for t in axes.texts if "B" in t.get_text()] == [
        "10.7 GB",
        "1.09 GB",
        "20.3 MB",
    ]
    # Not 100 %: what the floor takes is small beside 10.7 GB, and it is there.
    assert next(t.get_text() for t in axes.texts if "%" in t.get_text()) == ">99%"
    assert names(figure) == ["rows and keys", "writes", "the floor: 13.7 MB", "values"]


def test_the_parts_are_told_apart_in_grey() -> None:
    """From rows over writes to values, each is much darker than the one below."""
    figure = draw(parts, fake_results())
    patches: list[Any] = list(figure.axes[0].patches[:3])
    weights = (0.2126, 0.7152, 0.0722)
    grey = [
        sum(w * c for w, c in zip(weights, p.get_facecolor()[:3], strict=True)) for p in patches
    ]
    assert grey[0] - grey[1] > 0.15
    assert grey[1] - grey[2] > 0.15
