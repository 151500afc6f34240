"""Fake results with rows derived from a fake recording: no figure was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Row
from deltabench.plan import RECORDING_FREQUENCY
from deltabench.results.derived import derive_rows
from tests.fakes import fake_cell, fake_measurement, fake_results, fake_stored
from tests.model.synthetic import series_of

if TYPE_CHECKING:
    from deltabench.results.file import Results

TURNS = 20


def derived_results(*, timed: tuple[int, ...] = (), ks: range = range(1, 41)) -> Results:
    """A full row, those timed, a recorded one, and every K derived from it."""
    measured = fake_results(ks=timed, turns=TURNS)
    cell = fake_cell(RECORDING_FREQUENCY, turns=TURNS).model_copy(
        update={"records": True, "positions": (), "marks": (TURNS,)}
    )
    series = series_of([[6_600] * 3] * TURNS)
    recorded = fake_measurement(cell).model_copy(
        update={
            "series": series,
            "storage": (fake_stored(TURNS, RECORDING_FREQUENCY, 2),),
            "snapshots": {"messages": 0},
        }
    )
    rows = (*measured.rows, Row(cell=cell, measurement=recorded))
    return measured.model_copy(update={"rows": rows, "derived": derive_rows(rows, ks)})
