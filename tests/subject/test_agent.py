"""The subject: the installed Deep Agents, driven turn by turn."""

from __future__ import annotations

import deepagents
import pytest
from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.errors import DeltabenchError
from deltabench.subject.agent import build_subject, installed_frequency
from deltabench.subject.interface import THREAD_ID
from tests.subject.short_session import FULL, WRITE, delta, drive, small_workload


def test_frequency_is_that_of_the_installed_library() -> None:
    """The installed K is read from a fresh agent, and switching another agent leaves it."""
    saver = InMemorySaver()
    subject = build_subject(small_workload(), 0, delta(installed_frequency() + 1), saver)
    fresh = deepagents.create_deep_agent(model=subject.model).channels["messages"]
    assert isinstance(fresh, DeltaChannel)
    assert installed_frequency() == fresh.snapshot_frequency


def test_libraries_without_delta_channels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Deep Agents whose messages are no delta channel is refused with what is needed."""
    subject = build_subject(small_workload(), 0, FULL, InMemorySaver())
    assert isinstance(subject.graph.channels["messages"], BinaryOperatorAggregate)
    monkeypatch.setattr("deltabench.subject.agent.create_deep_agent", lambda **_: subject.graph)
    with pytest.raises(DeltabenchError, match=r"deepagents 0\.6\.0 or newer"):
        installed_frequency()


def test_agents_do_not_share_channels() -> None:
    """The policy of one agent does not reach another that was built before or after."""
    before = build_subject(small_workload(), 0, delta(3), InMemorySaver())
    build_subject(small_workload(), 0, FULL, InMemorySaver())
    after = build_subject(small_workload(), 0, delta(5), InMemorySaver())
    assert before.graph.channels["messages"].snapshot_frequency == 3  # type: ignore[union-attr]
    assert after.graph.channels["messages"].snapshot_frequency == 5  # type: ignore[union-attr]


def test_config_names_thread_and_checkpoint() -> None:
    """Without a checkpoint the thread is read at its end, with one exactly there."""
    driven = drive(InMemorySaver(), FULL, turns=2)
    graph, config = driven.subject.graph, driven.subject.config
    history = list(graph.get_state_history(config()))
    assert graph.get_state(config()).values == history[0].values
    some = history[3]
    checkpoint_id = some.config["configurable"]["checkpoint_id"]
    assert graph.get_state(config(checkpoint_id=checkpoint_id)).values == some.values
    assert config()["configurable"] == {"thread_id": THREAD_ID}
    assert graph.get_state(config("another")).values == {}


def test_threads_are_apart() -> None:
    """A turn in another thread leaves the measured thread as it was."""
    driven = drive(InMemorySaver(), FULL, turns=1)
    driven.subject.turn(1, "sync", thread_id="warm-up")
    assert driven.values == driven.live


def test_many_rounds_are_no_endless_loop() -> None:
    """A turn of more supersteps than langgraph allows by default runs to its end."""
    workload = small_workload(rounds=[{"calls": [WRITE]}] * 40)
    driven = drive(InMemorySaver(), FULL, workload=workload, turns=1)
    assert len(driven.live["messages"]) == workload.updates_per_turn
    assert driven.tracker.checkpoints > 80
