"""The plot of the frontier: the choice, and what is advised."""

from __future__ import annotations

from deltabench.report.plots import frontier
from deltabench.results.summary import summarize
from tests.fakes import fake_results
from tests.report.plots.drawn import draw, names


def test_the_frontier_marks_what_the_report_advises() -> None:
    """The advised K is named with its figures; what is beaten is a cross."""
    results = fake_results(ks=(1, 10, 50, 1000))
    summary = summarize(results)
    advised = summary.groups[0].frontier
    assert advised
    assert advised.advised
    figure = draw(frontier, results)
    (bold,) = [text for text in figure.texts[2:] if text.get_fontweight() == "bold"]
    assert bold.get_text().startswith(f"{advised.advised.label}, advised: ")
    assert {name.split(",")[0] for name in names(figure)} == {"full", "K=1", "K=10", "K=50",
                                                              "K=1000"}  # fmt: skip
    crosses = [line for line in figure.axes[0].lines if line.get_marker() == "X"]
    assert len(crosses) == sum(not point.on_frontier for point in advised.points) == 1


def test_without_full_the_frontier_is_in_milliseconds() -> None:
    """There is nothing to be a multiple of."""
    figure = draw(frontier, fake_results(ks=(10, 50, 1000), full=False))
    assert figure.axes[0].get_ylabel() == "warm resume, slowest phase (ms)"
    assert any(name.endswith(" ms") for name in names(figure))
