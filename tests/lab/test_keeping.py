"""Databases of cells that are kept for looking into."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from deltabench.api import sweep
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from pathlib import Path


def test_each_cell_leaves_the_database_that_it_measured(tmp_path: Path) -> None:
    """There is one file a cell, named by it, with the rows that were counted."""
    kept = tmp_path / "kept"
    outcome = sweep(["A"], turns=[2], k=[5], checkpointers=["sqlite"], keep_database=kept)
    assert sorted(path.name for path in kept.iterdir()) == ["a-2-full.sqlite", "a-2-k5.sqlite"]
    for row in outcome.results.rows:
        file = kept / f"a-2-{'full' if row.cell.policy.is_full else 'k5'}.sqlite"
        with sqlite3.connect(file) as connection:
            (rows,) = connection.execute("SELECT count(*) FROM checkpoints").fetchone()
        assert row.measurement is not None
        assert rows == row.measurement.storage[-1].checkpoint_rows


def test_nothing_is_overwritten_nor_kept_where_there_is_no_file(tmp_path: Path) -> None:
    """Both are said before anything is measured."""
    (tmp_path / "a-2-k5.sqlite").touch()
    with pytest.raises(DeltabenchError, match=r"a-2-k5\.sqlite exists"):
        sweep(["A"], turns=[2], k=[5], checkpointers=["sqlite"], keep_database=tmp_path)
    with pytest.raises(DeltabenchError, match="memory checkpointer has no database file"):
        sweep(["A"], turns=[2], k=[5], keep_database=tmp_path / "other")
    assert not (tmp_path / "other").exists()
