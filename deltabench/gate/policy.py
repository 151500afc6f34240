"""What the gate demands: rules per metric, from defaults, a TOML file and flags.

    # deltabench.toml
    [savings]                       # full / delta of stored bytes
    min_ratio = 25                  # at least 25x less than full snapshots
    max_drop = "2%"                 # against the baseline's ratio

    [counted]                       # a class: every counted metric
    exact = true                    # equal to the baseline, to the byte

    [resume_warm]
    max_ratio = 3                   # at most 3 times as slow as full, in the same run
    max_rise = "25%"                # against the baseline's ratio to full

    [[where]]                       # overrides, the last that fits wins
    checkpointer = "sqlite"         # also: workload, turns, durability, k; or lists of them
    k = [10, 50]
    savings.min_ratio = 8

`false` switches a rule off. A `max_rise` for a counted metric takes the place of an
`exact` that it inherits. A file adds to `DEFAULTS`, flags add to the file. At the top,
`strict = true` lets inconclusive rules fail, and `other_versions = "refuse"` makes a
baseline of other package versions not comparable at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from deltabench.gate.metrics import all_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from deltabench.gate.metrics import Metric
    from deltabench.gate.verdicts import Key

OtherVersions = Literal["ratios", "refuse"]
Limit = Fraction | bool  # a number for a limit, True for `exact`, False for switched off
Rules = dict[str, Limit]

DEFAULTS = """
[counted]
exact = true

[savings]
max_drop = "2%"

[database_bytes]
max_rise = "2%"

[value_compressed_bytes]
max_rise = "2%"

[write_compressed_bytes]
max_rise = "2%"

[resume_warm]
max_rise = "25%"

[resume_cold]
max_rise = "25%"

[turn_p50]
max_rise = "25%"

[history_50]
max_rise = "25%"
"""
NEEDS_BASELINE = ("exact", "max_drop", "max_rise")


@dataclass(frozen=True, slots=True)
class Where:
    """Which columns a layer is about; an empty field fits all."""

    workload: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    checkpointer: tuple[str, ...] = ()
    durability: tuple[str, ...] = ()
    k: tuple[int, ...] = ()

    def fits(self, key: Key) -> bool:
        """Whether a column is meant."""
        wanted: tuple[tuple[tuple[object, ...], object], ...] = (
            (self.workload, key.workload),
            (self.turns, key.turns),
            (self.checkpointer, key.checkpointer),
            (self.durability, key.durability),
            (self.k, key.policy.snapshot_frequency),
        )
        return all(value in allowed for allowed, value in wanted if allowed)

    def __str__(self) -> str:
        parts = []
        for name in self.__slots__:
            values = getattr(self, name)
            if values:
                parts.append(f"{name} {', '.join(str(value) for value in values)}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Layer:
    """Rules by metric or class name, for the columns that `where` fits."""

    rules: Mapping[str, Rules]
    where: Where = field(default_factory=Where)

    def of(self, metric: Metric) -> Rules:
        """The rules for one metric: those of its class, then its own."""
        return {**self.rules.get(metric.kind.value, {}), **self.rules.get(metric.name, {})}


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Layers of rules, the later ones over the earlier; the first holds the defaults."""

    layers: tuple[Layer, ...]
    strict: bool = False
    other_versions: OtherVersions = "ratios"

    def rules(self, metric: Metric, key: Key) -> Rules:
        """The rules that hold for a metric of one column."""
        merged: Rules = {}
        for layer in self.layers:
            if layer.where.fits(key):
                rules = layer.of(metric)
                if rules.get("max_rise") and "exact" not in rules:
                    merged.pop("exact", None)
                merged |= rules
        return {name: limit for name, limit in merged.items() if limit is not False}

    def asked(self) -> list[str]:
        """Rules that somebody wrote, as `metric.rule`, without the defaults."""
        return [
            f"{metric}.{rule}"
            for layer in self.layers[1:]
            for metric, rules in layer.rules.items()
            for rule, limit in rules.items()
            if limit is not False
        ]

    def unmatched(self, keys: list[Key]) -> list[str]:
        """Overrides that fit none of these columns, which may be a slip of the pen."""
        return [
            str(layer.where)
            for layer in self.layers[1:]
            if not any(layer.where.fits(key) for key in keys)
        ]


def metrics_for(policy: GatePolicy, key: Key) -> list[tuple[Metric, Rules]]:
    """Every metric that has a rule for one column, in order."""
    found = ((metric, policy.rules(metric, key)) for metric in all_metrics().values())
    return [(metric, rules) for metric, rules in found if rules]
