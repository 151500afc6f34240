"""Tests of the results file: exact round trips, and one line for every kind of damage."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.results.file import SCHEMA_VERSION, Results, load_results, save_results
from tests.fakes import ENVIRONMENT, failed_row, fake_cell, fake_results, replace_row

if TYPE_CHECKING:
    from pathlib import Path

names = st.text(min_size=1, max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | names, lambda inner: st.lists(inner, max_size=3)
)


def test_a_round_trip_is_exact(tmp_path: Path) -> None:
    """What is loaded equals what was saved, to the last digit of every float."""
    results = replace_row(fake_results(repeats=2), 1, failed_row(fake_cell()))
    save_results(results, tmp_path / "results.json")
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]
    assert load_results(tmp_path / "results.json") == results
    assert load_results(tmp_path) == results


@given(workloads=st.dictionaries(names, st.dictionaries(names, json_values, max_size=3)))
def test_any_workload_and_command_survive(
    tmp_path_factory: pytest.TempPathFactory, workloads: dict[str, dict[str, object]]
) -> None:
    """Equal results give equal bytes whatever the order of their keys, and read back equal."""
    directory = tmp_path_factory.mktemp("round-trip")
    results = Results(
        tool_version="1", command="c", environment=ENVIRONMENT, workloads=workloads, rows=()
    )
    turned = results.model_copy(update={"workloads": dict(reversed(workloads.items()))})
    save_results(results, directory / "one.json")
    save_results(turned, directory / "two.json")
    assert (directory / "one.json").read_bytes() == (directory / "two.json").read_bytes()
    assert load_results(directory / "one.json") == results


def test_complete_means_that_every_row_has_an_end() -> None:
    """A failure completes a cell, a pending one does not."""
    results = fake_results()
    assert replace_row(results, 0, failed_row(fake_cell(None))).complete
    pending = results.rows[0].model_copy(update={"measurement": None})
    assert not replace_row(results, 0, pending).complete


def test_the_old_file_survives_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full, the old results are still there and no half file is left."""
    path = tmp_path / "results.json"
    save_results(fake_results(), path)
    before = path.read_bytes()

    def full(_descriptor: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeltabenchError, match="No space left on device") as caught:
        save_results(fake_results(repeats=2), path)
    assert caught.value.exit_code == ExitCode.REFUSED
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_unwritable_place_is_refused_in_one_line(tmp_path: Path) -> None:
    """A file where a directory should be is told with its place and a hint."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(DeltabenchError) as caught:
        save_results(fake_results(), tmp_path / "taken" / "results.json")
    assert caught.value.exit_code == ExitCode.REFUSED
    assert str(tmp_path / "taken") in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"schema_version": 1,\n "rows": [', "line 2, column 11: not valid JSON"),
        (b"\xff\xfe", "is not a JSON text"),
        (b'{"schema_version": NaN}', "is not a JSON text"),
        (b"[1, 2]", "is not a deltabench results file"),
        (b'{"name": "other"}', "is not a deltabench results file"),
        (b'{"schema_version": 1}', "tool_version: Field required"),
    ],
)
def test_damage_is_told_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    """Damaged and foreign files give one line that names the file and the place."""
    path = tmp_path / "results.json"
    path.write_bytes(content)
    with pytest.raises(DeltabenchError) as caught:
        load_results(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_newer_schema_asks_for_an_upgrade(tmp_path: Path) -> None:
    """Results of a later version are not guessed at."""
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema_version": SCHEMA_VERSION + 1}))
    with pytest.raises(DeltabenchError, match="written by a newer deltabench: upgrade"):
        load_results(path)


def test_a_missing_file_is_told_with_the_command_that_makes_one(tmp_path: Path) -> None:
    """A wrong path is the most likely mistake."""
    with pytest.raises(DeltabenchError, match=r"no results file at .*run and sweep write one"):
        load_results(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turns": "200"}, "rows.0.cell.turns: Input should be a valid integer"),
        ({"extra": 1}, "rows.0.cell.extra: Extra inputs are not permitted"),
    ],
)
def test_a_changed_row_is_told_with_its_place(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """A value of another type or an unknown key is damage, not something to convert."""
    path = tmp_path / "results.json"
    save_results(fake_results(), path)
    document = json.loads(path.read_text())
    document["rows"][0]["cell"] |= change
    path.write_text(json.dumps(document))
    with pytest.raises(DeltabenchError) as caught:
        load_results(path)
    assert message in str(caught.value)


def test_a_row_cannot_both_succeed_and_fail(tmp_path: Path) -> None:
    """A row with a measurement and a failure is refused instead of believed."""
    path = tmp_path / "results.json"
    save_results(fake_results(), path)
    document = json.loads(path.read_text())
    document["rows"][1]["failure"] = {"kind": "error", "reason": "x"}
    path.write_text(json.dumps(document))
    with pytest.raises(DeltabenchError, match=r"rows\.1: both a measurement and a failure"):
        load_results(path)
