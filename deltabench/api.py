"""The Python interface: `run` and `sweep`, as on the command line.

from deltabench import sweep
outcome = sweep(workloads=["B"], turns=[50], k=[10, 50])
outcome.frame[["policy", "total_bytes"]]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    import pandas as pd

    from deltabench.cells import Durability
    from deltabench.lab.job import AnySession
    from deltabench.lab.progress import Progress
    from deltabench.results.file import Results
    from deltabench.results.values import Summary
    from deltabench.session.graph_session import GraphRequest, GraphSession


@dataclass(frozen=True)
class Outcome:
    """Results, where they were saved, and the two views that everything is made from."""

    results: Results
    directory: Path | None = None

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per cell; `deltabench.results.frame` documents the columns."""
        from deltabench.results.frame import to_frame

        return to_frame(self.results)

    @cached_property
    def summary(self) -> Summary:
        """Medians, intervals and ratios of full to delta."""
        from deltabench.results.summary import summarize

        return summarize(self.results)


def run(
    workload: str = "B",
    *,
    turns: int | None = None,
    k: int | None = None,
    checkpointer: str = "memory",
    durability: Durability = "async",
    repeat: int = 1,
    seed: int = 0,
    out: Path | None = None,
    force: bool = False,
    postgres_url: str | None = None,
    executor: Executor | None = None,
    graph: GraphRequest | GraphSession | None = None,
) -> Outcome:
    """Measure one workload under full snapshots and under delta channels with one K.

    `turns` defaults to the workload's own number, `k` to what the installed Deep Agents
    uses. With `out`, results are saved there cell by cell. With `graph`, a user's own graph
    takes the place of the workload. Raises DeltabenchError for
    anything a caller can mend.
    """
    return sweep(
        workloads=[workload],
        turns=[] if turns is None else [turns],
        k=[installed_k() if k is None else k],
        checkpointers=[checkpointer],
        durability=durability,
        repeat=repeat,
        seed=seed,
        out=out,
        force=force,
        postgres_url=postgres_url,
        executor=executor,
        graph=graph,
    )


def sweep(
    workloads: Sequence[str] = ("B",),
    *,
    turns: Sequence[int] = (),
    k: Sequence[int] | None = None,
    checkpointers: Sequence[str] = ("memory",),
    durability: Durability = "async",
    repeat: int = 1,
    seed: int = 0,
    out: Path | None = None,
    resume: bool = False,
    force: bool = False,
    postgres_url: str | None = None,
    stall_seconds: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    command: str = "deltabench.sweep",
    exact: bool = False,
    timed: Sequence[int] = (),
    repeat_session: int = 1,
    anonymize: bool = False,
    graph: GraphRequest | GraphSession | None = None,
    keep_database: Path | None = None,
) -> Outcome:
    """Measure any number of workloads, turn counts, K and checkpointers.

    One full-snapshot cell of each group serves every K. `force` runs a plan that is
    estimated not to fit into memory or disk. With `exact` each group is run twice only,
    and the bytes of every K are derived; those in `timed` are run as well. Of transcripts
    `repeat_session` makes a longer thread, and `anonymize` replaces the content. With
    `graph`, a user's own graph is measured in place of workloads; it is surveyed first. With
    `keep_database` the SQLite database of each cell is kept in that directory.
    """
    from deltabench.estimate import refuse_beyond_means
    from deltabench.lab.lab import Lab
    from deltabench.lab.process import DEFAULT_STALL_SECONDS
    from deltabench.lab.progress import Progress as Silent
    from deltabench.plan import DEFAULT_SWEEP, Matrix, plan_cells
    from deltabench.results.derived import derive_rows
    from deltabench.results.file import FILE_NAME, save_results
    from deltabench.session.graph_session import GraphRequest

    loaded: dict[str, AnySession]
    if graph is None:
        loaded = load_workloads(workloads, repeat_session=repeat_session, anonymize=anonymize)
    else:
        surveyed = (
            survey_graph(graph, turns, seed=seed) if isinstance(graph, GraphRequest) else graph
        )
        loaded = {surveyed.name: surveyed}
    frequencies = tuple(DEFAULT_SWEEP if k is None else k)
    cells = plan_cells(
        Matrix(
            workloads=tuple(loaded.values()),
            turns=tuple(turns),
            frequencies=frequencies,
            checkpointers=tuple(dict.fromkeys(checkpointers)),
            durability=durability,
            repeats=repeat,
            seed=seed,
            exact=exact,
            timed=tuple(timed),
        )
    )
    if not force:
        refuse_beyond_means(cells, loaded)
    lab = Lab(
        progress=progress or Silent(),
        executor=executor,
        postgres_url=postgres_url,
        stall_seconds=stall_seconds or DEFAULT_STALL_SECONDS,
        keep_database=keep_database,
    )
    path = None if out is None else out / FILE_NAME
    results = lab.run(cells, loaded, command=command, path=path, resume=resume)
    if exact:
        results = results.model_copy(update={"derived": derive_rows(results.rows, frequencies)})
        if path is not None:
            save_results(results, path)
    return Outcome(results=results, directory=out)


def survey_graph(
    request: GraphRequest,
    turns: Sequence[int] = (),
    *,
    seed: int = 0,
    stall_seconds: float | None = None,
) -> GraphSession:
    """Run a user's graph twice, to see what it does and that it does the same again.

    `turns` are the lengths that will be asked for; the longest is run. The `notices` of
    the session say which channels are switched. Raises DeltabenchError when the graph
    cannot be measured.
    """
    from deltabench.lab.process import DEFAULT_STALL_SECONDS
    from deltabench.lab.surveying import survey

    return survey(
        request,
        max(turns, default=None),
        seed,
        stall_seconds=stall_seconds or DEFAULT_STALL_SECONDS,
    )


def installed_k() -> int:
    """The snapshot frequency that the installed Deep Agents uses for `messages`."""
    from deltabench.subject.agent import installed_frequency

    return installed_frequency()


def load_workloads(
    names: Sequence[str], *, repeat_session: int = 1, anonymize: bool = False
) -> dict[str, AnySession]:
    """Load workloads and transcripts by name or path.

    Raises DeltabenchError when two have one name: they cannot be told apart in results.
    """
    from deltabench.session.loading import load_session

    loaded: dict[str, AnySession] = {}
    for name in names:
        session = load_session(name, repeat_session=repeat_session, anonymize=anonymize)
        if session.name in loaded:
            message = f"two workloads are named {session.name!r}"
            raise DeltabenchError(message, hint="rename one of the files")
        loaded[session.name] = session
    return loaded
