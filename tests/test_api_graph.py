"""The Python interface on a graph of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import deltabench
from deltabench.session.graph_session import GraphRequest

if TYPE_CHECKING:
    import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "agent"


def test_a_sweep_of_the_example_derives_what_a_run_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request is surveyed, measured, and the derived bytes of a K are those of its run."""
    monkeypatch.chdir(EXAMPLE)
    request = GraphRequest(
        spec="langgraph.json", inputs="inputs.jsonl", model="agent.py:make_model"
    )
    outcome = deltabench.sweep(graph=request, turns=[3], k=[5], exact=True, timed=[5])
    assert outcome.summary.problems == ()
    cells = {row.cell.policy.label: row for row in outcome.results.rows}
    run = cells["K=5"].measurement
    assert run is not None
    assert run.updates == {"messages": 12, "findings": 3, "sources": 3}
    assert run.snapshots == {"messages": 2, "findings": 0, "sources": 0}
    (derived,) = outcome.results.derived
    assert derived.stored is not None
    assert derived.stored.total_bytes == run.stored.total_bytes
    assert derived.stored.value_bytes == run.stored.value_bytes
