"""Curves are the derived totals, turn by turn, and full snapshots those of a real run."""

from __future__ import annotations

import pytest

from deltabench.model.curves import delta_curve, full_curve, most_updates
from deltabench.model.derive import effects
from tests.model.sessions import SMALL, record, run

TURNS = 4


@pytest.mark.parametrize("checkpointer", ["memory", "sqlite"])
def test_curves_are_the_totals_of_real_sessions(
    checkpointer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Delta to the byte; full but for ids that messages have in a delta run only."""
    storage, series = record(SMALL, TURNS, checkpointer, monkeypatch)
    marks = tuple(stored.turn for stored in storage)
    for frequency in (1, 3, 100):
        expected = [
            fixed.size_bytes + effect.total_bytes
            for fixed, effect in zip(series.fixed, effects(series, frequency, marks), strict=True)
        ]
        assert delta_curve(series, frequency).tolist() == expected
    full = run(SMALL, TURNS, checkpointer, None, monkeypatch)
    assert full_curve(series).tolist() == pytest.approx(
        [stored.total_bytes for stored in full], rel=0.02
    )
    assert most_updates(series) == TURNS * SMALL.updates_per_turn
