"""What a fuzzing campaign comes to, as frozen values."""

from __future__ import annotations

from pydantic import Field

from deltabench.cells import Value
from deltabench.verify.vocabulary import Difference, Mode


class Finding(Value):
    """One unknown difference, in the shortest sequence of operations that shows it.

    `times` counts the sequences that ended in one like it. One that does not `repeat` was
    not seen again when the same was done again, and is not shrunk. `reproduced` says
    whether the script, run alone, shows a difference.
    """

    kind: str
    difference: Difference
    mode: Mode
    snapshot_frequency: int | None
    operations: tuple[str, ...]
    times: int
    repeats: bool
    script: str
    reproduced: bool


class FuzzOutcome(Value):
    """What all sequences on one checkpointer came to.

    `known` counts the sequences that met each documented difference, by its id;
    `raised_alike` the operations that both twins refused with the same error. `broken` says
    why the campaign ended before it was through.
    """

    checkpointer: str
    seed: int
    sequences: int
    operations: int
    raised_alike: int
    known: dict[str, int] = Field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    broken: str = ""
