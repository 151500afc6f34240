"""The process of one cell: `python -m deltabench.lab.worker`, a job on standard input."""

from __future__ import annotations

import sys
import warnings

from deltabench.cells import Failure
from deltabench.errors import DeltabenchError
from deltabench.lab.channel import Reporter
from deltabench.lab.job import ColdJob, Event, GraphJob, Job


def main() -> None:
    """Run the job to its end; whatever happens, the last event says how it ended."""
    reporter = Reporter()
    # Third parties warn about their own futures; the terminal belongs to the result.
    warnings.simplefilter("ignore")
    kind, _, text = sys.stdin.read().partition("\n")
    try:
        if kind == "cold":
            _cold(ColdJob.model_validate_json(text), reporter)
        elif kind == "graph":
            _graph(GraphJob.model_validate_json(text), reporter)
        else:
            _cell(Job.model_validate_json(text), reporter)
    except Exception as error:  # noqa: BLE001  # becomes a typed row, with its reason
        failure = getattr(error, "failure", None) or Failure(kind="error", reason=reason_of(error))
        reporter.send(Event(kind="failed", failure=failure))


def reason_of(error: Exception) -> str:
    """One line that says what went wrong."""
    if isinstance(error, DeltabenchError):
        return str(error)
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else 'no message'}"


def _cell(job: Job, reporter: Reporter) -> None:
    from deltabench.checkpointers.registry import backend_named
    from deltabench.lab.measurement import measure_cell

    with backend_named(job.cell.checkpointer).open() as opened:
        measure_cell(job, opened, reporter.send)


def _cold(job: ColdJob, reporter: Reporter) -> None:
    from deltabench.measure.cold import read_cold

    reporter.send(Event(kind="read", read=read_cold(job)))


def _graph(job: GraphJob, reporter: Reporter) -> None:
    def progress(turn: int) -> None:
        reporter.send(Event(kind="turn", turn=turn))

    if job.record_to is not None:
        from deltabench.measure.recording import record_session

        record_session(job.request, job.turns, job.record_to, progress)
        reporter.send(Event(kind="surveyed"))
        return
    from deltabench.measure.surveying import survey_graph

    survey = survey_graph(job.request, job.turns, job.seed, progress)
    reporter.send(Event(kind="surveyed", survey=survey))


if __name__ == "__main__":
    main()
