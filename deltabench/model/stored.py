"""Recorded series that can be had at once: those that come with deltabench, and results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.errors import DeltabenchError
from deltabench.model.series import FixedBytes, Series

if TYPE_CHECKING:
    from deltabench.results.file import Results
    from deltabench.session.interface import Session

SHIPPED = Path(__file__).with_name("recorded")
# The versions that decide what a session stores.
DECIDING_PACKAGES = ("langgraph", "langgraph-checkpoint", "deepagents")


class Recording(Value):
    """A series, and what the same session stored under full snapshots.

    `full` holds the total at turns where it was counted; empty where full was not run.
    """

    workload: str
    workload_digest: str
    title: str
    packages: dict[str, str]
    series: Series
    full: tuple[FixedBytes, ...]

    @property
    def label(self) -> str:
        """The session in a few words."""
        return f"workload {self.workload}, {self.title}" if self.title else self.series.source


def shipped_recording(workload: Session, checkpointer: str) -> Recording | None:
    """The recording of a workload that comes with deltabench; None if there is none.

    A recording of another shape of the workload does not count as one of it.
    """
    path = SHIPPED / f"{workload.name.lower()}-{checkpointer}.json"
    if not path.is_file():
        return None
    recording = Recording.model_validate_json(path.read_text(encoding="utf-8"))
    return recording if recording.workload_digest == workload.digest else None


def recordings(results: Results) -> tuple[Recording, ...]:
    """Every recorded session of a results file, with its full row if that was measured."""
    found = []
    for row in results.rows:
        if row.measurement is None or row.measurement.series is None:
            continue
        full = next(
            (
                other.measurement.storage
                for other in results.rows
                if other.measurement
                and other.cell.group == row.cell.group
                and other.cell.policy.is_full
            ),
            (),
        )
        packages = results.environment.packages
        found.append(
            Recording(
                workload=row.cell.workload,
                workload_digest=row.cell.workload_digest,
                title=str(results.workloads.get(row.cell.workload, {}).get("title", "")),
                packages={name: packages[name] for name in DECIDING_PACKAGES if name in packages},
                series=row.measurement.series,
                full=tuple(FixedBytes(turn=s.turn, size_bytes=s.total_bytes) for s in full),
            )
        )
    return tuple(found)


def only_recording(
    results: Results, wanted: tuple[str | None, str | None], path: Path
) -> Recording:
    """The recording of a workload and a checkpointer, where these are named.

    The longest of several lengths. Raises DeltabenchError if there is none, or if several
    sessions are left to choose from.
    """
    workload, checkpointer = wanted
    found = [
        recording
        for recording in recordings(results)
        if workload in {None, recording.workload}
        and checkpointer in {None, recording.series.checkpointer}
    ]
    if not found:
        raise DeltabenchError(
            f"{path} holds no recorded session" + (f" of {workload}" if workload else ""),
            hint="deltabench sweep --exact records one",
        )
    names = dict.fromkeys(f"{r.workload} on {r.series.checkpointer}" for r in found)
    if len(names) > 1:
        raise DeltabenchError(
            f"{path} holds several recorded sessions: {', '.join(names)}",
            hint="choose with --workload and --checkpointer",
        )
    return max(found, key=lambda recording: recording.series.turns)
