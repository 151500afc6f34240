"""Holds the forecast of 500 turns, from 50 recorded ones, against a real run of 500.

Both workloads' forecasts must be within 2 per cent; A alone is run in full, which takes
4.5 GB through the serializer and about a minute. B is held against the reference report,
over the 200 turns that it has.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.api import load_workloads, sweep
from deltabench.model.forecast import forecast
from deltabench.model.stored import shipped_recording
from deltabench.results.file import load_results

if TYPE_CHECKING:
    from deltabench.results.file import Results

FREQUENCIES = (10, 50)
TURNS = 500
MOST_OFF = 0.02
REFERENCE = Path(__file__).parent.parent / "reports" / "reference"


def main() -> None:
    """Run, compare, and end with code 1 if a forecast is off."""
    measured = sweep(["A"], turns=[TURNS], k=FREQUENCIES).results
    off = [*_misses(measured, "A", TURNS), *_misses(load_results(REFERENCE), "B", 200)]
    sys.exit(max(off) > MOST_OFF)


def _misses(results: Results, name: str, turns: int) -> list[float]:
    recording = shipped_recording(load_workloads([name])[name], "memory")
    if recording is None:
        raise SystemExit(f"workload {name} comes without a recording: scripts/record_series.py")
    found = forecast(recording, turns, FREQUENCIES, [turns])
    expected = {line.policy: line.points[0] for line in found.lines}
    misses = []
    for row in results.rows:
        if row.cell.workload != name or row.cell.policy not in expected:
            continue
        if row.measurement is None:
            raise SystemExit(f"{row.cell.label}: no result")
        point, real = expected[row.cell.policy], row.measurement.stored.total_bytes
        miss = abs(point.size_bytes / real - 1)
        misses.append(miss)
        print(
            f"{row.cell.label}: ~{point.size_bytes:,} +- {point.error_bytes:,} forecast, "
            f"{real:,} measured: {miss:.3%} off"
        )
    return misses


if __name__ == "__main__":
    main()
