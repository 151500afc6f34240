"""A killed process loses no finished superstep, and a new one goes on where it ended."""

from __future__ import annotations

import random
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.verify.calls import calls_of
from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee, NotTriedError
from deltabench.verify.oracle.fresh import fresh_process
from deltabench.verify.probes import STEPS, stepper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.process import BaseProcess

    from deltabench.cells import Durability
    from deltabench.verify.oracle.side import Side
    from deltabench.verify.oracle.twins import Twins
    from deltabench.verify.places import Place
    from deltabench.verify.vocabulary import Mode

KILLS = 3
DEADLINE_SECONDS = 60.0


class DurableExecution(Guarantee):
    """Runs whose process is killed at random moments, and resumed by new processes."""

    name: ClassVar[str] = "durable-execution"
    promise: ClassVar[str] = (
        "After a crash a run goes on from its last finished superstep, and ends as if undisturbed."
    )
    source: ClassVar[str] = "langgraph durable execution"
    how: ClassVar[str] = (
        f"SIGKILL at {KILLS} seeded moments of {STEPS} supersteps, resumed in new processes; "
        "every superstep leaves a line in a file"
    )
    variants: ClassVar[tuple[Any, ...]] = ALL_VARIANTS[:4]

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each seed of the moments."""
        return {f"killed, seed {seed}": partial(_killed, seed) for seed in range(2)}


def _killed(seed: int, bench: Bench) -> None:
    with bench.twins(stepper) as twins, TemporaryDirectory() as directory:
        if not twins.full.place.outlives_process:
            raise NotTriedError("nothing outlives the process here")
        for side in twins.sides:
            trace = Path(directory) / ("full" if side is twins.full else "delta")
            trace.touch()
            _run_with_kills(bench, side, trace, seed)
            twins.begin(f"resume after {KILLS} kills")
            _judge(bench, twins, side, trace)
        values = [side.state(twins.config())["values"]["notes"] for side in twins.sides]
        twins.same(*values, observed="the final notes")


def _run_with_kills(bench: Bench, side: Side, trace: Path, seed: int) -> None:
    moments = sorted(random.Random(seed).sample(range(1, STEPS), KILLS))
    variant = bench.variant
    for moment in (*moments, None):
        arguments = (
            side.place.elsewhere(),
            side.snapshot_frequency,
            variant.mode,
            variant.durability,
            trace,
        )
        with fresh_process(_go_on, *arguments) as process:
            if moment is None:
                process.join(DEADLINE_SECONDS)
            else:
                _wait(process, trace, moment)
            process.kill()


def _judge(bench: Bench, twins: Twins, side: Side, trace: Path) -> None:
    """Hold the state against an undisturbed run, and what was run twice against the kills."""
    notes = side.state(twins.config())["values"].get("notes")
    twins.require([f"step {step}" for step in range(STEPS)], notes, observed="the final notes")
    steps = _steps(trace)
    twins.claim("every superstep was run", holds=set(steps) == set(range(STEPS)))
    if bench.variant.durability == "sync":
        # Only the superstep that a kill interrupted may have been begun before.
        twins.claim("no finished superstep was run twice", holds=len(steps) <= STEPS + KILLS)


def _steps(trace: Path) -> list[int]:
    lines = trace.read_text(encoding="utf-8").split("\n")[:-1]  # the last may be half a line
    return [int(line) for line in lines]


def _wait(process: BaseProcess, trace: Path, lines: int) -> None:
    end_seconds = time.monotonic() + DEADLINE_SECONDS
    while len(_steps(trace)) < lines and process.is_alive() and time.monotonic() < end_seconds:
        time.sleep(0.001)


def _go_on(
    place: Place, frequency: int | None, mode: Mode, durability: Durability, trace: Path
) -> None:
    """In another process: begin the run, or go on with it."""
    config: Any = {"configurable": {"thread_id": "thread"}, "recursion_limit": 4 * STEPS}
    calls = calls_of(mode)
    graph = stepper(calls.open(place), frequency)
    begun = calls.call(graph, "get_state", config).values.get("trace")
    calls.call(
        graph, "invoke", None if begun else {"trace": str(trace)}, config, durability=durability
    )
    calls.close()
