"""Records the series that come with deltabench: A and B on every checkpointer, 50 turns.

`deltabench forecast` and `recommend` answer from these at once. Run it again when a
workload or the versions of requirements.lock change.
"""

from __future__ import annotations

from deltabench.api import sweep
from deltabench.model.stored import SHIPPED, recordings

TURNS = 50
CHECKPOINTERS = ("memory", "sqlite", "postgres")


def main() -> None:
    """Record, and write one file for each workload and checkpointer."""
    outcome = sweep(["A", "B"], turns=[TURNS], k=[50], checkpointers=CHECKPOINTERS, exact=True)
    if outcome.summary.problems:
        raise SystemExit("\n".join(problem.reason for problem in outcome.summary.problems))
    SHIPPED.mkdir(exist_ok=True)
    for recording in recordings(outcome.results):
        name = f"{recording.workload.lower()}-{recording.series.checkpointer}.json"
        path = SHIPPED / name
        path.write_text(recording.model_dump_json() + "\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
