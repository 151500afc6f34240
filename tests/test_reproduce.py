"""Published against measured: what counts as reproduced, and what does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from deltabench.cells import Cell, Policy, Row, StoredBytes
from deltabench.report.published import as_json, published_lines
from deltabench.reproduce import compare_with_published, ratio_at
from tests.fakes import fake_measurement, fake_results

if TYPE_CHECKING:
    from deltabench.results.file import Results

MARKS = {"A": (1, 10, 200, 500), "B": (1, 10, 200)}
# Total bytes by workload, policy and turn mark, near the published ones.
GOOD = {
    ("A", None): (30_000, 1_800_000, 650_000_000, 4_200_000_000),
    ("A", 50): (15_000, 300_000, 20_000_000, 104_000_000),
    ("B", None): (270_000, 16_000_000, 5_300_000_000),
    ("B", 50): (100_000, 1_300_000, 129_000_000),
}


def _stored(turn: int, total_bytes: int) -> StoredBytes:
    return StoredBytes(
        turn=turn,
        checkpoint_rows=1,
        value_rows=1,
        write_rows=0,
        value_bytes=total_bytes,
        write_bytes=0,
        row_bytes=0,
        key_bytes=0,
        channels=(),
        largest_value=None,
    )


def _results(**changes: int) -> Results:
    """Results with the good figures, except the named ones, such as `B_50=1`."""
    template = fake_results()
    rows = []
    for (workload, k), totals in GOOD.items():
        last = changes.get(f"{workload}_{k}", totals[-1])
        totals = (*totals[:-1], last)  # noqa: PLW2901  # only the last one is changed
        cell: Cell = template.rows[0].cell.model_copy(
            update={
                "workload": workload,
                "turns": MARKS[workload][-1],
                "policy": Policy(snapshot_frequency=k),
            }
        )
        storage = tuple(map(_stored, MARKS[workload], totals))
        measurement = fake_measurement(cell).model_copy(update={"storage": storage})
        rows.append(Row(cell=cell, measurement=measurement))
    return template.model_copy(update={"rows": tuple(rows)})


def test_figures_near_the_published_ones_hold() -> None:
    """All eight figures are compared, and all hold."""
    findings = compare_with_published(_results())
    assert len(findings) == 8
    assert all(finding.holds for finding in findings)


@pytest.mark.parametrize(
    ("change", "out"),
    [
        ({"B_None": 5_600_000_000}, {"B, 200 turns, full snapshots", "B, 200 turns, ratio"}),
        ({"B_50": 140_000_000}, {"B, 200 turns, delta K=50", "B, 200 turns, ratio"}),
        ({"A_50": 110_500_000}, {"A, 500 turns, delta K=50", "A, 500 turns, ratio"}),
        ({"A_None": 4_800_000_000}, {"A, 500 turns, full snapshots", "A, 500 turns, ratio"}),
        ({"A_None": 4_450_000_000}, set()),  # "4 GB" may be rounded down
    ],
)
def test_a_figure_that_is_out_is_found(change: dict[str, int], out: set[str]) -> None:
    """Each published figure has its own bounds."""
    findings = compare_with_published(_results(**change))
    assert {finding.figure for finding in findings if not finding.holds} == out


def test_b_must_stay_above_a_at_every_common_mark() -> None:
    """One mark where A saves more than B is enough to fail."""
    results = _results()
    rows = list(results.rows)
    measurement = rows[2].measurement
    assert measurement is not None
    storage = (_stored(1, 190_000), *measurement.storage[1:])
    rows[2] = Row(
        cell=rows[2].cell, measurement=measurement.model_copy(update={"storage": storage})
    )
    results = results.model_copy(update={"rows": tuple(rows)})
    (out,) = (finding for finding in compare_with_published(results) if not finding.holds)
    assert out.figure == "B's ratio over A's, least of all turn marks"
    assert out.measured == pytest.approx(0.95)


def test_a_failed_cell_reproduces_nothing() -> None:
    """Without a measurement there is no figure, and no figure holds."""
    results = _results()
    rows = tuple(Row(cell=row.cell) for row in results.rows)
    findings = compare_with_published(results.model_copy(update={"rows": rows}))
    assert not any(finding.holds for finding in findings)
    lines = list(published_lines(findings, results))
    assert sum(line.endswith("FAILED") for line in lines) == 8


def test_the_table_shows_published_measured_and_difference() -> None:
    """Side by side within 80 columns, with a verdict for each and one for all."""
    results = _results(B_50=140_000_000)
    lines = list(published_lines(compare_with_published(results), results))
    assert lines[2:6] == [
        "                                               published    measured   differs",
        "B, 200 turns, full snapshots                      5.3 GB     5.30 GB     +0.0%  ok",
        "B, 200 turns, delta K=50                          129 MB      140 MB     +8.5%  OUT",
        "B, 200 turns, ratio                                  41x       37.9x     -7.7%  OUT",
    ]
    assert lines[-1] == "2 of 8 published figures are not reproduced."


def test_json_has_numbers() -> None:
    """Machines get bytes and ratios as numbers, and the verdict."""
    first = json.loads(as_json(compare_with_published(_results())))[0]
    assert (first["measured"], first["published_value"], first["holds"]) == (5.3e9, 5.3e9, True)


def test_a_ratio_needs_both_policies() -> None:
    """A missing side gives no ratio instead of a wrong one."""
    results = _results()
    assert ratio_at(results, "A", 10) == pytest.approx(6.0)
    half = results.model_copy(update={"rows": results.rows[1:]})
    assert ratio_at(half, "A", 10) is None
