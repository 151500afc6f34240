"""What passes between the controlling process and the process of one cell."""

from __future__ import annotations

from typing import Literal

from deltabench.cells import Cell, Failure, Measurement, MemoryUse, Read, ReadPosition, Value
from deltabench.session.graph_session import GraphRequest, GraphSession, Survey
from deltabench.session.transcripts.transcript import Transcript
from deltabench.session.workload import Workload

# Every kind of session that can be sent to a cell's process.
AnySession = Workload | Transcript | GraphSession

THREAD_POOL_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TRACING_VARIABLES = (
    "LANGSMITH_TRACING",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_TRACING",
    "LANGCHAIN_TRACING_V2",
)


class Job(Value):
    """A cell with the workload that it names."""

    cell: Cell
    workload: AnySession


class GraphJob(Value):
    """A run of a user's graph beside the cells: a survey, or to record it to a file."""

    request: GraphRequest
    turns: int
    seed: int = 0
    record_to: str | None = None


class ColdJob(Value):
    """One cold read: a place in a thread that another process wrote."""

    cell: Cell
    workload: AnySession
    position: ReadPosition
    checkpoint_id: str
    updates_since_snapshot: int
    supersteps_since_snapshot: int


class ColdPlace(Value):
    """A place that cold reads of a cell go to."""

    position: ReadPosition
    checkpoint_id: str
    updates_since_snapshot: int
    supersteps_since_snapshot: int


class Event(Value):
    """One line that a cell's process writes: progress, or how it ended.

    `baseline` is sent when imports, building and warm-up are done; `turn` now and
    then after a turn, with the bytes serialized so far; `reading` before each read.
    """

    kind: Literal["baseline", "turn", "reading", "measured", "read", "surveyed", "failed"]
    turn: int = 0
    written_bytes: int = 0
    measurement: Measurement | None = None
    cold_places: tuple[ColdPlace, ...] = ()
    read: Read | None = None
    survey: Survey | None = None
    failure: Failure | None = None


NO_MEMORY_YET = MemoryUse(baseline_bytes=0, peak_bytes=0)
