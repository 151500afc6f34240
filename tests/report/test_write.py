"""Tests of the report directory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.report.write import json_summary, write_report
from deltabench.results.summary import summarize
from tests.fakes import fake_results

if TYPE_CHECKING:
    from pathlib import Path


def test_one_k_writes_the_files_that_it_can(tmp_path: Path) -> None:
    """The plot over K needs two K: it is not drawn, and report.md says why."""
    written = write_report(fake_results(), tmp_path)
    assert [path.name for path in written] == [
        "results.csv",
        "report.md",
        "report.html",
        *(
            f"{plot}.{kind}"
            for plot in ("storage", "ratio", "parts", "turns", "resume")
            for kind in ("png", "svg")
        ),
    ]
    assert all(path.exists() for path in written)
    assert "fewer than two K gave a result" in (tmp_path / "report.md").read_text()


def test_every_linked_plot_is_there_and_every_group_has_its_own(tmp_path: Path) -> None:
    """With several groups the names of the files tell them apart."""
    written = write_report(fake_results(ks=(10, 50), workloads=("A", "./b.toml")), tmp_path)
    names = {path.name for path in written}
    assert {"storage-a-200-memory-async.png", "frequency-b-toml-200-memory-async.svg"} <= names
    assert len(names) == 3 + 2 * 7 * 2
    links = [
        line.split("(")[1].rstrip(")")
        for line in (tmp_path / "report.md").read_text().splitlines()
        if line.startswith("![")
    ]
    assert len(links) == 14
    assert set(links) <= names


def test_a_report_written_twice_is_the_same_to_the_byte(tmp_path: Path) -> None:
    """Nothing in it depends on the time or on chance."""
    first = {path.name: path.read_bytes() for path in write_report(fake_results(), tmp_path)}
    again = {path.name: path.read_bytes() for path in write_report(fake_results(), tmp_path)}
    assert first == again


def test_a_plot_of_an_earlier_report_does_not_stay(tmp_path: Path) -> None:
    """A stale plot beside new figures would be believed."""
    write_report(fake_results(ks=(10, 50)), tmp_path)
    assert (tmp_path / "frequency.png").exists()
    write_report(fake_results(), tmp_path)
    assert not (tmp_path / "frequency.png").exists()


def test_an_unwritable_directory_is_refused_in_one_line(tmp_path: Path) -> None:
    """The measurements are safe, and the message says so."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(DeltabenchError, match=r"results\.json is unharmed") as caught:
        write_report(fake_results(), tmp_path / "taken")
    assert caught.value.exit_code == ExitCode.REFUSED


def test_json_is_the_summary() -> None:
    """Machines read the same value that people see rendered."""
    results = fake_results()
    assert json.loads(json_summary(results)) == json.loads(summarize(results).model_dump_json())
