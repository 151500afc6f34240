"""Whole numbers on the command line: between commas, repeated, or as ranges."""

from __future__ import annotations

import pytest

from deltabench.commands.options import whole_numbers
from deltabench.errors import DeltabenchError


def test_numbers_and_ranges() -> None:
    """A range holds both of its ends."""
    assert whole_numbers("--k", ["1..4,10", "20"]) == [1, 2, 3, 4, 10, 20]
    assert whole_numbers("--k", ["7..7"]) == [7]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9..3", "--k: '9..3' is no range"),
        ("1..20000", "10,000 numbers at most"),
        ("1..x", "'1..x' is not a whole number"),
        ("1..", "'1..' is not a whole number"),
    ],
)
def test_what_is_no_range(text: str, message: str) -> None:
    """One line that says what a range looks like."""
    with pytest.raises(DeltabenchError) as caught:
        whole_numbers("--k", [text])
    assert message in str(caught.value)
