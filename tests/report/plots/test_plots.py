"""Tests of the plots: what they show, and that every name can be read."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from deltabench.report.plots import (
    frequency,
    frontier,
    parts,
    ratio,
    resume,
    storage,
    turns,
)
from deltabench.report.plots.catalogue import PLOTS
from deltabench.report.plots.style import markup, narrow, save, spread_apart
from tests.fakes import failed_row, fake_results, replace_row
from tests.report.plots.drawn import MANY, draw, names, skipped

if TYPE_CHECKING:
    from pathlib import Path


def test_storage_names_each_line_with_its_size_and_exponent() -> None:
    """The answer to the title stands at the end of each line."""
    assert names(draw(storage, fake_results())) == [
        "K=50: 234 MB, N^1.82",
        "full: 10.7 GB, N^1.99",
    ]


def test_ratio_marks_the_ceiling() -> None:
    """A dotted line stands at K, which the ratio nears."""
    figure = draw(ratio, fake_results())
    assert names(figure) == ["K=50: 45.9x less"]
    heights: list[Any] = [line.get_ydata() for line in figure.axes[0].lines]
    assert [50, 50] in [list(height) for height in heights]


def test_the_plot_over_k_shows_what_it_saves_and_costs() -> None:
    """Stored bytes with full and floor above, the slowest resume beside full below."""
    written = names(draw(frequency, fake_results(ks=(10, 50, 1000))))
    assert [name.split(":")[0] for name in written] == [
        "floor",
        "delta",
        "full",
        "full, same place",
        "delta",
    ]


@pytest.mark.parametrize("plot", PLOTS)
@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("ks", [(10, 50), MANY, tuple(range(1, 31))])
def test_names_are_whole_and_apart(plot: Any, ks: tuple[int, ...], phone: bool) -> None:  # noqa: FBT001
    """No text leaves the figure, and no name covers another, however many lines there are."""
    with narrow() if phone else nullcontext():
        figure = draw(plot, fake_results(ks=ks))
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = figure.get_size_inches() * figure.dpi
    boxes = [text.get_window_extent(canvas.get_renderer()) for text in figure.texts]
    labels = [
        text.get_window_extent(canvas.get_renderer())
        for axes in figure.axes
        for text in (axes.xaxis.label, axes.yaxis.label)
        if text.get_text()
    ]
    for box in (*boxes, *labels):
        assert box.x0 >= 0
        assert box.x1 <= width
        assert box.y0 >= 0
        assert box.y1 <= height
    if len(ks) < 20:
        for one, other in combinations(boxes[2:], 2):
            assert not one.overlaps(other)
    for one, other in combinations(labels, 2):
        assert not one.overlaps(other)


@pytest.mark.parametrize("plot", PLOTS)
def test_axes_are_named_with_unit_and_scale(plot: Any) -> None:
    """Every axis says what it shows, and a logarithmic one says that it is."""
    figure = draw(plot, fake_results(ks=(10, 50)))
    axes = figure.axes
    assert all(panel.get_ylabel() for panel in axes)
    assert axes[-1].get_xlabel()
    for panel in axes:
        assert ("log scale" in panel.get_ylabel()) == (panel.get_yscale() == "log")
    assert ("log scale" in axes[-1].get_xlabel()) == (axes[-1].get_xscale() == "log")


@pytest.mark.parametrize("plot", PLOTS)
def test_the_title_asks_and_the_subtitle_says_of_what(plot: Any) -> None:
    """A plot out of its context still names workload, checkpointer and versions."""
    question, about = (text.get_text() for text in draw(plot, fake_results(ks=(10, 50))).texts[:2])
    assert question.endswith("?")
    for part in ("workload B", "200 turns", "memory", "async", "langgraph 1.2.24"):
        assert part in about


@pytest.mark.parametrize("plot", PLOTS)
def test_text_of_a_drawing_is_text(plot: Any) -> None:
    """It can be found, read aloud, and shown where the font of the PNG is missing."""
    text = markup(draw(plot, fake_results(ks=(10, 50))))
    assert f">{plot.TITLE}</text>" in text
    assert "font-family: 'DejaVu Sans', Verdana, sans-serif" in text


def test_lines_differ_without_colour() -> None:
    """In grey, markers and dashes still tell the lines apart."""
    figure = draw(storage, fake_results(ks=MANY[:5]))
    lines = figure.axes[0].lines
    assert len({line.get_marker() for line in lines}) == len(lines) == 6
    assert [line.is_dashed() for line in lines] == [False, *[True] * 5]


@pytest.mark.parametrize("plot", PLOTS)
def test_files_are_small_and_the_same_every_time(plot: Any, tmp_path: Path) -> None:
    """The bytes depend on the results alone, and fit a repository."""
    results = fake_results(ks=MANY)
    first = save(draw(plot, results), tmp_path, "one")
    again = save(draw(plot, results), tmp_path, "two")
    assert [path.suffix for path in first] == [".png", ".svg"]
    for one, two in zip(first, again, strict=True):
        assert one.read_bytes() == two.read_bytes()
        assert 1_000 < one.stat().st_size < 100_000


def test_what_cannot_be_drawn_says_why() -> None:
    """A missing comparison is a sentence, not a pair of empty axes."""
    assert skipped(frequency, fake_results()) == "fewer than two K gave a result"
    assert "without both a full row and a delta row" in skipped(ratio, fake_results(full=False))
    assert skipped(storage, fake_results(turns=1)) == "storage was counted at one turn only"
    assert skipped(ratio, fake_results(turns=1)) == "storage was counted at one turn only"
    assert skipped(turns, fake_results(turns=2)) == "fewer than 3 turns"
    assert "fewer than two K" in skipped(frontier, fake_results())
    assert "no K that takes snapshots" in skipped(resume, fake_results(ks=(5000,)))
    results = fake_results()
    none = replace_row(results, 1, failed_row(results.rows[1].cell))
    assert skipped(parts, none) == "no delta row gave a result"
    assert skipped(resume, none) == "no K that takes snapshots gave a result"


def test_a_failed_policy_is_left_out_of_a_plot_that_can_do_without() -> None:
    """The other lines are still drawn; the tables tell of the failure."""
    results = fake_results(ks=(10, 50))
    written = names(draw(storage, replace_row(results, 1, failed_row(results.rows[1].cell))))
    assert [name.split(":")[0] for name in written] == ["K=50", "full"]


@given(
    st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=25).map(sorted),
    st.floats(min_value=0.01, max_value=0.2),
)
def test_names_are_moved_apart_in_order_and_within_bounds(places: list[float], step: float) -> None:
    """Neighbours keep their order and their distance as far as the panel has room."""
    moved = spread_apart(places, step, 0.0, 1.0)
    room = min(step, 1 / (len(places) - 1)) if len(places) > 1 else step
    assert len(moved) == len(places)
    assert all(-1e-6 <= place <= 1 + 1e-6 for place in moved)
    assert all(above - below >= room - 1e-6 for below, above in pairwise(moved))


def test_names_with_room_stay_where_their_lines_end() -> None:
    """What does not overlap is not moved."""
    assert spread_apart([0.1, 0.5, 0.9], 0.1, 0.0, 1.0) == [0.1, 0.5, 0.9]
