"""The Python interface gives the results of the command line, and a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import deltabench
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.locations import workloads_directory
from deltabench.results.file import FILE_NAME, load_results

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench import Outcome


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A short sweep, saved."""
    out = tmp_path_factory.mktemp("sweep")
    return deltabench.sweep(["A"], turns=[3], k=[2, 5], checkpointers=["sqlite"], out=out)


def test_every_k_asked_for_has_its_row(outcome: Outcome) -> None:
    """One full cell and one for each K, all measured."""
    assert [row.cell.policy.label for row in outcome.results.rows] == ["full", "K=2", "K=5"]
    assert all(row.measurement for row in outcome.results.rows)
    assert outcome.summary.problems == ()


def test_the_frame_has_a_row_per_cell(outcome: Outcome) -> None:
    """Figures of the frame are those of the results."""
    assert list(outcome.frame["policy"]) == ["full", "K=2", "K=5"]
    measurement = outcome.results.rows[0].measurement
    assert measurement is not None
    assert outcome.frame["total_bytes"][0] == measurement.stored.total_bytes


def test_results_are_saved_where_asked(outcome: Outcome) -> None:
    """The file holds what was returned."""
    assert outcome.directory is not None
    assert load_results(outcome.directory / FILE_NAME) == outcome.results


def test_reads_are_at_the_phases_of_each_k(outcome: Outcome) -> None:
    """Right after a snapshot nothing is replayed; just before, K - 1 updates; full never."""
    full, *deltas = (row.measurement for row in outcome.results.rows)
    assert full is not None
    assert {read.updates_since_snapshot for read in full.reads} == {0}
    for delta in deltas:
        assert delta is not None
        k = delta.channels[0].snapshot_frequency
        assert k is not None
        for what in ("resume_warm", "resume_cold"):
            depths = {
                read.position.phase: read.updates_since_snapshot
                for read in delta.reads
                if read.what == what and read.position
            }
            assert depths["after_snapshot"] == 0
            assert depths["before_snapshot"] == k - 1
        assert {read.what for read in delta.reads} == {
            "resume_warm",
            "resume_cold",
            "history_10",
            "history_50",
            "time_travel",
        }


def test_snapshots_are_updates_over_k(outcome: Outcome) -> None:
    """Nothing is overwritten, so there are as many snapshots as K goes into the updates."""
    for row in outcome.results.rows[1:]:
        assert row.measurement is not None
        k = row.cell.policy.snapshot_frequency or 0
        for channel, updates in row.measurement.updates.items():
            assert row.measurement.snapshots.get(channel, 0) == updates // k


def test_k_of_one_costs_what_full_costs_in_memory() -> None:
    """The control: a snapshot at every update is a full snapshot, within 1 %."""
    results = deltabench.run("B", turns=4, k=1).results
    full, delta = (row.measurement for row in results.rows)
    assert full is not None
    assert delta is not None
    assert delta.stored.total_bytes == pytest.approx(full.stored.total_bytes, rel=0.01)


@pytest.mark.parametrize("durability", ["sync", "exit"])
def test_durability_is_an_axis(durability: str) -> None:
    """Every mode ends in the same state under both policies; exit keeps one checkpoint a turn."""
    outcome = deltabench.run("A", turns=3, k=5, durability=durability)  # type: ignore[arg-type]
    assert outcome.summary.problems == ()
    for row in outcome.results.rows:
        assert row.measurement is not None
        # Under delta a thread begins with one more, which its first writes hang on.
        few = (3,) if row.cell.policy.is_full else (3, 4)
        assert (row.measurement.stored.checkpoint_rows in few) == (durability == "exit")


def test_k_defaults_to_that_of_the_installed_deep_agents() -> None:
    """It is read from the library, so that it is right for any version."""
    from deepagents import create_deep_agent
    from langchain_core.language_models import GenericFakeChatModel
    from langgraph.channels import DeltaChannel

    agent = create_deep_agent(model=GenericFakeChatModel(messages=iter(())))
    channel = agent.channels["messages"]
    assert isinstance(channel, DeltaChannel)
    assert deltabench.api.installed_k() == channel.snapshot_frequency


def test_two_workloads_of_one_name_are_refused(tmp_path: Path) -> None:
    """Their results could not be told apart."""
    text = (workloads_directory() / "a.toml").read_text(encoding="utf-8")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(text)
    names = [str(tmp_path / folder / "mine.toml") for folder in ("one", "two")]
    with pytest.raises(DeltabenchError, match="two workloads are named 'mine'"):
        deltabench.sweep(names, turns=[1], k=[5])


def test_a_plan_beyond_means_is_refused() -> None:
    """The estimate comes first, whoever calls."""
    with pytest.raises(DeltabenchError, match="estimated") as caught:
        deltabench.run("B", turns=50_000, k=50)
    assert caught.value.exit_code is ExitCode.REFUSED
