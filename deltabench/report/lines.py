"""The rows of the two-column table: one quantity each, full beside one K.

Made once and rendered by the terminal and by Markdown alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.report.units import (
    EQUAL,
    format_bytes,
    format_seconds,
    format_seconds_pair,
    interval_words,
    plain,
    ratio_words,
    three_digits,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.cells import Policy
    from deltabench.results.values import Column, Compared, Derived, Figures, Group, Reading, Trips

# Without an interval, a smaller difference between two times is not told as one.
SINGLE_SAMPLE_NOISE = 0.05
ABOUT_EQUAL = "about equal"
PHASES = {
    "after_snapshot": "right after a snapshot",
    "middle": "amid two snapshots",
    "before_snapshot": "just before a snapshot",
    "deepest": "before the rarest snapshot",
    "end": "at the end of the thread",
}


class Line(Value):
    """One row of the table; `detail` marks a part of the row above it."""

    label: str
    full: str
    delta: str
    ratio: str = ""
    note: str = ""
    detail: bool = False


def pair_lines(group: Group, column: Column) -> list[Line]:
    """Rows for one policy that has figures, beside full where that has some too."""
    this = column.figures
    if this is None:
        return []
    full = group.full.figures if group.full and group.full is not column else None
    lines = [
        *_storage(this, full, group.durability),
        *_serializer(this),
        *_turns(this),
        *_reads(column.policy, this),
        *_memory(this),
        *_trips(this),
        *_state(this),
    ]
    return [line for line in lines if line.delta]


def noisy_words(
    compared: Compared, *, less: str = "less", more: str = "more", interval: bool = True
) -> str:
    """Tell a noisy ratio in words, with its interval if there are repeats."""
    ratio = compared.ratio
    if ratio is None:
        return ""
    if ratio.low is None or ratio.high is None:
        near = abs(ratio.value - 1) < SINGLE_SAMPLE_NOISE
        return ABOUT_EQUAL if near else ratio_words(ratio.value, less=less, more=more)
    if ratio.low <= 1 <= ratio.high:
        words, inverse = "within noise", False
    else:
        words, inverse = ratio_words(ratio.value, less=less, more=more), ratio.value < 1
        words = ABOUT_EQUAL if words == EQUAL else words
    ends = interval_words(ratio.low, ratio.high, inverse=inverse) if interval else ""
    return f"{words} {ends}".strip()


def _storage(this: Figures, full: Figures | None, durability: str) -> Iterator[Line]:
    whole = this.total_bytes
    yield Line(
        label="Stored",
        full=_bytes(whole.full),
        delta=format_bytes(whole.this),
        ratio=ratio_words(whole.ratio),
    )
    for label, name in (
        ("values", "value_bytes"),
        ("writes", "write_bytes"),
        ("checkpoint rows", "row_bytes"),
        ("keys", "key_bytes"),
        ("the floor", "floor_bytes"),
    ):
        yield Line(
            label=label,
            full=format_bytes(getattr(full.stored, name)) if full else "",
            delta=format_bytes(getattr(this.stored, name)),
            note="no K goes below it" if name == "floor_bytes" else "",
            detail=True,
        )
    for name, size in this.physical_bytes.items():
        words = name.removesuffix("_bytes").replace("_", " ")
        yield Line(
            label=f"disk: {plain(words)}",
            full=_bytes(size.full.median if size.full else None),
            delta=format_bytes(size.this.median),
            ratio=noisy_words(size),
        )
    if this.largest_value:
        largest = full.largest_value if full else None
        yield Line(
            label="Largest value",
            full=_bytes(largest.size_bytes if largest else None),
            delta=format_bytes(this.largest_value.size_bytes),
            note=f"in {plain(this.largest_value.channel)}",
        )
    updates = max(this.updates.values(), default=0)
    # With `exit` a checkpoint stands for all updates of a turn, and only it can be counted.
    counted = "checkpoints" if durability == "exit" else "updates"
    if not all(channel.snapshot_frequency is None for channel in this.channels):
        yield Line(
            label="Snapshots taken",
            full="",
            delta=f"{sum(this.snapshots.values()):,}",
            note="never snapshots" if this.never_snapshots else f"in {updates:,} {counted}",
        )


def _serializer(this: Figures) -> Iterator[Line]:
    for label, seconds in (
        ("Serialize, CPU", this.dump_seconds),
        ("Deserialize, CPU", this.load_seconds),
    ):
        yield _noisy_line(label, seconds, ratio=noisy_words(seconds))


def _turns(this: Figures) -> Iterator[Line]:
    typical, slow = this.turn_p50_seconds, this.turn_p95_seconds
    yield Line(
        label="Turn, median / p95",
        full=format_seconds_pair(typical.full.median, slow.full.median)
        if typical.full and slow.full
        else "",
        delta=format_seconds_pair(typical.this.median, slow.this.median),
        ratio=_timed(typical),
    )
    for label, tenth in (
        ("first tenth", this.turn_first_seconds),
        ("last tenth", this.turn_last_seconds),
    ):
        yield _noisy_line(label, tenth, ratio=_timed(tenth), detail=True)
    if this.turn_derived:
        yield _derived_line(this.turn_derived)


def _reads(policy: Policy, this: Figures) -> Iterator[Line]:
    reads = this.reads
    if reads.worst_warm:
        yield _read_line("Resume, worst phase", reads.worst_warm, _phase(reads.worst_warm))
        if reads.worst_warm.derived:
            yield _derived_line(reads.worst_warm.derived)
        for reading in reads.resume_warm:
            if (
                not policy.is_full
                and reading.position
                and reading.position.phase == "after_snapshot"
            ):
                yield _read_line("Resume, right after", reading, "")
    if reads.worst_cold:
        opening = reads.worst_cold.open_seconds
        note = f"after {format_seconds(opening.this.median)} to open" if opening else ""
        yield _read_line("Resume cold, worst", reads.worst_cold, note)
    for label, history in (("History, last 10", reads.history_10),
                           ("History, last 50", reads.history_50),
                           ("Time travel", reads.time_travel)):  # fmt: skip
        if history:
            yield _read_line(label, history, "")
            if history.derived:
                yield _derived_line(history.derived)


def _memory(this: Figures) -> Iterator[Line]:
    for label, memory, detail in (
        ("Peak memory", this.memory_peak_bytes, False),
        ("over its baseline", this.memory_over_baseline_bytes, True),
    ):
        yield Line(
            label=label,
            full=_bytes(memory.full.median if memory.full else None),
            delta=format_bytes(memory.this.median),
            ratio=noisy_words(memory),
            detail=detail,
        )


def _trips(this: Figures) -> Iterator[Line]:
    what = "saver calls" if this.turn_trips.statements is None else "statements"
    worst, history = this.reads.worst_warm, this.reads.history_50
    for label, here, there in (
        ("per turn", this.turn_trips, this.full_turn_trips),
        ("per resume", worst.trips if worst else None, worst.full_trips if worst else None),
        (
            "per history 50",
            history.trips if history else None,
            history.full_trips if history else None,
        ),
    ):
        if here:
            yield Line(
                label=f"Trips {label}",
                full=three_digits(there.remote) if there else "",
                delta=three_digits(here.remote),
                ratio=_trip_ratio(here, there),
                note=what if label == "per turn" else "",
            )


def _state(this: Figures) -> Iterator[Line]:
    state = this.state
    size = f"{state.messages:,} messages, {state.files:,} files"
    same = {True: "identical", False: "DIFFERENT", None: "not compared"}[state.equal]
    yield Line(label="State", full="", delta=f"{same}: {size}")
    if state.missing_ids:
        ids = f"MISSING in {state.missing_ids:,} messages"
    elif not state.ids_stable:
        ids = "CHANGE from read to read"
    elif state.ids_equal is False:
        drawn = f", {state.generated_ids:,} drawn at random" if state.generated_ids else ""
        ids = f"stable, but not those of full{drawn}"
    else:
        ids = "equal and stable" if state.ids_equal else "stable"
    yield Line(label="Message ids", full="", delta=ids)


def _timed(compared: Compared) -> str:
    return noisy_words(compared, less="faster", more="slower")


def _noisy_line(
    label: str, compared: Compared, *, ratio: str, note: str = "", detail: bool = False
) -> Line:
    return Line(
        label=label,
        full=format_seconds(compared.full.median) if compared.full else "",
        delta=format_seconds(compared.this.median),
        ratio=ratio,
        note=note,
        detail=detail,
    )


def _read_line(label: str, reading: Reading, note: str) -> Line:
    return _noisy_line(label, reading.seconds, ratio=_timed(reading.seconds), note=note)


def _derived_line(derived: Derived) -> Line:
    return Line(
        label="remote, derived",
        full="" if derived.full_seconds is None else format_seconds(derived.full_seconds),
        delta=format_seconds(derived.this_seconds),
        ratio=ratio_words(derived.ratio, less="faster", more="slower"),
        detail=True,
    )


def _phase(reading: Reading) -> str:
    return PHASES[reading.position.phase] if reading.position else ""


def _trip_ratio(here: Trips, there: Trips | None) -> str:
    return ratio_words(there.remote / here.remote) if there and here.remote else ""


def _bytes(size_bytes: float | None) -> str:
    return "" if size_bytes is None else format_bytes(size_bytes)
