"""results.csv in a spreadsheet: one header, plain numbers, no formulas."""

from __future__ import annotations

import csv
import re
from io import StringIO

import pandas as pd
import pytest

from deltabench.report.source import Source
from deltabench.report.table import csv_text
from deltabench.results.frame import COLUMNS
from tests.fakes import failed_row, fake_results, replace_row


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_one_header_and_one_row_per_cell_without_an_index() -> None:
    """The first column is a name, every name is plain, and numbers are plain numbers."""
    text = csv_text([Source("", fake_results(ks=(10, 50), checkpointer="sqlite"))])
    header, *lines = text.splitlines()
    assert header.split(",") == [*COLUMNS, "physical_database_bytes"]
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in header.split(","))
    assert len(lines) == 3
    row = _rows(text)[2]
    assert row["workload"] == "B"
    assert row["total_bytes"] == "233520000"
    assert row["snapshot_frequency"] == "50"
    assert re.fullmatch(r"0\.\d+", row["turn_p50_seconds"])


@pytest.mark.parametrize("name", ["=cmd()", "+1", "-1", "@sum(a)", " =cmd()", "\t=cmd()", "\r=1"])
def test_no_cell_begins_like_a_formula(name: str) -> None:
    """What a workload is called, or why a cell failed, cannot run in a spreadsheet."""
    results = fake_results(workloads=(name,))
    results = replace_row(results, 1, failed_row(results.rows[1].cell, name))
    rows = _rows(csv_text([Source("", results)]))
    assert [row["workload"] for row in rows] == [f"'{name.strip()}"] * 2
    assert rows[1]["failure_reason"] == f"'{name.strip()}"
    for row in rows:
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())


def test_text_stays_on_one_line() -> None:
    """A reason of several lines would look like several rows."""
    results = fake_results()
    results = replace_row(results, 1, failed_row(results.rows[1].cell, 'one\ntwo, "three"'))
    text = csv_text([Source("", results)])
    assert len(text.splitlines()) == 3
    assert _rows(text)[1]["failure_reason"] == 'one two, "three"'


def test_a_mark_tells_spreadsheets_of_letters_beyond_ascii() -> None:
    """Only then: programs that read ASCII see the header as it is."""
    assert csv_text([Source("", fake_results())]).startswith("workload,")
    text = csv_text([Source("", fake_results(workloads=("Übung",)))])
    assert text.startswith("\ufeffworkload,")
    assert list(pd.read_csv(StringIO(text))["workload"]) == ["Übung"] * 2


def test_several_results_are_told_apart_in_the_first_column() -> None:
    """Columns that only one of them has are empty for the other."""
    sources = [
        Source("one", fake_results()),
        Source("=two", fake_results(checkpointer="sqlite")),
        Source("none", fake_results().model_copy(update={"rows": ()})),
    ]
    rows = _rows(csv_text(sources))
    assert [row["result"] for row in rows] == ["one", "one", "'=two", "'=two"]
    assert rows[0]["physical_database_bytes"] == ""
    assert rows[2]["physical_database_bytes"] != ""
    assert rows[2]["total_bytes"].isdigit()
