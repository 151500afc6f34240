"""A forecast as people read it: everything estimated has a tilde in front."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from deltabench.report.units import format_bytes, plain, ratio_words, three_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.model.forecast import Forecast, ForecastLine, ForecastPoint

ESTIMATED = "~"
_MOST_COLUMNS = 4
WIDTH = 80


def forecast_marks(recorded: int, turns: int) -> list[int]:
    """The turns to show: the last recorded, some decades after it, and the last."""
    decades = [step * 10**power for power in range(9) for step in (1, 2, 5)]
    between = [turn for turn in decades if recorded < turn < turns]
    ends = sorted({min(recorded, turns), turns})
    room = _MOST_COLUMNS - len(ends)
    step = -(-len(between) // room) if between else 1
    return sorted({*ends, *between[step - 1 :: step][:room]})


def forecast_lines(forecast: Forecast) -> Iterator[str]:
    """Lines of at most 80 columns."""
    head = f"Forecast of {forecast.turns:,} turns on {plain(forecast.checkpointer)}"
    yield from textwrap.wrap(f"{head}: {plain(forecast.session)}", WIDTH, subsequent_indent="  ")
    yield f"  from {_source(forecast)}"
    versions = (f"{plain(name)} {plain(v)}" for name, v in forecast.packages.items())
    yield f"  {', '.join(versions)}"
    yield ""
    rows = [_header(forecast), *(_row(line, forecast) for line in forecast.lines)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True)]
        yield " ".join([f" {row[0]:<{widths[0]}}", *cells]).rstrip()
    yield ""
    if forecast.turns > forecast.recorded_turns:
        yield "~ estimated: the recorded growth, continued. +-: what a forecast from an early"
        yield "part of the recording misses at its end, for each doubling of the length."
    if not forecast.full_measured:
        yield "Full snapshots were not run: their curve follows from the recorded delta run."


def _source(forecast: Forecast) -> str:
    period = forecast.period_turns
    repeats = f", repeating every {period} turns" if period > 1 else ""
    return f"{forecast.recorded_turns} recorded turns{repeats}"


def _header(forecast: Forecast) -> list[str]:
    first, *later = (f"{point.turn:,}" for point in forecast.lines[0].points)
    names = [f"turn {first}", *later]
    return ["", *names, "+-", "vs full", "1 GB at"]


def _row(line: ForecastLine, forecast: Forecast) -> list[str]:
    last, full = line.points[-1], forecast.lines[0].points[-1]
    share = three_digits(100 * last.error_bytes / last.size_bytes) + "%"
    ratio = "" if line.policy.is_full else ratio_words(full.size_bytes / last.size_bytes)
    if line.gigabyte_turn is None:
        gigabyte = f"after {forecast.turns:,}"
    else:
        mark = ESTIMATED if line.gigabyte_estimated else ""
        gigabyte = f"turn {mark}{line.gigabyte_turn:,}"
    sizes = [_size(point) for point in line.points]
    return [
        line.policy.label,
        *sizes,
        share if last.error_bytes else "exact",
        _estimated(ratio, last) if ratio else "",
        gigabyte,
    ]


def _size(point: ForecastPoint) -> str:
    return _estimated(format_bytes(point.size_bytes), point)


def _estimated(text: str, point: ForecastPoint) -> str:
    return f"{ESTIMATED}{text}" if point.estimated else text
