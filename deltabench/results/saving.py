"""What one run says of delta channels against full snapshots, as values to assert on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    import pandas as pd

    from deltabench.api import Outcome
    from deltabench.results.values import Column, Figures, Summary


class ExactRatio(Fraction):
    """A ratio of two counted integers: it compares exactly with ints, floats and Decimals."""

    __slots__ = ()

    def __repr__(self) -> str:
        """As a decimal number, since that is what a failed assertion shows."""
        return f"{float(self):.6g}x"


@dataclass(frozen=True, repr=False)
class Saving:
    """One workload under full snapshots and under delta channels with one K.

    `full_bytes` and `delta_bytes` are all logical bytes that the checkpointer holds at
    the end. `state_identical` says whether both policies end in the same state.
    """

    outcome: Outcome
    description: str
    full_bytes: int
    delta_bytes: int
    state_identical: bool

    @property
    def ratio(self) -> ExactRatio:
        """How many times less delta channels store: full / delta, exact."""
        return ExactRatio(self.full_bytes, self.delta_bytes)

    @property
    def resume_ratio(self) -> float:
        """How many times as long the slowest warm resume takes: delta / full, noisy.

        The median over the repeats, at the phase of the snapshot period that is slowest
        with delta channels. DeltabenchError if either was not timed.
        """
        worst = self._delta.reads.worst_warm
        if worst is None or worst.seconds.ratio is None:
            message = f"{self.description}: resuming was not timed under both policies"
            raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)
        return 1 / worst.seconds.ratio.value

    @property
    def summary(self) -> Summary:
        """Medians, intervals and ratios of everything that was measured."""
        return self.outcome.summary

    @property
    def frame(self) -> pd.DataFrame:
        """One row per cell; `deltabench.results.frame` documents the columns."""
        return self.outcome.frame

    @property
    def _delta(self) -> Figures:
        (group,) = self.summary.groups
        (delta,) = group.deltas
        return _figures(delta)

    def __repr__(self) -> str:
        """Tell what was run and both sizes, for the message of a failed assertion."""
        return (
            f"Saving({self.description}: full {self.full_bytes:,} bytes, "
            f"delta {self.delta_bytes:,} bytes)"
        )


def saving(outcome: Outcome) -> Saving:
    """Read the saving out of a run with one group and one K.

    DeltabenchError, exit code CELL_FAILED, if any cell failed or is missing: a saving
    is never told from a part of what was asked for.
    """
    summary = outcome.summary
    if summary.problems:
        first, *others = summary.problems
        more = f" (and {len(others)} more)" if others else ""
        message = f"{first.label}: {first.kind}: {first.reason}{more}"
        raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)
    (group,) = summary.groups
    (column,) = group.deltas
    full, delta = _figures(group.full), _figures(column)
    if not delta.stored.total_bytes:
        message = f"{group.label}, {column.policy.label}: nothing was stored"
        raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)
    return Saving(
        outcome=outcome,
        description=f"{group.label}, {column.policy.label}",
        full_bytes=full.stored.total_bytes,
        delta_bytes=delta.stored.total_bytes,
        state_identical=delta.state.equal is True,
    )


def _figures(column: Column | None) -> Figures:
    if column is None or column.figures is None:
        what = "full" if column is None else column.policy.label
        message = f"{what} was not measured"
        raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)
    return column.figures
