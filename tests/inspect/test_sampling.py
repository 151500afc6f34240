"""Estimates from a part of the threads, and their error."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.errors import DeltabenchError
from deltabench.inspect.lines import inspection_lines
from deltabench.inspect.sampling import Sample, drawn, sample_size
from deltabench.inspect.scan import inspect_database, open_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

THREADS = 12


@pytest.fixture
def many(copied: Callable[[int | None], Path]) -> Path:
    """Give a database of a dozen threads, the same one under ids of one length."""
    path = copied(20)
    both = "checkpoint_ns, checkpoint_id"
    with closing(sqlite3.connect(path)) as connection:
        for table, rest in (
            ("checkpoints", f"{both}, parent_checkpoint_id, type, checkpoint, metadata"),
            ("writes", f"{both}, task_id, task_path, idx, channel, type, value"),
        ):
            for number in range(1, THREADS):
                connection.execute(
                    f"INSERT INTO {table} (thread_id, {rest})"  # noqa: S608
                    f" SELECT ?, {rest} FROM {table} WHERE thread_id = 't'",
                    ("abcdefghijklmnop"[number],),
                )
        connection.commit()
    return path


def test_threads_of_one_size_are_estimated_without_error(many: Path) -> None:
    """A third of a dozen equal threads gives the total, and an interval of no width."""
    with open_source(str(many)) as source:
        whole = inspect_database(source, policies=(5,))
        part = inspect_database(source, policies=(5,), sample="4")
    assert (part.threads, part.threads_read) == (THREADS, 4)
    for exact, estimate in (
        (whole.summed("total"), part.summed("total")),
        (whole.total(5), part.total(5)),
    ):
        assert not exact.is_estimated
        assert estimate.is_estimated
        assert estimate.value == pytest.approx(exact.value)
        assert estimate.low == pytest.approx(estimate.high)


def test_every_estimate_is_marked(many: Path) -> None:
    """No byte of a sample stands in a table without the mark, but for single threads."""
    with open_source(str(many)) as source:
        lines = inspection_lines(inspect_database(source, policies=(5,), sample="50%", top=0))
    tables = [line for line in lines if line.startswith("  ") and ("kB" in line or "MB" in line)]
    assert len(tables) > 10
    unmarked = [line for line in tables if "~" not in line and "on disk" not in line]
    assert unmarked == []
    assert any("estimated from 6 of 12 threads" in line for line in lines)


def test_a_sample_of_everything_is_no_sample(many: Path) -> None:
    """100 % of the threads are counted, not estimated."""
    with open_source(str(many)) as source:
        assert inspect_database(source, sample="100%").sample is None


@given(st.lists(st.integers(0, 1000), min_size=4, max_size=40))
def test_the_interval_holds_the_estimate(sizes: list[int]) -> None:
    """The estimate is the scaled sum, and lies between the ends."""
    sample = Sample(population=100, seed=1, threads=[Counter({("total",): n}) for n in sizes])
    figure = sample.figure(lambda sums: sums["total",])
    assert figure.value == pytest.approx(100 / len(sizes) * sum(sizes))
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low - 1e-6 <= figure.value <= figure.high + 1e-6


def test_the_error_is_that_of_a_mean() -> None:
    """For many threads the bootstrap meets the formula: 1.96 N s / sqrt(n) * sqrt(1 - n / N)."""
    sizes = [1000 + 10 * n for n in range(100)]
    sample = Sample(population=400, seed=1, threads=[Counter({("total",): n}) for n in sizes])
    figure = sample.figure(lambda sums: sums["total",])
    deviation = (sum((n - 1495) ** 2 for n in sizes) / 100) ** 0.5
    expected = 1.96 * 400 * deviation / 10 * 0.75**0.5
    assert figure.low is not None
    assert figure.high is not None
    assert (figure.high - figure.low) / 2 == pytest.approx(expected, rel=0.1)


def test_a_seed_draws_the_same_threads_again() -> None:
    """Reproducible, in the order of the database, and another seed draws others."""
    threads = [str(n) for n in range(100)]
    assert drawn(threads, 10, 1) == drawn(threads, 10, 1) != drawn(threads, 10, 2)
    assert drawn(threads, 10, 1) == sorted(drawn(threads, 10, 1), key=int)


@pytest.mark.parametrize(("text", "size"), [("10", 10), ("5%", 5), ("1%", 2), ("1000", 100)])
def test_a_size_is_a_number_or_a_part(text: str, size: int) -> None:
    """At least two threads, at most all of them."""
    assert sample_size(text, 100) == size


@pytest.mark.parametrize("text", ["", "1", "-5", "0%", "101%", "nan%", "half"])
def test_other_sizes_are_refused(text: str) -> None:
    """One line that says what can be given."""
    with pytest.raises(DeltabenchError, match="neither a number of threads"):
        sample_size(text, 100)
