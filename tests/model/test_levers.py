"""Estimates of other levers, held against real runs and a real database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from deltabench.cells import Policy
from deltabench.model.levers import levers
from deltabench.subject.agent import build_subject
from tests.model.sessions import SMALL, opened, record, run

if TYPE_CHECKING:
    from deltabench.checkpointers.interface import OpenCheckpointer

TURNS, K = 6, 5


def _by_name(checkpointer: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    _, series = record(SMALL, TURNS, checkpointer, monkeypatch)
    return {lever.name: lever.stored_bytes for lever in levers(series, K)}


def test_durability_exit_is_as_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full snapshots and delta, stored once a turn: within 10 % of real sessions."""
    told = _by_name("memory", monkeypatch)
    for name, k in (("full snapshots", None), (f"K={K}", K)):
        real = run(SMALL, TURNS, "memory", k, monkeypatch, durability="exit")[-1].total_bytes
        assert told[f"{name}, durability exit"] == pytest.approx(real, rel=0.1)


def test_the_newest_checkpoint_alone_is_as_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All other rows of a real database deleted: what is left is within 10 %."""
    told = _by_name("sqlite", monkeypatch)
    with opened("sqlite", monkeypatch) as store:
        subject = build_subject(SMALL, 0, Policy(), store.saver)
        for turn in range(1, TURNS + 1):
            subject.turn(turn, "async")
        _delete_all_but_newest(store)
        real = store.count(TURNS).total_bytes
        assert len(subject.graph.get_state(subject.config()).values["messages"]) > TURNS
    assert told["full snapshots, newest checkpoint only"] == pytest.approx(real, rel=0.1)


def _delete_all_but_newest(store: OpenCheckpointer) -> None:
    saver: Any = store.saver
    with saver.cursor() as cursor:
        for table in ("checkpoints", "writes"):
            cursor.execute(
                f"DELETE FROM {table} WHERE checkpoint_id"  # noqa: S608 - fixed names
                " <> (SELECT max(checkpoint_id) FROM checkpoints)"
            )


def test_every_lever_says_what_it_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pruning a delta thread also warns of rows that must stay."""
    _, series = record(SMALL, 3, "memory", monkeypatch)
    found = levers(series, K)
    assert len(found) == 4
    assert all(lever.gives_up for lever in found)
    assert "the state is lost" in found[3].gives_up
