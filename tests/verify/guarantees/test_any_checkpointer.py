"""What a delta channel asks of a saver, and savers that do not give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver

from deltabench.verify.cell import try_guarantee
from deltabench.verify.guarantees.any_checkpointer import AnyCheckpointer
from tests.verify import faults

if TYPE_CHECKING:
    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import CaseResult


def _results(change: Change, checkpointer: str = "memory") -> dict[str, CaseResult]:
    guarantee = AnyCheckpointer()
    tried = try_guarantee(guarantee, checkpointer, guarantee.variants[:1], change=change)
    return {result.case: result for result in tried}


def _failing(change: Change) -> set[str]:
    return {name for name, result in _results(change).items() if result.fails}


def walks_alone(saver: Any) -> None:
    """The default of langgraph: one read for each parent."""
    faults._become(saver, get_delta_channel_history=BaseCheckpointSaver.get_delta_channel_history)


def reads_twice(saver: Any) -> None:
    """Each parent is read twice."""
    plain = BaseCheckpointSaver.get_delta_channel_history

    def get_delta_channel_history(self: Any, **kwargs: Any) -> Any:
        plain(self, **kwargs)
        return plain(self, **kwargs)

    faults._become(saver, get_delta_channel_history=get_delta_channel_history)


def stops_at_a_page(saver: Any) -> None:
    """A chain is read to the end of the first page of 1,024 rows."""
    plain = type(saver).get_delta_channel_history

    def get_delta_channel_history(self: Any, **kwargs: Any) -> Any:
        found = plain(self, **kwargs)
        return {name: {**each, "writes": each["writes"][-1024:]} for name, each in found.items()}

    faults._become(saver, get_delta_channel_history=get_delta_channel_history)


def loses_parents(saver: Any) -> None:
    """No checkpoint knows where it came from."""
    plain = type(saver).get_tuple

    def get_tuple(self: Any, config: Any) -> Any:
        found = plain(self, config)
        return found._replace(parent_config=None) if found else None

    faults._become(saver, get_tuple=get_tuple)


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        (faults.reorders_writes, "order of pending writes"),
        (faults.forgets_snapshots, "a snapshot keeps its type"),
        (loses_parents, "parents over a fork"),
        (stops_at_a_page, "a replay of 1,100 rows"),
        (reads_twice, "calls of one read"),
        (faults.drops_writes, "langgraph's conformance suite"),
    ],
)
def test_each_case_can_fail(change: Change, failing: str) -> None:
    """A saver that breaks one thing is found by the case that tries it."""
    assert failing in _failing(change)


def test_a_walk_over_all_parents_is_told_and_no_failure() -> None:
    """It grows with the thread, which its owner should know."""
    results = _results(walks_alone)
    assert not any(result.fails for result in results.values())
    (fact,) = results["calls of one read"].facts
    assert fact.endswith("to read one state: 22 after 5 turns, 102 after 25 turns")
