"""Tests of the data frame: one row per planned cell, figures only where there are some."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from deltabench.results.frame import COLUMNS, to_frame
from tests.fakes import failed_row, fake_results, replace_measured, replace_row

if TYPE_CHECKING:
    from deltabench.results.file import Results


def test_it_has_one_row_per_cell_with_the_documented_columns() -> None:
    """Every column is documented, and every documented column is there."""
    frame = to_frame(fake_results(ks=(10, 50), repeats=2))
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == 6
    assert list(frame["policy"]) == ["full", "K=10", "K=50"] * 2
    assert not frame.drop(columns=["snapshot_frequency", "failure_kind", "failure_reason",
                                   "statements"]).isna().to_numpy().any()  # fmt: skip


def test_figures_are_those_of_the_cell() -> None:
    """Sizes are whole numbers in bytes, times are seconds."""
    frame = to_frame(fake_results())
    assert list(frame["total_bytes"]) == [10_711_680_000, 233_520_000]
    assert str(frame["total_bytes"].dtype) == "Int64"
    worst = frame["resume_warm_worst_seconds"]
    assert math.isclose(worst[1], 0.012, rel_tol=0.02)


def test_a_failed_cell_has_its_reason_and_no_figures() -> None:
    """A failure is a row like any other, and its figures are empty instead of zero."""
    results = fake_results()
    frame = to_frame(replace_row(results, 0, failed_row(results.rows[0].cell, "no memory")))
    assert list(frame["status"]) == ["failed", "measured"]
    assert frame["failure_reason"][0] == "no memory"
    assert pd.isna(frame["total_bytes"][0])
    assert frame["total_bytes"][1] == 233_520_000


def test_physical_sizes_follow_as_the_checkpointer_names_them() -> None:
    """They differ from backend to backend, so they come after the fixed columns."""
    frame = to_frame(fake_results(checkpointer="sqlite"))
    assert list(frame.columns) == [*COLUMNS, "physical_database_bytes"]
    assert frame["statements"].notna().all()


def test_no_rows_still_give_the_columns() -> None:
    """An empty plan is an empty table, not an error."""
    empty: Results = fake_results().model_copy(update={"rows": ()})
    assert list(to_frame(empty).columns) == list(COLUMNS)


def test_a_cell_that_cannot_count_has_no_figures() -> None:
    """What the summary calls a failure is one in the CSV too, though it was measured."""
    results = fake_results()
    row = results.rows[1]
    assert row.measurement
    state = row.measurement.state.model_copy(update={"content": "other"})
    frame = to_frame(replace_measured(results, 1, state=state))
    assert list(frame["failure_kind"].fillna("")) == ["", "differs"]
    assert pd.isna(frame["total_bytes"][1])


def test_every_number_names_its_unit() -> None:
    """Bytes and seconds stand in the name; what is counted or numbered is described so."""
    results = fake_results(checkpointer="sqlite")
    frame = to_frame(replace_row(results, 0, failed_row(results.rows[0].cell)))
    unnamed = [
        name
        for name in frame.select_dtypes("number").columns
        if not name.endswith(("_bytes", "_seconds"))
    ]
    described = {name: COLUMNS[name] for name in unnamed}
    assert "updates" in described
    assert [
        name
        for name, text in described.items()
        if not text.startswith(("number of ", "seed of ", "K in updates"))
    ] == []
