"""What the results of one report are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.report.source import source_names

if TYPE_CHECKING:
    from pathlib import Path


def test_names_come_from_files_and_directories_and_differ(tmp_path: Path) -> None:
    """A results.json is called like its directory; the same name again gets a number."""
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    paths = [
        tmp_path / "old",
        tmp_path / "new" / "results.json",
        tmp_path / "baseline.json",
        tmp_path / "old" / "results.json",
    ]
    assert source_names(paths) == ["old", "new", "baseline", "old (2)"]
