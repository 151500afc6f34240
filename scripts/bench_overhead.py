"""What the metering costs: a driven session against a bare loop over `agent.invoke`.

Both run the same turns of workload B with the same kind of saver, each in a process of
its own, bare and driven in turn (and the other way round in every second pair), so that
a machine that drifts favours neither. Prints the median of the paired ratios of wall time
with its 95 % interval, and that of CPU time, which a busy machine disturbs less. Exit
code 1 when a median of wall time is above 1.05.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deltabench.cells import Cell, Policy
from deltabench.lab.job import Job
from deltabench.lab.process import cell_environment, run_cell
from deltabench.plan import turn_marks
from deltabench.session.workload import load_workload

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

LIMIT = 1.05
SEED = 0


def main() -> None:
    """Run the pairs of every checkpointer and policy, or one side of a pair."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--checkpointer", choices=("memory", "sqlite"), action="append")
    parser.add_argument("--side", choices=("bare", "driven"), help=argparse.SUPPRESS)
    parser.add_argument("--k", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--pair", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        cell = _cell(options.checkpointer[0], options.k, options.turns, options.pair)
        print(json.dumps(_bare(cell) if options.side == "bare" else _driven(cell)))
        return
    worst = 0.0
    for checkpointer in options.checkpointer or ("memory", "sqlite"):
        for k in (None, 50):
            worst = max(worst, _compare(checkpointer, k, options.turns, options.pairs))
    sys.exit(worst > LIMIT)


def _compare(checkpointer: str, k: int | None, turns: int, pairs: int) -> float:
    from deltabench.results.statistics import bootstrap_interval, median

    wall, cpu = [], []
    for pair in range(pairs):
        sides = ("bare", "driven") if pair % 2 == 0 else ("driven", "bare")
        seconds = {side: _in_process(side, _cell(checkpointer, k, turns, pair)) for side in sides}
        wall.append(seconds["driven"][0] / seconds["bare"][0])
        cpu.append(seconds["driven"][1] / seconds["bare"][1])
    interval = bootstrap_interval(wall)
    bounds = f"{interval[0]:.3f} to {interval[1]:.3f}" if interval else "too few pairs"
    policy = Policy(snapshot_frequency=k).label
    print(
        f"B {turns} turns, {checkpointer}, {policy}: driven/bare {median(wall):.3f} "
        f"({bounds}, {pairs} pairs; CPU {median(cpu):.3f}), limit {LIMIT}",
        flush=True,
    )
    return median(wall)


def _in_process(side: str, cell: Cell) -> tuple[float, float]:
    command = [sys.executable, __file__, "--side", side, "--checkpointer", cell.checkpointer]
    k = cell.policy.snapshot_frequency
    command += [
        "--turns",
        str(cell.turns),
        "--pair",
        str(cell.repeat),
        *(["--k", str(k)] if k else []),
    ]
    # Both sides get the environment of a cell: the same hash seed and layout, or luck with
    # either would be taken for overhead.
    environment = cell_environment(Job(cell=cell, workload=load_workload(cell.workload)))
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    wall_seconds, cpu_seconds = json.loads(done.stdout)
    return wall_seconds, cpu_seconds


def _bare(cell: Cell) -> tuple[float, float]:
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.sqlite import SqliteSaver

    if cell.checkpointer == "memory":
        return _loop(cell, InMemorySaver())
    with tempfile.TemporaryDirectory() as directory:
        connection = sqlite3.connect(Path(directory) / "bare.sqlite", check_same_thread=False)
        spent_seconds = _loop(cell, SqliteSaver(connection))
        connection.close()
        return spent_seconds


def _loop(cell: Cell, saver: BaseCheckpointSaver[Any]) -> tuple[float, float]:
    from deltabench.lab.measurement import warm_up
    from deltabench.subject.agent import build_subject

    workload = load_workload(cell.workload)
    warm_up(Job(cell=cell, workload=workload))  # as the driven session has had one
    subject = build_subject(workload, cell.seed, cell.policy, saver)
    gc.collect()
    gc.freeze()
    random.seed(cell.seed)
    start_seconds, cpu_start_seconds = time.perf_counter(), time.process_time()
    for turn in range(1, cell.turns + 1):
        subject.turn(turn, cell.durability)
    return time.perf_counter() - start_seconds, time.process_time() - cpu_start_seconds


def _driven(cell: Cell) -> tuple[float, float]:
    row = run_cell(Job(cell=cell, workload=load_workload(cell.workload)))
    if row.measurement is None:
        sys.exit(f"the driven session failed: {row.failure}")
    return row.measurement.session_seconds, row.measurement.session_cpu_seconds


def _cell(checkpointer: str, k: int | None, turns: int, pair: int) -> Cell:
    workload = load_workload("B")
    return Cell(
        workload="B",
        workload_digest=workload.digest,
        turns=turns,
        policy=Policy(snapshot_frequency=k),
        checkpointer=checkpointer,
        durability="async",
        seed=SEED,
        repeat=pair,
        marks=turn_marks(turns),
        positions=(),
        read_samples=1,
        cold_samples=0,
    )


if __name__ == "__main__":
    main()
