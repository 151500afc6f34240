"""The first difference of two plain values, with ids matched one to one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from deltabench.verify.oracle.compare import Matching, first_difference

ONE, TWO, THREE = (str(UUID(int=number)) for number in (1, 2, 3))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=10,
)


@given(PLAIN)
def test_everything_is_like_itself(value: Any) -> None:
    """Also nan, with and without a matching."""
    assert first_difference(value, value) is None
    assert first_difference(value, value, Matching()) is None


def test_the_first_place_is_told_as_one_would_write_it() -> None:
    """The path names keys and indexes, and a missing end is a difference."""
    apart = first_difference({"values": {"notes": [1, 2]}}, {"values": {"notes": [1]}})
    assert apart is not None
    assert (apart.text, apart.expected, apart.found) == ("values['notes'][1]", "2", "missing")


def test_numbers_of_another_type_differ() -> None:
    """1, 1.0 and True are equal to Python only."""
    assert first_difference([1], [1.0]) is not None
    assert first_difference([1], [True]) is not None


def test_ids_are_matched_one_to_one() -> None:
    """An id may have another name on the other side, but always the same one."""
    matching = Matching()
    assert first_difference([ONE, f"task:{ONE}"], [TWO, f"task:{TWO}"], matching) is None
    assert first_difference([ONE], [THREE], matching) is not None
    assert first_difference([THREE], [TWO], matching) is not None
    assert first_difference({f"a:{ONE}": 1}, {f"a:{TWO}": 1}, matching) is None


def test_without_a_matching_every_id_must_stay() -> None:
    """Two reads of one twin may not differ in an id."""
    assert first_difference([ONE], [TWO]) is not None


def test_a_refused_pair_is_not_remembered() -> None:
    """Texts that differ besides their ids teach nothing."""
    matching = Matching()
    assert first_difference(f"{ONE} a", f"{TWO} b", matching) is not None
    assert first_difference(ONE, THREE, matching) is None


def test_an_id_where_the_other_side_has_none_is_kept_for_telling() -> None:
    """It is no end of a case, but only for ids, and only between twins."""
    matching = Matching()
    assert first_difference({"id": None}, {"id": ONE}, matching) is None
    assert matching.only_found is not None
    assert matching.only_found.text == "id"
    assert first_difference({"id": None}, {"id": ONE}) is not None
    assert first_difference({"id": None}, {"id": "mine"}, matching) is not None
    assert first_difference({"name": None}, {"name": ONE}, matching) is not None


def test_times_are_matched_as_ids_are() -> None:
    """Two runs are not made at the same time, but one file keeps its own."""
    before, after = "2026-01-02T03:04:05.000006+00:00", "2026-01-02T03:04:06+00:00"
    matching = Matching()
    assert first_difference([before, before], [after, after], matching) is None
    assert first_difference([before], [before], matching) is not None
