"""Each guarantee holds here, and each goes red when something is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deltabench.errors import DeltabenchError
from deltabench.verify.cell import try_guarantee
from deltabench.verify.guarantees.registry import GUARANTEES, guarantee_named
from deltabench.verify.matrix import judge
from tests.verify import faults

if TYPE_CHECKING:
    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import Verdict

NAMES = [guarantee.name for guarantee in GUARANTEES]
# Where nothing outlives a process, it cannot be killed and go on, nor looked into.
PLACES = {"durable-execution": "sqlite", "retention": "sqlite"}
NOT_OFFERED = "the checkpointer does not offer"
pytestmark = pytest.mark.filterwarnings("ignore")  # what runtimes under trial say is theirs


def _verdict(name: str, change: Change | None = None) -> Verdict:
    guarantee = guarantee_named(name)
    place = PLACES.get(name, "memory")
    results = try_guarantee(guarantee, place, guarantee.variants[:1], change=change)
    return judge(name, place, results)


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_on_these_versions(name: str) -> None:
    """Nothing differs, but for what is known."""
    verdict = _verdict(name)
    assert verdict.status in {"holds", "differs"}
    guarantee = guarantee_named(name)
    first = guarantee.variants[0]
    cases = {c for c in guarantee.cases() if first in guarantee.variants_of.get(c, (first,))}
    assert {case.case for case in verdict.cases} == cases
    reasons = {case.not_tried for case in verdict.cases if case.not_tried}
    assert all(name == "retention" and NOT_OFFERED in reason for reason in reasons)
    timed = guarantee.latency_of
    assert (verdict.latency.what if verdict.latency else None) == timed


@pytest.mark.parametrize("name", NAMES)
def test_a_saver_that_loses_writes_is_found(name: str) -> None:
    """Whatever a guarantee tries, a lost write shows."""
    assert _verdict(name, faults.drops_writes).status == "fails"


@pytest.mark.parametrize("name", ["time-travel", "update-state", "parallel-writers", "messages"])
def test_a_saver_that_reorders_writes_is_found(name: str) -> None:
    """Where the order of writes matters, another order shows."""
    assert _verdict(name, faults.reorders_writes).status == "fails"


@pytest.mark.parametrize("name", ["time-travel", "migration", "threads", "human-in-the-loop"])
def test_a_saver_that_forgets_snapshots_is_found(name: str) -> None:
    """Where a thread crosses a snapshot, its loss shows."""
    assert _verdict(name, faults.forgets_snapshots).status == "fails"


def test_what_cannot_be_tried_is_said() -> None:
    """The memory of a killed process is gone, which is no fault of anyone."""
    guarantee = guarantee_named("durable-execution")
    results = list(try_guarantee(guarantee, "memory", guarantee.variants[:1]))
    verdict = judge("durable-execution", "memory", results)
    assert (verdict.status, verdict.reason) == (
        "not_tried",
        "nothing outlives the process here",
    )


def test_unknown_names_are_offered_the_known_ones() -> None:
    """The error names every guarantee."""
    with pytest.raises(DeltabenchError, match=r"no guarantee named 'travel'.*time-travel"):
        guarantee_named("travel")
