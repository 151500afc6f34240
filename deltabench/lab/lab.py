"""Runs a plan: every cell in a fresh process, every finished cell saved at once."""

from __future__ import annotations

from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from deltabench.cells import Cell, Failure, Row
from deltabench.checkpointers.registry import backend_named
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.lab.job import AnySession, Job
from deltabench.lab.keeping import prepare_directory
from deltabench.lab.process import DEFAULT_STALL_SECONDS, run_cell
from deltabench.results.environment import collect_environment
from deltabench.results.file import Results, load_results, save_results

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from deltabench.lab.progress import Progress


@dataclass(frozen=True, slots=True)
class Lab:
    """How to run plans.

    `executor` may be any that can run `run_cell` elsewhere: on several processes when
    only bytes matter, or on a cluster. Without one, cells run here one at a time, which
    is what timings need. `postgres_url` never becomes part of a result. With `keep_database`
    the database of each cell is copied into that directory.
    """

    progress: Progress
    executor: Executor | None = None
    postgres_url: str | None = None
    stall_seconds: float = DEFAULT_STALL_SECONDS
    keep_database: Path | None = None

    def run(
        self,
        cells: tuple[Cell, ...],
        workloads: Mapping[str, AnySession],
        *,
        command: str,
        path: Path | None = None,
        resume: bool = False,
    ) -> Results:
        """Run what is not yet done and return everything.

        The file at `path` is written before the first cell and after every one, so that
        an interruption loses only the cell in flight; `resume` goes on with such a file.

        Raises DeltabenchError when a checkpointer cannot be had at all, when the file
        cannot be written, or when it is of another plan or of other versions.
        """
        if self.keep_database is not None:
            prepare_directory(self.keep_database, cells, resume=resume)
        for name in dict.fromkeys(cell.checkpointer for cell in cells):
            with backend_named(name, postgres_url=self.postgres_url).prepare():
                pass
        results = _continued(path, cells) if resume and path is not None else None
        if results is None:
            results = _fresh(cells, workloads, command)
        if path is not None:
            save_results(results, path)
        rows = list(results.rows)
        todo = [index for index, row in enumerate(rows) if row.measurement is None]
        self.progress.plan_started(cells, len(cells) - len(todo))
        try:
            for index, row in self._rows(todo, cells, workloads):
                rows[index] = row
                results = results.model_copy(update={"rows": tuple(rows)})
                if path is not None:
                    save_results(results, path)
                self.progress.cell_finished(row)
        finally:
            self.progress.plan_finished()
        return results

    def _rows(
        self, todo: Iterable[int], cells: tuple[Cell, ...], workloads: Mapping[str, AnySession]
    ) -> Iterator[tuple[int, Row]]:
        jobs = {i: Job(cell=cells[i], workload=workloads[cells[i].workload]) for i in todo}
        measure = partial(
            run_cell,
            postgres_url=self.postgres_url,
            stall_seconds=self.stall_seconds,
            keep_database=self.keep_database,
        )
        if self.executor is None:
            for index, job in jobs.items():
                self.progress.cell_started(job.cell)
                try:
                    row = measure(job, partial(self.progress.cell_event, job.cell))
                except DeltabenchError as error:
                    row = _failed(job.cell, error)
                yield index, row
            return
        futures = {self.executor.submit(measure, job): index for index, job in jobs.items()}
        for future in as_completed(futures):
            index = futures[future]
            try:
                yield index, future.result()
            except DeltabenchError as error:
                yield index, _failed(cells[index], error)


def _failed(cell: Cell, error: DeltabenchError) -> Row:
    return Row(cell=cell, failure=Failure(kind="error", reason=str(error)))


def _fresh(cells: tuple[Cell, ...], workloads: Mapping[str, AnySession], command: str) -> Results:
    return Results(
        tool_version=metadata.version("deltabench"),
        command=command,
        environment=collect_environment(),
        workloads={name: workload.specification() for name, workload in workloads.items()},
        rows=tuple(Row(cell=cell) for cell in cells),
    )


def _continued(path: Path, cells: tuple[Cell, ...]) -> Results | None:
    """The results to go on with; None when there is no file yet."""
    if not path.exists():
        return None
    results = load_results(path)
    if tuple(row.cell for row in results.rows) != cells:
        raise DeltabenchError(
            f"{path} holds another plan than the one asked for",
            hint="the same command with --resume, or another --out",
        )
    if results.environment.packages != collect_environment().packages:
        raise DeltabenchError(
            f"{path} was begun with other package versions",
            hint="begin again with another --out",
            exit_code=ExitCode.NOT_COMPARABLE,
        )
    rows = (row if row.measurement else Row(cell=row.cell) for row in results.rows)
    return results.model_copy(update={"rows": tuple(rows)})
