"""Derived rows stand apart from measured ones, marked, without times, and held against them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from deltabench.cells import Failure, Policy, Row
from deltabench.gate.baseline import reduce
from deltabench.report.html.page import html
from deltabench.report.markdown import markdown
from deltabench.report.source import Rendered, Source
from deltabench.report.table import csv_text
from deltabench.report.terminal import print_results
from deltabench.results.derived import derive_rows
from deltabench.results.equality import judged_rows, recorded_rows
from deltabench.results.file import load_results, save_results
from deltabench.results.frame import to_frame
from deltabench.results.summary import summarize
from tests.derived_fakes import derived_results

if TYPE_CHECKING:
    from pathlib import Path


DERIVED = """\
 derived  stored vs full    snaps  values largest replay
 K=1     13.5 MB 8.09x less    60 12.1 MB  396 kB      0
 K=2     7.51 MB 14.5x less    30 6.14 MB  396 kB      0
 K=5     3.95 MB 27.6x less    12 2.58 MB  396 kB      0
 K=10    2.76 MB 39.4x less     6 1.39 MB  396 kB      0
 K=20    2.17 MB 50.3x less     3  792 kB  396 kB      0
 K=31    1.58 MB 69.0x less     1  205 kB  205 kB     29
 K=40    1.64 MB 66.5x less     1  264 kB  264 kB     20

derived = not run: bytes that follow from one recorded delta run, update by
  update; no times. replay: updates since the last snapshot, at the end.
7 of 40 derived K are shown; results.csv has them all.
Least at this length: K=31 with 1.58 MB (derived)."""


def test_derived_rows_are_marked_and_have_no_times() -> None:
    """In the data frame and in the CSV: status `derived`, bytes, and nothing that was timed."""
    frame = to_frame(derived_results(ks=range(1, 4)))
    assert list(frame["status"]) == ["measured", "derived", "derived", "derived"]
    derived = frame[frame["status"] == "derived"]
    assert derived["total_bytes"].gt(0).all()
    timed = [name for name in frame.columns if name.endswith("_seconds") or "memory" in name]
    assert derived[timed].isna().all().all()
    lines = csv_text([Source(name="", results=derived_results(ks=range(1, 4)))]).splitlines()
    assert [",derived," in line for line in lines] == [False, False, True, True, True]


def test_the_recorded_row_is_no_row_of_a_table() -> None:
    """Its K was nobody's choice, and its times do not count."""
    results = derived_results(timed=(5, 10))
    assert [row.cell.policy.label for row in judged_rows(results.rows)] == ["full", "K=5", "K=10"]
    assert [row.cell.records for row in recorded_rows(results.rows)] == [True]
    (group,) = summarize(results).groups
    assert [column.policy.label for column in group.columns] == ["full", "K=5", "K=10"]
    assert len(group.derived) == 40


def test_derived_k_stand_by_rising_k() -> None:
    """In whatever order they were asked for."""
    results = derived_results(ks=range(9, 0, -4))
    (group,) = summarize(results).groups
    assert [column.policy.label for column in group.derived] == ["K=1", "K=5", "K=9"]


def test_a_file_keeps_them_in_a_field_of_their_own(tmp_path: Path) -> None:
    """What is saved is what is loaded; a baseline leaves out what was not measured."""
    results = derived_results()
    save_results(results, tmp_path / "results.json")
    assert load_results(tmp_path) == results
    reduced = reduce(results)
    assert reduced.derived == ()
    assert not any(row.cell.records for row in reduced.rows)


def test_a_derived_k_that_was_measured_otherwise_is_a_problem() -> None:
    """The fakes do not fit together, which is what such a check is for."""
    (problem,) = summarize(derived_results(timed=(5,))).problems
    assert problem.kind == "differs"
    assert problem.label == "B, 20 turns, memory, async, K=5, derived"
    assert "were measured" in problem.reason


def test_a_recording_that_failed_is_a_problem() -> None:
    """It is told like any other cell, and nothing is derived."""
    results = derived_results()
    *rows, recorded = results.rows
    failed = Row(cell=recorded.cell, failure=Failure(kind="killed", reason="out of memory"))
    rows.append(failed)
    assert derive_rows(rows, [1]) == ()
    summary = summarize(results.model_copy(update={"rows": tuple(rows), "derived": ()}))
    (problem,) = summary.problems
    assert (problem.label, problem.kind) == ("B 20 turns, memory, recorded", "killed")


def test_a_recording_that_has_not_run_is_pending() -> None:
    """An interrupted sweep says that a cell is missing."""
    results = derived_results()
    rows = (*results.rows[:-1], Row(cell=results.rows[-1].cell))
    assert summarize(results.model_copy(update={"rows": rows, "derived": ()})).pending == 1


def test_a_k_beyond_the_bound_on_supersteps_is_told_with_its_reason() -> None:
    """Its row has no bytes, and is a problem."""
    results = derived_results()
    recorded = results.rows[-1]
    assert recorded.measurement is not None
    assert recorded.measurement.series is not None
    series = recorded.measurement.series.model_copy(update={"superstep_bound": 5})
    measurement = recorded.measurement.model_copy(update={"series": series})
    cell = recorded.cell.model_copy(update={"policy": Policy(snapshot_frequency=1)})
    once, often = derive_rows([Row(cell=cell, measurement=measurement)], [1, 100])
    assert once.stored is not None
    assert often.stored is None
    assert "bound of 5 supersteps" in often.reason
    told = results.model_copy(update={"derived": (once, often)})
    assert [problem.policy.label for problem in summarize(told).problems] == ["K=100"]


def test_derived_k_on_a_terminal() -> None:
    """The table, with a choice of many K, and what it is."""
    out = io.StringIO()
    print_results(derived_results(), Console(file=out, width=200))
    text = out.getvalue()
    start = text.index(" derived")
    assert text[start : text.index("\n\n", text.index("Least"))] == DERIVED
    assert max(len(line) for line in text.splitlines()) <= 80


@pytest.mark.parametrize("render", [markdown, html])
def test_derived_k_in_reports(render: object) -> None:
    """Markdown and HTML mark the table by its head, and say what derived is."""
    rendered = [Rendered(name="", summary=summarize(derived_results()))]
    text = render(rendered)  # type: ignore[operator]
    assert "derived = not run" in text
    assert "K=40" in text
