"""All guarantees, in the order in which they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.verify.guarantees.any_checkpointer import AnyCheckpointer
from deltabench.verify.guarantees.deep_agents import DeepAgents
from deltabench.verify.guarantees.durable_execution import DurableExecution
from deltabench.verify.guarantees.human_in_the_loop import HumanInTheLoop
from deltabench.verify.guarantees.long_term_memory import LongTermMemory
from deltabench.verify.guarantees.messages import Messages
from deltabench.verify.guarantees.migration import Migration
from deltabench.verify.guarantees.parallel_writers import ParallelWriters
from deltabench.verify.guarantees.retention import Retention
from deltabench.verify.guarantees.serialization import Serialization
from deltabench.verify.guarantees.streaming import Streaming
from deltabench.verify.guarantees.threads import Threads
from deltabench.verify.guarantees.time_travel import TimeTravel
from deltabench.verify.guarantees.update_state import UpdateState

if TYPE_CHECKING:
    from deltabench.verify.guarantees.interface import Guarantee

GUARANTEES: tuple[type[Guarantee], ...] = (
    DurableExecution,
    HumanInTheLoop,
    TimeTravel,
    UpdateState,
    Migration,
    ParallelWriters,
    Messages,
    DeepAgents,
    Streaming,
    Threads,
    Retention,
    LongTermMemory,
    Serialization,
    AnyCheckpointer,
)


def guarantee_named(name: str) -> Guarantee:
    """Give the guarantee of this name; an unknown one is an error that offers the names."""
    for guarantee in GUARANTEES:
        if guarantee.name == name:
            return guarantee()
    names = ", ".join(guarantee.name for guarantee in GUARANTEES)
    raise DeltabenchError(f"no guarantee named {name!r}", hint=names)
