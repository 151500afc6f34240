"""Runs a user's graph in processes of their own: twice to survey it, or once to record it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.lab.child import Child, StalledError
from deltabench.lab.job import TRACING_VARIABLES, Event, GraphJob
from deltabench.session.graph_session import GraphSession, Survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.session.graph_session import GraphRequest

DEFAULT_STALL_SECONDS = 300.0
_NOT_COMPARABLE = "so full snapshots and delta channels cannot be compared on it"


def survey(
    request: GraphRequest,
    turns: int | None,
    seed: int,
    *,
    stall_seconds: float = DEFAULT_STALL_SECONDS,
    progress: Callable[[int], None] = lambda _: None,
) -> GraphSession:
    """Run the session twice, under two hash seeds, and make a session of what was seen.

    Where real models may be asked, they are asked once: what they say is recorded beside
    the inputs and replayed from there, now and the next time. Raises DeltabenchError when
    it cannot run, or when the two runs differ.
    """
    length = request.check(turns)  # before a model is asked
    if request.allow_model_calls:
        request = _recorded_once(request, stall_seconds, progress)
    job = GraphJob(request=request, turns=length, seed=seed)
    first, second = (_surveyed(job, hash_seed, stall_seconds, progress) for hash_seed in (1, 2))
    difference = _difference(first, second)
    if difference:
        raise DeltabenchError(
            f"graph {request.spec!r} is not deterministic: two runs of the same inputs differ "
            f"in {difference}",
            hint=_NOT_COMPARABLE,
        )
    return GraphSession(
        name=request.name,
        title=f"your graph with {Path(request.inputs).name}",
        turns=job.turns,
        request=request,
        survey=first.model_copy(update={"apart_bytes": _most_apart(first, second)}),
    )


def record(
    request: GraphRequest,
    turns: int | None,
    place: str,
    *,
    stall_seconds: float = DEFAULT_STALL_SECONDS,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Record a session of the graph with its real models; gives the number of turns."""
    job = GraphJob(request=request, turns=request.check(turns), record_to=place)
    _ended(job, dict(os.environ), stall_seconds, progress)
    return job.turns


def recording_place(request: GraphRequest) -> Path:
    """Where the answers of real models are kept: beside the inputs, of which they are a part."""
    return Path(request.inputs).with_suffix(".session.json")


def _recorded_once(
    request: GraphRequest, stall_seconds: float, progress: Callable[[int], None]
) -> GraphRequest:
    place = recording_place(request)
    if not place.exists():
        real = request.model_copy(update={"repeat": 1, "channels": ()})
        record(real, None, str(place), stall_seconds=stall_seconds, progress=progress)
    return request.model_copy(update={"transcript": str(place), "allow_model_calls": False})


def _surveyed(
    job: GraphJob, hash_seed: int, stall_seconds: float, progress: Callable[[int], None]
) -> Survey:
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("LANGSMITH_", "LANGCHAIN_"))},
        **dict.fromkeys(TRACING_VARIABLES, "false"),
        "PYTHONHASHSEED": str(hash_seed),
    }
    event = _ended(job, environment, stall_seconds, progress)
    if event.survey is None:
        raise DeltabenchError("the survey of the graph gave nothing")
    return event.survey


def _ended(
    job: GraphJob,
    environment: dict[str, str],
    stall_seconds: float,
    progress: Callable[[int], None],
) -> Event:
    """The last event of a process; raises DeltabenchError when it is a failure."""
    last: Event | None = None
    with Child("deltabench.lab.worker", environment) as child:
        child.send(f"graph\n{job.model_dump_json()}")
        try:
            for line in child.lines(stall_seconds):
                last = Event.model_validate_json(line)
                if last.kind == "turn":
                    progress(last.turn)
            code = child.wait()
        except StalledError:
            turn = last.turn if last is not None else 0
            where = f"after turn {turn}" if turn else "before the first turn ended"
            raise DeltabenchError(
                f"the graph made no progress for {stall_seconds:.0f} s {where}",
                exit_code=ExitCode.CELL_FAILED,
            ) from None
        if last is not None and last.kind == "surveyed":
            return last
        if last is not None and last.failure is not None:
            raise DeltabenchError(last.failure.reason)
        line = child.last_error_line
        raise DeltabenchError(
            f"the process of the graph ended with code {code}{f': {line}' if line else ''}",
            exit_code=ExitCode.CELL_FAILED,
        )


def _difference(first: Survey, second: Survey) -> str | None:
    """The first thing that two runs of one session did not have in common."""
    for name in first.updates.keys() | second.updates.keys():
        pairs = zip(first.updates[name], second.updates[name], strict=True)
        for turn, (one, other) in enumerate(pairs, 1):
            if one != other:
                return f"the updates of {name} in turn {turn}: {one} and {other}"
    if first.supersteps != second.supersteps:
        return "the number of supersteps"
    # By convention what begins with an underscore is an agent's own, and may be random.
    for name in sorted(first.contents.keys() | second.contents.keys()):
        if not name.startswith("_") and first.contents.get(name) != second.contents.get(name):
            return f"the final value of {name}"
    return None


def _most_apart(first: Survey, second: Survey) -> int:
    pairs = zip(first.write_bytes, second.write_bytes, strict=True)
    return max((abs(one - other) for one, other in pairs), default=0)
