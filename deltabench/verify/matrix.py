"""Tries guarantees on checkpointers, each pair in a process of its own, under a watchdog."""

from __future__ import annotations

import logging
import multiprocessing
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.verify.known import explained, load_known
from deltabench.verify.vocabulary import CaseResult, Latency, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from multiprocessing.connection import Connection

    from deltabench.verify.guarantees.interface import Guarantee
    from deltabench.verify.own_graph.request import OwnGraph
    from deltabench.verify.places import Change

DEFAULT_JOBS = 2
# Without a word from a cell for so long, its process is ended.
STALL_SECONDS = 120.0

OnCase = Callable[[str, str, CaseResult], None]
OnVerdict = Callable[[Verdict], None]


@dataclass(frozen=True, slots=True)
class Matrix:
    """What to try, and how.

    `quick` takes the first variant of each guarantee only. `change` plants a fault into
    the savers of the delta twins. `own` is what `your-graph` is about.
    """

    guarantees: tuple[str, ...]
    checkpointers: tuple[str, ...]
    quick: bool = False
    postgres_url: str | None = None
    jobs: int = DEFAULT_JOBS
    stall_seconds: float = STALL_SECONDS
    change: Change | None = None
    own: OwnGraph | None = None


def run_matrix(matrix: Matrix, on_case: OnCase, on_verdict: OnVerdict) -> tuple[Verdict, ...]:
    """Try every pair, `jobs` at a time; gives a verdict each, in the order of the matrix.

    A process that dies or hangs leaves the verdict that its pair was not tried, and the
    rest goes on.
    """
    url, reason = _server(matrix)

    def tried(pair: tuple[str, str]) -> Verdict:
        guarantee, checkpointer = pair
        if checkpointer == "postgres" and reason:
            verdict = Verdict(
                guarantee=guarantee, checkpointer=checkpointer, status="not_tried", reason=reason
            )
        else:
            verdict = _cell(matrix, guarantee, checkpointer, url, on_case)
        on_verdict(verdict)
        return verdict

    pairs = [(g, c) for g in matrix.guarantees for c in matrix.checkpointers]
    with ThreadPoolExecutor(matrix.jobs) as pool:
        # Memory takes least: in the end no process works on alone for long.
        longest_first = sorted(pairs, key=lambda pair: pair[1] == "memory")
        started = {pair: pool.submit(tried, pair) for pair in longest_first}
        return tuple(started[pair].result() for pair in pairs)


def judge(guarantee: str, checkpointer: str, results: Iterable[CaseResult]) -> Verdict:
    """The verdict that follows from what the cases gave."""
    known = load_known()
    cases = tuple(explained(guarantee, result, known) for result in results)
    status: Status = "holds"
    reason = ""
    if any(case.fails for case in cases):
        status = "fails"
    elif any(case.differences for case in cases):
        status = "differs"
    elif all(case.not_tried for case in cases):
        status = "not_tried"
        reason = next((case.not_tried for case in cases if case.not_tried), "it has no case here")
    return Verdict(
        guarantee=guarantee,
        checkpointer=checkpointer,
        status=status,
        reason=reason,
        cases=cases,
        latency=_together([case.latency for case in cases if case.latency]),
    )


def _together(latencies: list[Latency]) -> Latency | None:
    if not latencies:
        return None
    return Latency(
        what=latencies[0].what,
        full_seconds=tuple(s for latency in latencies for s in latency.full_seconds),
        delta_seconds=tuple(s for latency in latencies for s in latency.delta_seconds),
    )


def _server(matrix: Matrix) -> tuple[str | None, str]:
    """The address of the one server for all cells, or why there is none."""
    if matrix.postgres_url or "postgres" not in matrix.checkpointers:
        return matrix.postgres_url, ""
    from deltabench.checkpointers.embedded import embedded_url

    try:
        return embedded_url(), ""
    except DeltabenchError as error:
        return None, str(error)


def _cell(
    matrix: Matrix, guarantee: str, checkpointer: str, url: str | None, on_case: OnCase
) -> Verdict:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_try, args=(theirs, matrix, guarantee, checkpointer, url))
    process.start()
    theirs.close()
    results: list[CaseResult] = []
    broken = ""
    try:
        while ours.poll(matrix.stall_seconds):
            message = ours.recv()
            if message is None:
                break
            if isinstance(message, str):
                broken = message
                break
            results.append(message)
            on_case(guarantee, checkpointer, message)
        else:
            after = f" after case {results[-1].case!r}" if results else ""
            broken = f"no answer for {matrix.stall_seconds:.0f} s{after}; the process was ended"
    except EOFError:
        broken = "the process ended without an answer"
    finally:
        process.kill()
        process.join()
        ours.close()
    verdict = judge(guarantee, checkpointer, results)
    if broken and verdict.status != "fails":
        return verdict.model_copy(update={"status": "not_tried", "reason": broken})
    return verdict


def _try(
    pipe: Connection, matrix: Matrix, guarantee: str, checkpointer: str, url: str | None
) -> None:
    from deltabench.verify.cell import try_guarantee
    from deltabench.verify.guarantees.registry import guarantee_named
    from deltabench.verify.own_graph.guarantee import NAME, YourGraph

    # What runtimes under trial print is not for the terminal of the one who asked.
    warnings.simplefilter("ignore")
    logging.disable()
    own = matrix.own if guarantee == NAME else None
    tried: Guarantee = YourGraph(own) if own is not None else guarantee_named(guarantee)
    variants = tried.variants[:1] if matrix.quick else tried.variants
    try:
        for result in try_guarantee(
            tried, checkpointer, variants, postgres_url=url, change=matrix.change
        ):
            pipe.send(result)
    except Exception as error:  # noqa: BLE001 - becomes the reason of the verdict
        # Only the kind: a message may quote an address with its password.
        pipe.send(f"a case ended in {type(error).__name__}")
    else:
        pipe.send(None)
