"""What a guarantee is, and the bench on which its cases are tried."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from deltabench.verify.oracle.twins import open_twins
from deltabench.verify.vocabulary import Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.oracle.twins import Seconds, Twins
    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import Difference

# Whatever mode and durability does not matter for is tried in the first of these only.
ALL_VARIANTS = (
    Variant(mode="sync", durability="sync", snapshot_frequency=3),
    Variant(mode="sync", durability="async", snapshot_frequency=2),
    Variant(mode="sync", durability="exit", snapshot_frequency=3),
    Variant(mode="async", durability="async", snapshot_frequency=3),
    Variant(mode="async", durability="exit", snapshot_frequency=1000),
)


class NotTriedError(Exception):
    """The case cannot be tried here; the message says why."""


@dataclass(slots=True)
class Bench:
    """Where one case is tried: a checkpointer and a variant.

    `change` is applied to the savers of delta twins; tests plant faults with it. `facts`
    are found by a case and told whatever it came to.
    """

    checkpointer: str
    variant: Variant
    postgres_url: str | None = None
    change: Change | None = None
    noted: list[Difference] = field(default_factory=list)
    seconds: Seconds = field(default_factory=lambda: ({}, {}))
    facts: list[str] = field(default_factory=list)

    def twins(
        self, build: Build, conceals: frozenset[str] | None = None
    ) -> AbstractContextManager[Twins]:
        """Open twins of a graph, each on an empty place of its own; see `Twins.conceals`."""
        return open_twins(
            build,
            self.checkpointer,
            self.variant,
            postgres_url=self.postgres_url,
            change=self.change,
            noted=self.noted,
            seconds=self.seconds,
            conceals=conceals,
        )


class Guarantee(ABC):
    """One promise of the runtime. A case raises DifferenceFoundError when it is not kept.

    `latency_of` names the method of the graph whose time is reported, full against delta,
    where a latency has a meaning.
    """

    name: ClassVar[str]
    promise: ClassVar[str]
    source: ClassVar[str]
    how: ClassVar[str]
    variants: ClassVar[tuple[Variant, ...]] = ALL_VARIANTS
    latency_of: ClassVar[str | None] = None
    # Cases that take long, or where the variant does not matter: only these are tried.
    variants_of: ClassVar[Mapping[str, tuple[Variant, ...]]] = {}

    @abstractmethod
    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """The cases by name; a name says what is done, in a few words."""
