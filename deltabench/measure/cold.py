"""Cold resume: the first read in a new process, of a thread that another process wrote.

The page cache of the operating system is left as it is: `cold` means a new process, a
database opened again and an agent built again, not an empty cache.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from deltabench.cells import Read
from deltabench.checkpointers.registry import backend_named
from deltabench.measure.metering import Meter, meter_saver, round_trips
from deltabench.subject.build import build

if TYPE_CHECKING:
    from deltabench.lab.job import ColdJob


def read_cold(job: ColdJob) -> Read | None:
    """Open the database, build the agent and read once, timing both parts.

    None when the thread is not there: the checkpointer does not outlive its process.
    """
    meter = Meter()
    start_ns = time.perf_counter_ns()
    with backend_named(job.cell.checkpointer).open() as opened:
        meter_saver(opened.saver, meter)
        cell = job.cell
        subject = build(job.workload, cell.seed, cell.policy, opened.saver)
        opened_ns = time.perf_counter_ns()
        calls, statements = meter.calls(), opened.statements()
        read_start_ns = time.perf_counter_ns()
        state = subject.graph.get_state(subject.config(checkpoint_id=job.checkpoint_id))
        read_ns = time.perf_counter_ns() - read_start_ns
        if not state.values:
            return None
        return Read(
            what="resume_cold",
            position=job.position,
            updates_since_snapshot=job.updates_since_snapshot,
            supersteps_since_snapshot=job.supersteps_since_snapshot,
            seconds=(read_ns / 1e9,),
            open_seconds=((opened_ns - start_ns) / 1e9,),
            round_trips=round_trips(calls, meter.calls(), (statements, opened.statements())),
        )
