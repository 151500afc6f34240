"""Tests of the exact rules: integers decide, and zero or nothing has no ratio."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deltabench.gate.figures import ratios_text
from deltabench.gate.verdicts import Verdict
from tests.gate.plants import each, found, judged, results_of

if TYPE_CHECKING:
    from deltabench.results.file import Results

sizes = st.integers(min_value=1, max_value=10**15)


SHORT = results_of(turns=2)


def _stores(full_bytes: int, delta_bytes: int) -> Results:
    def store(size_bytes: int, k: int | None) -> Results:
        end = {"value_bytes": 0, "write_bytes": 0, "row_bytes": 0, "key_bytes": size_bytes}
        return each(results, lambda m: {"storage": (m.stored.model_copy(update=end),)}, k=k)

    results = SHORT
    results = store(full_bytes, None)
    return store(delta_bytes, 50)


@given(full_bytes=sizes, delta_bytes=sizes, thousandths=st.integers(1, 10**6))
def test_min_ratio_is_decided_by_integers(
    full_bytes: int, delta_bytes: int, thousandths: int
) -> None:
    """The rule holds exactly if full x 1000 >= delta x the limit in thousandths."""
    whole, rest = divmod(thousandths, 1000)
    rule = f"savings.min_ratio={whole}.{rest:03}"
    finding = found(judged(_stores(full_bytes, delta_bytes), None, rule), "savings")
    assert (finding.standing == "holds") == (full_bytes * 1000 >= delta_bytes * thousandths)


@given(one=st.tuples(sizes, sizes), two=st.tuples(sizes, sizes), percent=st.integers(0, 99))
def test_max_drop_is_decided_by_integers(
    one: tuple[int, int], two: tuple[int, int], percent: int
) -> None:
    """The rule holds exactly if the cross products say so."""
    now, then = _stores(*one), _stores(*two)
    rules = ("counted.exact=false", f"savings.max_drop='{percent}%'")
    finding = found(judged(now, then, *rules), "savings")
    holds = one[0] * two[1] * 100 >= two[0] * one[1] * (100 - percent)
    assert (finding.standing == "holds") == holds


@given(delta_bytes=sizes, limit=st.integers(2, 100), step=st.integers(-1, 1))
@example(delta_bytes=10**15, limit=25, step=-1)
def test_one_byte_at_the_limit_decides(delta_bytes: int, limit: int, step: int) -> None:
    """The limit itself holds and one byte below it does not, where floats see no difference."""
    side = _stores(delta_bytes * limit + step, delta_bytes)
    floor = found(judged(side, None, f"savings.min_ratio={limit}"), "savings")
    assert (floor.standing == "holds") == (step >= 0)
    rules = ("counted.exact=false", "savings.max_drop=0")
    drop = found(judged(side, _stores(delta_bytes * limit, delta_bytes), *rules), "savings")
    assert (drop.standing == "holds") == (step >= 0)


def test_a_ratio_just_below_its_limit_shows_the_difference() -> None:
    """24.99999 is not told as 25.0x against at least 25.0x."""
    finding = found(judged(_stores(24_999_990, 1_000_000), None, "savings.min_ratio=25"), "savings")
    assert (finding.standing, finding.expected) == ("broken", "at least 25.00000x")
    assert finding.found == "24.99999x"


@given(one=st.fractions(Fraction(1, 1000), 1000), two=st.fractions(Fraction(1, 1000), 1000))
def test_ratios_that_differ_are_told_apart(one: Fraction, two: Fraction) -> None:
    """Texts differ wherever nine decimals can tell."""
    texts = ratios_text(one, two)
    if abs(one - two) > Fraction(1, 10**8):
        assert texts[0] != texts[1]


@pytest.mark.parametrize("sides", [(0, 5), (5, 0), (0, 0)])
def test_zero_stored_bytes_have_no_ratio(sides: tuple[int, int]) -> None:
    """A zero on either side is missing, before any division."""
    finding = found(judged(_stores(*sides), None, "savings.min_ratio=1"), "savings")
    assert (finding.verdict, finding.standing) == (Verdict.MISSING, "no result")


def test_a_tolerance_takes_the_place_of_exact() -> None:
    """A counted figure with max_rise may rise so far, and falls freely."""
    now, then = _stores(1000, 104), _stores(1000, 100)
    rules = ("counted.exact=false", "savings.max_drop=false", "total_bytes.max_rise='4%'")
    allowed = found(judged(now, then, *rules), "total_bytes")
    assert (allowed.words, allowed.expected) == ("worse, allowed", "at most 104 B")
    stricter = (*rules, "total_bytes.max_rise=0.039")
    assert found(judged(now, then, *stricter), "total_bytes").standing == "broken"
    fallen = found(judged(then, now, *stricter), "total_bytes")
    assert (fallen.verdict, fallen.standing) == (Verdict.BETTER, "holds")


def _database(size_bytes: int | None) -> Results:
    physical = {} if size_bytes is None else {"database_bytes": size_bytes}
    return each(results_of(checkpointer="sqlite"), lambda _: {"physical_bytes": physical})


@pytest.mark.parametrize(
    ("now_bytes", "verdict", "standing"),
    [
        (1_000_000, Verdict.EQUAL, "holds"),
        (1_020_000, Verdict.WITHIN_NOISE, "holds"),
        (980_000, Verdict.WITHIN_NOISE, "holds"),
        (1_020_001, Verdict.WORSE, "broken"),
        (900_000, Verdict.BETTER, "holds"),
        (None, Verdict.MISSING, "no result"),
    ],
)
def test_sizes_on_disk_have_a_tolerance(
    now_bytes: int | None, verdict: Verdict, standing: str
) -> None:
    """Two per cent are noise, more is not, and a size that is gone is missing."""
    judgement = judged(_database(now_bytes), _database(1_000_000))
    finding = found(judgement, "database_bytes")
    assert (finding.verdict, finding.standing) == (verdict, standing)


def test_a_page_is_no_difference() -> None:
    """A small file grows by a page without being worse, and by more with it."""
    small = judged(_database(28_192), _database(20_000))
    assert found(small, "database_bytes").verdict is Verdict.WITHIN_NOISE
    more = judged(_database(28_193), _database(20_000))
    assert found(more, "database_bytes").verdict is Verdict.WORSE


def test_a_figure_that_one_side_lacks_breaks_the_exact_rule() -> None:
    """Statements that are counted now and were not before are not equal."""
    sqlite = results_of(checkpointer="sqlite")
    blind = each(
        sqlite,
        lambda m: {
            "session_round_trips": m.session_round_trips.model_copy(update={"statements": None})
        },
    )
    finding = found(judged(sqlite, blind), "statements")
    assert (finding.verdict, finding.standing) == (Verdict.DIFFERENT, "broken")
