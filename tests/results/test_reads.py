"""Resumes by depth: every place that was read, for whatever K it was chosen."""

from __future__ import annotations

from deltabench.results.summary import summarize
from tests.fakes import fake_results


def test_each_policy_has_the_places_of_all_k_by_rising_depth() -> None:
    """K = 50 is also read at the places of K = 10, each update once; full has none."""
    (group,) = summarize(fake_results(ks=(10, 50), repeats=3)).groups
    full, _, fifty = (column.figures for column in group.columns)
    assert full
    assert fifty
    assert full.reads.resume_by_depth == ()
    places = fifty.reads.resume_by_depth
    assert [(p.updates_since_snapshot, p.update) for p in places] == [
        (0, 1750),
        (0, 1800),
        (25, 1775),
        (40, 1790),
        (45, 1795),
        (49, 1799),
    ]
    for place in places:
        assert len(place.seconds) == len(place.full_seconds) == 3
        assert place.samples == 9
    deepest = places[-1]
    assert min(deepest.seconds) > max(deepest.full_seconds)


def test_without_full_there_is_no_reference() -> None:
    """The places are there all the same."""
    (group,) = summarize(fake_results(full=False)).groups
    (column,) = group.columns
    assert column.figures
    assert {place.full_seconds for place in column.figures.reads.resume_by_depth} == {()}
