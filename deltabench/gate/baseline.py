"""A baseline: results reduced to what the gate needs, and what accepting one would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Row, Value
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.figures import change_text
from deltabench.gate.judge import cell_findings
from deltabench.gate.metrics import Kind, all_metrics
from deltabench.gate.rules import middle, told
from deltabench.gate.verdicts import Key
from deltabench.results.statistics import median

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.cells import Measurement, Read
    from deltabench.gate.metrics import Metric
    from deltabench.gate.sides import Column, Side
    from deltabench.results.file import Results

# Sample times below a microsecond say nothing here, and their digits would fill the file.
_DECIMALS = 6
_READ_DECIMALS = 9


class Change(Value):
    """A figure that accepting would change; None where one side does not have it."""

    key: Key
    metric: str
    old: str | None
    new: str | None
    change: str


def refuse_incomplete(side: Side) -> None:
    """A baseline with holes could never be passed; DeltabenchError with CELL_FAILED."""
    problem = next(cell_findings(side), None)
    if problem is not None or not side.columns:
        found = f"{problem.place}: {problem.found}" if problem else "no cells"
        message = f"{side.name} cannot be a baseline: {found}"
        hint = "mend the cause and measure again"
        raise DeltabenchError(message, hint=hint, exit_code=ExitCode.CELL_FAILED)


def reduce(results: Results) -> Results:
    """Keep what rules read: ends instead of marks, one time per read, times in microseconds."""
    rows = tuple(
        Row(cell=row.cell, measurement=_reduced(row.measurement))
        for row in results.rows
        if row.measurement and not row.cell.records
    )
    return results.model_copy(update={"rows": rows, "derived": ()})


def _reduced(measurement: Measurement) -> Measurement:
    end = measurement.stored.model_copy(update={"channels": ()})
    return measurement.model_copy(
        update={
            "storage": (end,),
            "turn_seconds": tuple(round(s, _DECIMALS) for s in measurement.turn_seconds),
            "reads": tuple(_reduced_read(read) for read in measurement.reads),
            "notes": (),
        }
    )


def _reduced_read(read: Read) -> Read:
    middle_seconds = (round(median(read.seconds), _READ_DECIMALS),) if read.seconds else ()
    return read.model_copy(update={"seconds": middle_seconds, "open_seconds": ()})


def changes(new: Side, old: Side | None) -> Iterator[Change]:
    """What accepting would change, column by column; without an old one, the main figures."""
    theirs = old.columns if old else {}
    for key in dict.fromkeys([*new.columns, *theirs]):
        for metric in all_metrics().values():
            if key.policy.is_full and metric.kind in {Kind.RATIO, Kind.TIMED}:
                continue
            if (key not in theirs or key not in new.columns) and metric.name != _MAIN:
                continue  # a whole column that comes or goes is one line
            before, after = told(metric, theirs.get(key)), told(metric, new.columns.get(key))
            if before != after:
                change = _change(metric, theirs.get(key), new.columns.get(key))
                yield Change(key=key, metric=metric.name, old=before, new=after, change=change)


_MAIN = "total_bytes"


def _change(metric: Metric, before: Column | None, after: Column | None) -> str:
    if before is None or after is None:
        return "new" if before is None else "dropped"
    if metric.kind in {Kind.RATIO, Kind.TIMED}:
        return ""
    old, new = middle(metric, before), middle(metric, after)
    return "" if old is None or new is None else change_text(new, old)
