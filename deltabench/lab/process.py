"""Runs one cell in a fresh process and gives back its row, whatever becomes of it."""

from __future__ import annotations

import os
import random
import re
import signal
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from deltabench.cells import Durability, Failure, MemoryUse, Read, Row
from deltabench.checkpointers.registry import backend_named
from deltabench.lab.child import Child, StalledError
from deltabench.lab.job import (
    THREAD_POOL_VARIABLES,
    TRACING_VARIABLES,
    ColdJob,
    ColdPlace,
    Event,
    Job,
)
from deltabench.lab.keeping import kept_file
from deltabench.measure.memory import MemoryWatch

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_STALL_SECONDS = 300.0
THREAD_GONE = "a new process found no thread in the database"
NO_COLD_READS = "no cold resume: the checkpointer does not outlive its process"
FIRST_WITHOUT_HANG = (1, 2, 15)
_PADDING_CHARS = 4096

OnEvent = Callable[[Event], None]


@dataclass(slots=True)
class _Run:
    """One process that has ended: the last event it sent, and how it ended."""

    last: Event | None = None
    stalled: bool = False
    memory: MemoryUse | None = None
    return_code: int = 0
    error_line: str = ""


def run_cell(
    job: Job,
    on_event: OnEvent | None = None,
    *,
    postgres_url: str | None = None,
    stall_seconds: float = DEFAULT_STALL_SECONDS,
    keep_database: Path | None = None,
) -> Row:
    """Measure one cell in a process of its own.

    A failure of the cell becomes a failed row. `stall_seconds` without any sign of
    progress ends the process: langgraph 1.2.0 to 1.2.14 can hang in a plain `invoke`.
    The database of a measured cell is copied into the directory `keep_database`.
    Raises DeltabenchError when the cell cannot even start (no database, no extra).
    """
    backend = backend_named(job.cell.checkpointer, postgres_url=postgres_url)
    with backend.prepare() as place:
        environment = cell_environment(job) | place
        run = _run(f"cell\n{job.model_dump_json()}", environment, on_event, stall_seconds)
        if run.last is None or run.last.measurement is None or run.memory is None:
            return Row(cell=job.cell, failure=_failure(run, stall_seconds, job.cell.durability))
        if keep_database is not None:
            backend.copy_database(place, kept_file(keep_database, job.cell))
        measurement = run.last.measurement.model_copy(update={"memory": run.memory})
        if backend.outlives_process is False or not job.cell.cold_samples:
            return Row(cell=job.cell, measurement=measurement)
        cold = _cold_reads(job, run.last.cold_places, environment, on_event, stall_seconds)
        if isinstance(cold, Failure):
            return Row(cell=job.cell, failure=cold)
        if cold is None:
            if backend.outlives_process:
                return Row(cell=job.cell, failure=Failure(kind="error", reason=THREAD_GONE))
            notes = (*measurement.notes, NO_COLD_READS)
            measurement = measurement.model_copy(update={"notes": notes})
            return Row(cell=job.cell, measurement=measurement)
        update = {"reads": (*measurement.reads, *cold)}
        return Row(cell=job.cell, measurement=measurement.model_copy(update=update))


def cell_environment(job: Job) -> dict[str, str]:
    """The environment of a cell's process.

    Nothing is traced to anywhere, numeric libraries use one thread, the hash seed
    follows from seed and repeat, and the size of the environment varies by repeat so
    that memory layout luck averages out.
    """
    cell = job.cell
    padding = random.Random(f"{cell.seed}:{cell.repeat}").randrange(_PADDING_CHARS)
    return {
        **{k: v for k, v in os.environ.items() if not k.startswith(("LANGSMITH_", "LANGCHAIN_"))},
        **dict.fromkeys(TRACING_VARIABLES, "false"),
        **dict.fromkeys(THREAD_POOL_VARIABLES, "1"),
        "PYTHONHASHSEED": str((cell.seed + cell.repeat) % 2**32),
        "DELTABENCH_PADDING": "x" * padding,
    }


def _cold_reads(
    job: Job,
    places: tuple[ColdPlace, ...],
    environment: dict[str, str],
    on_event: OnEvent | None,
    stall_seconds: float,
) -> list[Read] | Failure | None:
    """Read every place in new processes; None when the thread is not there."""
    samples: dict[int, list[Read]] = defaultdict(list)
    for _ in range(job.cell.cold_samples):
        for index, place in enumerate(places):
            cold = ColdJob(cell=job.cell, workload=job.workload, **dict(place))
            if on_event is not None:
                on_event(Event(kind="reading", turn=job.cell.turns))
            run = _run(f"cold\n{cold.model_dump_json()}", environment, None, stall_seconds)
            if run.last is None or run.last.kind != "read":
                return _failure(run, stall_seconds, job.cell.durability)
            if run.last.read is None:
                return None
            samples[index].append(run.last.read)
    return [
        reads[0].model_copy(
            update={
                "seconds": tuple(read.seconds[0] for read in reads),
                "open_seconds": tuple(read.open_seconds[0] for read in reads),
            }
        )
        for reads in samples.values()
    ]


def _run(
    text: str, environment: dict[str, str], on_event: OnEvent | None, stall_seconds: float
) -> _Run:
    run = _Run()
    with Child("deltabench.lab.worker", environment) as child:
        watch = MemoryWatch(child.process.pid)
        child.send(text)
        try:
            for line in child.lines(stall_seconds):
                run.last = event = Event.model_validate_json(line)
                if event.kind == "baseline":
                    watch.baseline()
                elif on_event is not None and event.kind in {"turn", "reading"}:
                    on_event(event)
            run.return_code = child.wait()
        except StalledError:
            run.stalled = True
        finally:
            run.memory = watch.stop()
        run.error_line = child.last_error_line
    return run


def _known_hang(durability: Durability) -> str:
    """What to do about the hang that langgraph 1.2.0 to 1.2.14 has in a plain `invoke`."""
    version = tuple(int(part) for part in re.findall(r"\d+", metadata.version("langgraph"))[:3])
    if durability == "async" and version < FIRST_WITHOUT_HANG:
        first = ".".join(map(str, FIRST_WITHOUT_HANG))
        return f" (this langgraph can hang: use --durability sync, or langgraph {first} or newer)"
    return ""


def _failure(run: _Run, stall_seconds: float, durability: Durability) -> Failure:
    if run.stalled:
        turn = run.last.turn if run.last is not None else 0
        where = f"after turn {turn}" if turn else "before the first turn ended"
        reason = f"no progress for {stall_seconds:.0f} s {where}; the process was ended"
        return Failure(kind="timeout", reason=reason + _known_hang(durability))
    if run.last is not None and run.last.failure is not None:
        return run.last.failure
    if run.return_code < 0:
        hint = ": out of memory?" if run.return_code == -signal.SIGKILL else ""
        return Failure(
            kind="killed", reason=f"the process was ended by signal {-run.return_code}{hint}"
        )
    reason = f"the process ended with code {run.return_code}"
    line = run.error_line
    return Failure(kind="error", reason=f"{reason}: {line}" if line else reason)
