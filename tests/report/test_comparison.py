"""Several results side by side: what is compared, what is not, and that it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.comparison import compare_results
from deltabench.report.source import Rendered
from deltabench.report.terminal import comparison_lines
from deltabench.results.summary import summarize
from tests.fakes import failed_row, fake_results, replace_measured, replace_row

if TYPE_CHECKING:
    from deltabench.report.comparison import Comparison
    from deltabench.results.file import Results


def _compare(*results: Results) -> Comparison:
    return compare_results(
        [
            Rendered(name=f"r{number}", summary=summarize(each))
            for number, each in enumerate(results)
        ]
    )


def test_a_single_byte_more_is_told() -> None:
    """Bytes are exact: what no ratio shows is shown as bytes."""
    one = fake_results()
    measured = one.rows[1].measurement
    assert measured
    last = measured.stored
    last = last.model_copy(update={"row_bytes": last.row_bytes + 1})
    other = replace_measured(one, 1, storage=(*measured.storage[:-1], last))
    (block,) = _compare(one, other).blocks
    assert [row[3] for row in block.rows] == ["", "equal", "", "+1 B"]


def test_a_failed_cell_is_a_row_and_the_first_result_is_the_first_with_figures() -> None:
    """Three results, the first of which failed for K = 50."""
    one = fake_results()
    failed = replace_row(one, 1, failed_row(one.rows[1].cell))
    (block,) = _compare(failed, one, one).blocks
    assert [row[:4] for row in block.rows[3:]] == [
        ("K=50", "r0", "no result", ""),
        ("", "r1", "234 MB", ""),
        ("", "r2", "234 MB", "equal"),
    ]


def test_workloads_that_differ_under_one_name_are_not_compared() -> None:
    """The digest decides, and a note says so."""
    one = fake_results()
    rows = tuple(
        row.model_copy(update={"cell": row.cell.model_copy(update={"workload_digest": "another"})})
        for row in one.rows
    )
    comparison = _compare(one, one.model_copy(update={"rows": rows}))
    assert comparison.blocks == ()
    assert comparison.notes == (
        "B, 200 turns, memory, async: not compared, the workloads of this name differ",
        "The results have no measured group in common.",
    )


def test_other_versions_are_compared_and_named() -> None:
    """Upgrading is why people compare, so it is no obstacle but is told."""
    one = fake_results()
    packages = {**one.environment.packages, "langgraph": "1.3.0"}
    environment = one.environment.model_copy(update={"packages": packages})
    comparison = _compare(one, one.model_copy(update={"environment": environment}))
    assert len(comparison.blocks) == 1
    (note,) = comparison.notes
    assert note == (
        "Versions differ. r0: langgraph 1.2.24, deepagents 0.7.32; "
        "r1: langgraph 1.3.0, deepagents 0.7.32"
    )


TERMINAL = """\
B, 200 turns, memory, async

      result  stored vs first vs full    turn vs full slowest resume vs full
 full     r0 10.7 GB
          r1 10.7 GB    equal
 K=50     r0  234 MB          45.9x less 2.30x faster           1.32x slower
          r1  234 MB    equal 45.9x less 2.30x faster           1.32x slower
"""


def test_on_a_terminal_it_is_the_same_table_in_80_columns() -> None:
    """The exact text."""
    lines = [line for line, _ in comparison_lines(_compare(fake_results(), fake_results()))]
    assert "\n".join(lines) == TERMINAL
