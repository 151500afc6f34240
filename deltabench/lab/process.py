"""Runs one cell in a fresh process and gives back its row, whatever becomes of it."""

from __future__ import annotations

import os
import queue
import random
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO

import psutil

from deltabench.cells import Failure, MemoryUse, Read, Row
from deltabench.checkpointers.registry import backend_named
from deltabench.lab.job import (
    THREAD_POOL_VARIABLES,
    TRACING_VARIABLES,
    ColdJob,
    ColdPlace,
    Event,
    Job,
)
from deltabench.measure.memory import MemoryWatch

DEFAULT_STALL_SECONDS = 300.0
_PADDING_CHARS = 4096
_ERROR_TAIL_CHARS = 300

OnEvent = Callable[[Event], None]


@dataclass(slots=True)
class _Run:
    """One process: the events it sends, and the memory it used."""

    last: Event | None = None
    stalled: bool = False
    memory: MemoryUse | None = None
    return_code: int | None = None
    error_tail: str = field(default="")


def run_cell(
    job: Job,
    on_event: OnEvent | None = None,
    *,
    postgres_url: str | None = None,
    stall_seconds: float = DEFAULT_STALL_SECONDS,
) -> Row:
    """Measure one cell in a process of its own.

    A failure of the cell becomes a failed row. `stall_seconds` without any sign of
    progress ends the process: langgraph 1.2.0 to 1.2.14 can hang in a plain `invoke`.
    Raises DeltabenchError when the cell cannot even start (no database, no extra).
    """
    backend = backend_named(job.cell.checkpointer, postgres_url=postgres_url)
    with backend.prepare() as place:
        environment = cell_environment(job) | place
        run = _run(f"cell\n{job.model_dump_json()}", environment, on_event, stall_seconds)
        if run.last is None or run.last.measurement is None or run.memory is None:
            return Row(cell=job.cell, failure=_failure(run, stall_seconds))
        measurement = run.last.measurement.model_copy(update={"memory": run.memory})
        if not backend.outlives_process or not job.cell.cold_samples:
            return Row(cell=job.cell, measurement=measurement)
        cold = _cold_reads(job, run.last.cold_places, environment, on_event, stall_seconds)
        if isinstance(cold, Failure):
            return Row(cell=job.cell, failure=cold)
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
) -> list[Read] | Failure:
    samples: dict[int, list[Read]] = defaultdict(list)
    for _ in range(job.cell.cold_samples):
        for index, place in enumerate(places):
            cold = ColdJob(cell=job.cell, workload=job.workload, **dict(place))
            if on_event is not None:
                on_event(Event(kind="reading", turn=job.cell.turns))
            run = _run(f"cold\n{cold.model_dump_json()}", environment, None, stall_seconds)
            if run.last is None or run.last.read is None:
                return _failure(run, stall_seconds)
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
    with _started(environment) as process:
        watch = MemoryWatch(process.pid)
        errors = _drain(process)
        with suppress(BrokenPipeError):  # it ended at once; its return code tells
            _pipe(process.stdin).write(text)
            _pipe(process.stdin).close()
        for event in _events(process, stall_seconds, run):
            run.last = event
            if event.kind == "baseline":
                watch.baseline()
            elif on_event is not None and event.kind in {"turn", "reading"}:
                on_event(event)
        if run.stalled:
            _kill(process)
        run.memory = watch.stop()
        run.return_code = process.wait()
        run.error_tail = "".join(errors)[-_ERROR_TAIL_CHARS:]
    return run


@contextmanager
def _started(environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "deltabench.lab.worker"]
    process = subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # Ctrl-C reaches this process only, which ends the cell
    )
    try:
        yield process
    finally:
        _kill(process)


def _events(process: subprocess.Popen[str], stall_seconds: float, run: _Run) -> Iterator[Event]:
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in _pipe(process.stdout):
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=stall_seconds)
        except queue.Empty:
            run.stalled = True
            return
        if line is None:
            return
        yield Event.model_validate_json(line)


def _drain(process: subprocess.Popen[str]) -> list[str]:
    collected: list[str] = []

    def read() -> None:
        for line in _pipe(process.stderr):
            collected.append(line)
            del collected[:-50]

    threading.Thread(target=read, daemon=True).start()
    return collected


def _pipe(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise TypeError("the process was started without this pipe")
    return stream


def _failure(run: _Run, stall_seconds: float) -> Failure:
    if run.stalled:
        turn = run.last.turn if run.last is not None else 0
        where = f"after turn {turn}" if turn else "before the first turn ended"
        reason = f"no progress for {stall_seconds:.0f} s {where}; the process was ended"
        return Failure(kind="timeout", reason=reason)
    if run.last is not None and run.last.failure is not None:
        return run.last.failure
    if run.return_code is not None and run.return_code < 0:
        hint = ": out of memory?" if run.return_code == -signal.SIGKILL else ""
        return Failure(
            kind="killed", reason=f"the process was ended by signal {-run.return_code}{hint}"
        )
    tail = run.error_tail.strip().splitlines()
    reason = f"the process ended with code {run.return_code}"
    return Failure(kind="error", reason=f"{reason}: {tail[-1]}" if tail else reason)


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is not None:
        return
    with suppress(psutil.NoSuchProcess):
        for member in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                member.kill()
    process.kill()
    process.wait()
