"""Every quantity the gate can judge, by name: its class, unit, direction, and how it is read.

The class decides which rules make sense: see `RULES`. A class name stands for all of its
metrics in a policy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal

from deltabench.cells import Measurement, Policy

Figure = int | float | str | None
Read = Callable[[Measurement, Policy], Figure]
Unit = Literal["bytes", "seconds", "count", "digest", "x"]


class Kind(StrEnum):
    """How far a figure can be trusted, and so how it is compared."""

    COUNTED = "counted"  # repeats exactly: integers and digests
    PHYSICAL = "physical"  # sizes on disk: repeat within a few per cent
    RATIO = "ratio"  # full / delta of stored bytes: two integers
    TIMED = "timed"  # times and resident memory: only as ratio to full of the same run


# The rules that make sense for each class; the last one needs no baseline.
RULES: dict[Kind, tuple[str, ...]] = {
    Kind.COUNTED: ("exact", "max_rise"),
    Kind.PHYSICAL: ("max_rise",),
    Kind.RATIO: ("max_drop", "min_ratio"),
    Kind.TIMED: ("max_rise", "max_ratio"),
}


@dataclass(frozen=True, slots=True)
class Metric:
    """One quantity; `read` takes it from a measurement, seen from a policy's own places.

    Less is better everywhere but for the savings ratio; `directed` is False where a
    difference is neither. `floor` is the least noise of a timed one, as a share.
    """

    name: str
    kind: Kind
    unit: Unit
    what: str
    read: Read
    directed: bool = True
    floor: float = 0.0


SAVINGS = "savings"


@cache
def all_metrics() -> dict[str, Metric]:
    """All metrics by name, in the order in which they are told."""
    from deltabench.gate.counted import COUNTED
    from deltabench.gate.physical import PHYSICAL
    from deltabench.gate.timed import TIMED

    savings = Metric(
        name=SAVINGS,
        kind=Kind.RATIO,
        unit="x",
        what="stored bytes of full snapshots over those of this policy",
        read=lambda measurement, _: measurement.stored.total_bytes,
    )
    return {metric.name: metric for metric in (savings, *COUNTED, *PHYSICAL, *TIMED)}
