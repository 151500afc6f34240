"""A results file as the gate sees it: one side of a comparison, column by column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from deltabench.cells import Policy
from deltabench.gate.verdicts import Key
from deltabench.results.equality import judged_rows
from deltabench.results.statistics import Ratio, paired_ratio
from deltabench.results.summary import summarize

if TYPE_CHECKING:
    from deltabench.cells import Cell, Measurement
    from deltabench.gate.metrics import Figure, Metric
    from deltabench.results.comparing import Repeats
    from deltabench.results.environment import Environment
    from deltabench.results.file import Results
    from deltabench.results.values import Problem


@dataclass(frozen=True)
class Column:
    """The repeats of one policy in one group, with those of full beside them."""

    key: Key
    digest: str
    seed: int
    mine: Repeats
    full: Repeats
    problems: tuple[Problem, ...]
    pending: int

    @property
    def complete(self) -> bool:
        """Whether every planned repeat gave a measurement."""
        return bool(self.mine) and not self.problems and not self.pending

    def figure(self, metric: Metric, *, full: bool = False) -> Figure:
        """A counted figure, the same in every repeat; None where the cell has none."""
        repeats = self.full if full else self.mine
        return metric.read(repeats[min(repeats)], self.key.policy) if repeats else None

    def samples(self, metric: Metric, *, full: bool = False) -> dict[int, float]:
        """A noisy figure by repeat, of this policy, or of full at this policy's places."""
        found = {}
        for repeat, measurement in (self.full if full else self.mine).items():
            value = metric.read(measurement, self.key.policy)
            if isinstance(value, int | float):
                found[repeat] = float(value)
        return found

    def cost(self, metric: Metric) -> Ratio | None:
        """This / full of a noisy figure over the repeats that both have; None without any."""
        mine, full = self.samples(metric), self.samples(metric, full=True)
        common = sorted(mine.keys() & full.keys())
        return paired_ratio([mine[r] for r in common], [full[r] for r in common])


@dataclass(frozen=True)
class Side:
    """Results under the name by which they are told apart."""

    name: str
    results: Results

    @property
    def environment(self) -> Environment:
        """Where and with what they were made."""
        return self.results.environment

    @cached_property
    def columns(self) -> dict[Key, Column]:
        """Every planned column in the order of the plan, full first in its group."""
        measured: dict[Key, dict[int, Measurement]] = {}
        for row in judged_rows(self.results.rows):
            if row.measurement:
                measured.setdefault(_key(row.cell), {})[row.cell.repeat] = row.measurement
        columns = {}
        for group in summarize(self.results).groups:
            for found in group.columns:
                key = Key(
                    workload=group.workload,
                    turns=group.turns,
                    checkpointer=group.checkpointer,
                    durability=group.durability,
                    policy=found.policy,
                )
                full = key.model_copy(update={"policy": Policy()})
                columns[key] = Column(
                    key=key,
                    digest=group.workload_digest,
                    seed=group.seed,
                    mine=measured.get(key, {}),
                    full=measured.get(full, {}),
                    problems=found.problems,
                    pending=found.pending,
                )
        return columns


def _key(cell: Cell) -> Key:
    return Key(
        workload=cell.workload,
        turns=cell.turns,
        checkpointer=cell.checkpointer,
        durability=cell.durability,
        policy=cell.policy,
    )
