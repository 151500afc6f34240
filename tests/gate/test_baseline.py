"""Tests of baselines: small, complete, and as good a reference as the whole results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.baseline import changes, reduce, refuse_incomplete
from deltabench.gate.sides import Side
from deltabench.results.file import load_results, save_results
from tests.fakes import failed_row, replace_row
from tests.gate.plants import found, grown, judged, results_of, without

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.results.file import Results


def _side(results: Results) -> Side:
    return Side("r.json", results)


def test_a_baseline_is_a_results_file_and_smaller(tmp_path: Path) -> None:
    """It loads like any other, reads back equal, and is smaller by a third."""
    results = results_of(1, turns=200)
    save_results(results, tmp_path / "results.json")
    save_results(reduce(results), tmp_path / "baseline.json")
    assert load_results(tmp_path / "baseline.json") == reduce(results)
    sizes = [(tmp_path / name).stat().st_size for name in ("baseline.json", "results.json")]
    assert sizes[0] < sizes[1] * 2 / 3


def test_a_baseline_judges_like_the_results_it_was_made_from() -> None:
    """Every finding is the same, but for times rounded to the microsecond."""
    results = results_of(9)
    whole, reduced = judged(results, results), judged(results, reduce(results))
    assert [(f.metric, f.verdict, f.standing) for f in whole.findings] == [
        (f.metric, f.verdict, f.standing) for f in reduced.findings
    ]
    one, two = found(whole, "turn_p50").expected_value, found(reduced, "turn_p50").expected_value
    assert isinstance(one, float)
    assert isinstance(two, float)
    assert two == pytest.approx(one, rel=1e-3)


def test_reducing_twice_changes_nothing() -> None:
    """A baseline is its own baseline."""
    assert reduce(reduce(results_of(2))) == reduce(results_of(2))


@pytest.mark.parametrize("fault", ["failed", "pending", "missing repeat", "full only", "empty"])
def test_a_baseline_with_holes_is_refused(fault: str) -> None:
    """It could never be passed, so it is not accepted; the reason is named."""
    results = results_of(2)
    pending = results.rows[1].model_copy(update={"measurement": None})
    faulty = {
        "failed": replace_row(results, 1, failed_row(results.rows[1].cell)),
        "pending": replace_row(results, 1, pending),
        "missing repeat": without(results, 3),
        "full only": without(results_of(), 1),
        "empty": results.model_copy(update={"rows": ()}),
    }[fault]
    with pytest.raises(DeltabenchError, match="cannot be a baseline: ") as caught:
        refuse_incomplete(_side(faulty))
    assert caught.value.exit_code is ExitCode.CELL_FAILED
    refuse_incomplete(_side(results))


def test_changes_show_what_would_be_accepted() -> None:
    """Old and new of every figure that differs, and nothing that does not."""
    found_changes = list(changes(_side(grown(results_of(), 10)), _side(results_of())))
    by_metric = {change.metric: change for change in found_changes}
    assert set(by_metric) == {"savings", "total_bytes", "value_bytes"}
    assert by_metric["total_bytes"].change == "+10.0 %"
    assert by_metric["total_bytes"].key.policy.label == "K=50"
    assert list(changes(_side(results_of()), _side(results_of()))) == []


def test_cells_that_come_and_go_are_one_change_each() -> None:
    """A K that the old baseline lacks is new, one that these results lack is dropped."""
    found_changes = list(changes(_side(results_of(ks=(50,))), _side(results_of(ks=(10,)))))
    told = {(change.key.policy.label, change.change) for change in found_changes}
    assert {("K=50", "new"), ("K=10", "dropped")} <= told
    assert len([c for c in found_changes if c.change in {"new", "dropped"}]) == 2
