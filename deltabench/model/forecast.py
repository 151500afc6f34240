"""How storage goes on beyond what was recorded, with an error bar from the recording itself.

The error is what a forecast from an early part of the recording misses at its end. It grows
by as much with every doubling of the length.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

import numpy as np

from deltabench.cells import Policy, Value
from deltabench.errors import DeltabenchError
from deltabench.model.continuing import FEWEST_TURNS, continued
from deltabench.model.curves import delta_curve, full_curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.model.curves import Curve
    from deltabench.model.series import Series
    from deltabench.model.stored import Recording

GIGABYTE = 1_000_000_000
# No recording is so regular that more than this could be promised.
_LEAST_ERROR = 0.0005
# Of full snapshots that were not run: in a delta run messages have ids that they lack there,
# by which it stores 0.5 to 1 per cent more in the shipped workloads.
_UNMEASURED_FULL = 0.02


class ForecastPoint(Value):
    """Stored bytes after a turn; `error_bytes` to both sides, 0 where it is not estimated."""

    turn: int
    size_bytes: int
    error_bytes: int
    estimated: bool


class ForecastLine(Value):
    """The curve of one policy. `gigabyte_turn` is the first turn that holds 1 GB or more.

    None if that lies beyond the forecast; `gigabyte_estimated` says that it is not recorded.
    """

    policy: Policy
    points: tuple[ForecastPoint, ...]
    gigabyte_turn: int | None
    gigabyte_estimated: bool


class Forecast(Value):
    """What a session is expected to store, up to `turns`; estimated after `recorded_turns`."""

    session: str
    checkpointer: str
    durability: str
    packages: dict[str, str]
    turns: int
    recorded_turns: int
    period_turns: int
    full_measured: bool
    lines: tuple[ForecastLine, ...]

    def at(self, marks: Sequence[int]) -> Forecast:
        """The same forecast with the points at these turns only."""
        lines = tuple(
            line.model_copy(
                update={"points": tuple(point for point in line.points if point.turn in marks)}
            )
            for line in self.lines
        )
        return self.model_copy(update={"lines": lines})


def forecast(
    recording: Recording, turns: int, frequencies: Sequence[int], marks: Sequence[int]
) -> Forecast:
    """Forecast a recorded session to `turns`, with points at the marks.

    Raises DeltabenchError if the recording is too short to show how it grows.
    """
    series = recording.series
    if turns > series.turns < 2 * FEWEST_TURNS:
        raise DeltabenchError(
            f"{series.turns} recorded turns are too few for a forecast",
            hint=f"record {2 * FEWEST_TURNS} turns or more, 50 are better",
        )
    whole = continued(series, turns)
    period = whole.period_turns
    # The earliest part that shows a whole period beside the first turn.
    known = max(series.turns // 2, period + 1)
    doublings = log2(series.turns / known)
    retold = continued(continued(series, known).series, series.turns, period).series
    lines = []
    for policy in (Policy(), *(Policy(snapshot_frequency=k) for k in frequencies)):
        error = abs(_last(retold, policy) / max(_last(series, policy), 1) - 1) / doublings
        curve = _curve(whole.series, policy)
        if policy.is_full:
            curve = np.rint(curve * _full_scale(recording)).astype(np.int64)
        doubt = _UNMEASURED_FULL if policy.is_full and not recording.full else 0.0
        lines.append(_line(policy, curve, series.turns, (error, doubt), marks))
    return Forecast(
        session=recording.label,
        checkpointer=series.checkpointer,
        durability=series.durability,
        packages=recording.packages,
        turns=turns,
        recorded_turns=series.turns,
        period_turns=period,
        full_measured=bool(recording.full),
        lines=tuple(lines),
    )


def _line(
    policy: Policy,
    curve: Curve,
    recorded: int,
    errors: tuple[float, float],
    marks: Sequence[int],
) -> ForecastLine:
    """`errors` are shares: of a doubling of the length, and of every turn."""
    per_doubling, everywhere = errors

    def point(turn: int) -> ForecastPoint:
        size = int(curve[turn - 1])
        share = everywhere
        if turn > recorded:
            share += max(_LEAST_ERROR, per_doubling) * max(1.0, log2(turn / recorded))
        return ForecastPoint(
            turn=turn, size_bytes=size, error_bytes=round(size * share), estimated=share > 0
        )

    beyond = (curve >= GIGABYTE).nonzero()[0]
    gigabyte = int(beyond[0]) + 1 if len(beyond) else None
    return ForecastLine(
        policy=policy,
        points=tuple(point(turn) for turn in marks),
        gigabyte_turn=gigabyte,
        gigabyte_estimated=gigabyte is not None and (gigabyte > recorded or everywhere > 0),
    )


def _curve(series: Series, policy: Policy) -> Curve:
    if policy.snapshot_frequency is None:
        return full_curve(series)
    return delta_curve(series, policy.snapshot_frequency)


def _last(series: Series, policy: Policy) -> int:
    return int(_curve(series, policy)[-1])


def _full_scale(recording: Recording) -> float:
    """What full really stored over what the delta run gives for it.

    The values of a delta run carry ids that those of a full run do not.
    """
    if not recording.full:
        return 1.0
    measured = recording.full[-1]
    return measured.size_bytes / int(full_curve(recording.series)[measured.turn - 1])
