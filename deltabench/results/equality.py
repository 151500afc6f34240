"""Which measured cells cannot count as results.

Counted quantities are exact: repeats of one cell that differ in one are failures and
not an average, and so is a delta cell that ends in another state than full.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from deltabench.cells import Failure, Measurement, Policy, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from deltabench.cells import Cell, Measurement, Policy

GroupKey = tuple[str, int, str, str]


def judged_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Give the rows back, with a failure of kind `differs` where a figure cannot count.

    Rows that record are left out: watching took time, and nobody chose their K.
    """
    return tuple(row for row in _judged(rows) if not row.cell.records)


def recorded_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Give the rows that record, judged as all others: they end in the same state."""
    return tuple(row for row in _judged(rows) if row.cell.records)


def _judged(rows: Sequence[Row]) -> tuple[Row, ...]:
    measured: dict[GroupKey, dict[Policy, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, row in enumerate(rows):
        if row.measurement:
            measured[row.cell.group][row.cell.policy].append(number)
    reasons: dict[int, str] = {}
    for policies in measured.values():
        for numbers in policies.values():
            reason = _unlike_repeats(_measured(rows[number] for number in numbers))
            reasons.update(dict.fromkeys(numbers, reason) if reason else {})
        reasons.update(_other_states(rows, policies, reasons))
    return tuple(
        Row(cell=row.cell, failure=Failure(kind="differs", reason=reasons[number]))
        if number in reasons
        else row
        for number, row in enumerate(rows)
    )


def counted(measurement: Measurement) -> dict[str, object]:
    """Every quantity that must repeat exactly, by a name that a message can show."""
    exact: dict[str, object] = {
        "supersteps": measurement.supersteps,
        "channels read back": measurement.channels,
        "content of the final state": measurement.state.content,
        "messages": measurement.state.messages,
        "files": measurement.state.files,
        "saver calls": measurement.session_round_trips.calls,
        "statements": measurement.session_round_trips.statements,
    }
    for name, count in measurement.updates.items():
        exact[f"updates of {name}"] = count
    for name, count in measurement.snapshots.items():
        exact[f"snapshots of {name}"] = count
    for stored in measurement.storage:
        for name, value in stored:
            exact[f"{name} after turn {stored.turn}"] = value
    for use in measurement.serializer:
        exact[f"{use.kind} {use.direction} calls"] = use.calls
        exact[f"{use.kind} {use.direction} bytes"] = use.size_bytes
    for read in measurement.reads:
        at = f" at update {read.position.update}" if read.position else ""
        exact[f"replay depth of {read.what}{at}"] = read.updates_since_snapshot
        exact[f"round trips of {read.what}{at}"] = read.round_trips
    return exact


def _measured(rows: Iterable[Row]) -> list[tuple[Cell, Measurement]]:
    return [(row.cell, row.measurement) for row in rows if row.measurement]


def _unlike_repeats(repeats: Sequence[tuple[Cell, Measurement]]) -> str | None:
    (first_cell, first), *others = repeats
    for cell, other in others:
        if cell.model_copy(update={"repeat": first_cell.repeat}) != first_cell:
            return "the repeats are not of one cell: seed, workload or positions differ"
        difference = _difference(counted(first), counted(other))
        if difference:
            return f"repeats {first_cell.repeat + 1} and {cell.repeat + 1} differ in {difference}"
    return None


def _difference(first: Mapping[str, object], other: Mapping[str, object]) -> str | None:
    for name in [*first, *(name for name in other if name not in first)]:
        one, two = first.get(name), other.get(name)
        if one != two:
            plain = isinstance(one, int) and isinstance(two, int)
            return f"{name}: {one:,} against {two:,}" if plain else name
    return None


def _other_states(
    rows: Sequence[Row], policies: Mapping[Policy, Sequence[int]], reasons: Mapping[int, str]
) -> dict[int, str]:
    contents = {
        policy: {
            number: measurement.state.content
            for number in numbers
            if number not in reasons and (measurement := rows[number].measurement)
        }
        for policy, numbers in policies.items()
    }
    order = sorted((p for p, c in contents.items() if c), key=lambda p: p.snapshot_frequency or 0)
    if not order:
        return {}
    reference = next(iter(contents[order[0]].values()))
    return {
        number: f"the final state is not that of {order[0].label}"
        for policy in order[1:]
        for number, content in contents[policy].items()
        if content != reference
    }
