"""Short real sessions for tests: Deep Agents on a real saver, followed by a tracker."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.cells import Durability, Policy
from deltabench.measure.metering import Meter, meter_saver
from deltabench.measure.tracking import Tracker
from deltabench.session.workload import Workload
from deltabench.subject.agent import AgentSubject, build_subject

if TYPE_CHECKING:
    from collections.abc import Collection

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.session.interface import Session

FULL = Policy()
WRITE = {"tool": "write_file", "chars": 300}


@dataclass(frozen=True, slots=True)
class Driven:
    """A session that was driven to its end."""

    subject: AgentSubject
    meter: Meter
    tracker: Tracker
    kept: list[str]
    live: dict[str, Any]

    @property
    def values(self) -> dict[str, Any]:
        """The state as it is read back."""
        values: dict[str, Any] = self.subject.graph.get_state(self.subject.config()).values
        return values


def delta(frequency: int) -> Policy:
    """Delta channels with a snapshot every so many updates."""
    return Policy(snapshot_frequency=frequency)


def small_workload(**fields: Any) -> Workload:
    """Give a workload of one small file a turn, or of what the fields say."""
    shape = {"user_chars": 60, "answer_chars": 80, "rounds": [{"calls": [WRITE]}], **fields}
    return Workload.model_validate({"name": "small", "title": "small", "turns": 1, **shape})


def drive(  # noqa: PLR0913 - one keyword per axis of a session
    saver: BaseCheckpointSaver[Any],
    policy: Policy,
    *,
    workload: Session | None = None,
    turns: int = 2,
    durability: Durability = "sync",
    wanted: Collection[int] = (),
) -> Driven:
    """Run the session on a metered saver, seeded, with a tracker that is told of every put."""
    workload = workload or small_workload()
    meter = Meter()
    meter_saver(saver, meter)
    subject = build_subject(workload, 7, policy, saver)
    kept: list[str] = []
    tracker = Tracker(
        channels=frozenset(channel.name for channel in subject.channels),
        wanted=frozenset(wanted),
        durability=durability,
        updates_through=workload.updates_through,
        keep=kept.append,
    )
    meter.after_put = tracker.after_put
    random.seed(7)
    live: dict[str, Any] = {}
    for turn in range(1, turns + 1):
        tracker.turn = turn
        live = subject.turn(turn, durability)
    return Driven(subject, meter, tracker, kept, live)
