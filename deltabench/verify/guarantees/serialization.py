"""What users put into state comes back as what it was, from a snapshot and from a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee
from deltabench.verify.probes_values import VALUES, encrypted, kept, pickled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.vocabulary import Variant


class Serialization(Guarantee):
    """Types that users put into state, and serializers of their own."""

    name: ClassVar[str] = "serialization"
    promise: ClassVar[str] = (
        "A value of any supported type is the same after a snapshot or a replay."
    )
    source: ClassVar[str] = "langgraph persistence: serializer, encryption"
    how: ClassVar[str] = (
        "dataclasses, pydantic models, sets, dates, numpy, pandas and more; "
        "langgraph's serializer, with pickle fallback, and encrypted"
    )
    variants: ClassVar[tuple[Variant, ...]] = (ALL_VARIANTS[0], ALL_VARIANTS[3])
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each type and each serializer."""
        by_type = {name: (lambda bench, name=name: _of_type(bench, kept, name)) for name in VALUES}
        return {
            **by_type,
            "pickle fallback": lambda bench: _of_type(bench, pickled, "numpy array"),
            "encrypted": lambda bench: _of_type(bench, encrypted, "pydantic model"),
        }


def _of_type(bench: Bench, build: Build, name: str) -> None:
    """What langgraph's serializer refuses must be refused alike, and is tried with pickle."""
    with bench.twins(build) as twins:
        refused = any(not _is_taken(side.saver, name) for side in twins.sides)
        for _ in range(bench.variant.snapshot_frequency + 2):
            twins.run({"kind": name}, may_raise=refused)
    if refused:
        bench.facts.append(f"{name}: refused without pickle_fallback, by both twins alike")
        _of_type(bench, pickled, name)


def _is_taken(saver: BaseCheckpointSaver[Any], name: str) -> bool:
    try:
        saver.serde.dumps_typed(VALUES[name]())
    except TypeError:
        return False
    return True
