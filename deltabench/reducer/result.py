"""What a check of a reducer found, as frozen values that print as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Verdict = Literal["holds", "broken", "warning", "measured", "not tried"]
Form = Literal["batch", "binary"]


@dataclass(frozen=True, slots=True)
class Call:
    """A call as a user would type it, and what it gave."""

    expression: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest input found that breaks a check, ready to be pasted."""

    imports: tuple[str, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """How long one call took on states of several sizes, and what follows from it.

    `seconds[i]` is the fastest of several calls with one write on a state of
    `sizes_items[i]` items. `exponent` is fitted to these on logarithmic scales;
    `batch_ratio` is a call with `batch_writes` writes over a call with one, at the last size.
    """

    sizes_items: tuple[int, ...]
    seconds: tuple[float, ...]
    exponent: float
    batch_writes: int
    batch_ratio: float


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of the contract and whether it holds; `detail` is one line for people."""

    name: str
    verdict: Verdict
    detail: str = ""
    counterexample: Counterexample | None = None


@dataclass(frozen=True, slots=True)
class ReducerResult:
    """All checks of one reducer, in the order in which they are told."""

    reducer: str
    form: Form
    recognised_by: str
    state_type: str
    values_from: str
    seed: int
    max_examples: int
    langgraph: str
    checks: tuple[Check, ...]
    growth: Growth | None
    batch_form: str | None

    @property
    def holds(self) -> bool:
        """Whether no check is broken; a warning breaks nothing."""
        return not self.broken

    @property
    def broken(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if check.verdict == "broken")

    def check(self, name: str) -> Check:
        """The check of that name; KeyError if there is none."""
        found = {check.name: check for check in self.checks}
        return found[name]

    def document(self) -> dict[str, Any]:
        """The same for machines."""
        return {"holds": self.holds, **asdict(self)}
