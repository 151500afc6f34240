"""What a verification says: cases that were tried, what differed, and the verdict."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deltabench.cells import Durability, Value

Mode = Literal["sync", "async"]
# holds: all cases were equal. differs: only in ways that are known and documented.
# fails: differs in an unknown way. not_tried: nothing can be said, for a reason.
Status = Literal["holds", "differs", "fails", "not_tried"]


class Variant(Value):
    """How a case is run: sync or async calls, the durability, and K of the delta twin."""

    mode: Mode = "sync"
    durability: Durability = "sync"
    snapshot_frequency: int = Field(default=3, ge=1)

    @property
    def label(self) -> str:
        """Short name for output, such as `async, exit, K=3`."""
        return f"{self.mode}, {self.durability}, K={self.snapshot_frequency}"


class Difference(Value):
    """The first place where the twins, or two reads of one twin, are not alike.

    `operation` is what had just been done (`invoke 3`), `observed` what was looked at
    (`history`, `state read by a fresh graph`), `path` where in it, `checkpoint` the step
    number of the checkpoint. `expected` and `found` are short renderings.
    """

    operation: str
    observed: str
    path: str
    channel: str | None = None
    checkpoint: int | None = None
    expected: str
    found: str

    @property
    def line(self) -> str:
        """The difference in one line."""
        where = f" at checkpoint {self.checkpoint}" if self.checkpoint is not None else ""
        return (
            f"after {self.operation}, {self.observed}{where}: {self.path} "
            f"should be {self.expected}, is {self.found}"
        )


class Latency(Value):
    """One kind of operation, timed on both twins in turn; every sample is kept.

    `what` is the method of the graph that was called.
    """

    what: str
    full_seconds: tuple[float, ...]
    delta_seconds: tuple[float, ...]


class CaseResult(Value):
    """One case in one variant, with what differed: none if it held.

    The last difference may have ended the case; those before it are shown beside the
    state and did not. `known` are the ids of documented differences that explain all of
    them; `not_tried` says why the case could not be tried. `facts` are worth knowing
    whatever it came to.
    """

    case: str
    variant: Variant
    differences: tuple[Difference, ...] = ()
    not_tried: str | None = None
    latency: Latency | None = None
    known: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether something differs that is not known."""
        return len(self.known) < len(self.differences)


class Verdict(Value):
    """What a guarantee came to on one checkpointer."""

    guarantee: str
    checkpointer: str
    status: Status
    reason: str = ""
    cases: tuple[CaseResult, ...] = ()
    latency: Latency | None = None
