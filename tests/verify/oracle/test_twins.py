"""Twins that raise, alone or both."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pytest
from langgraph.graph import START, StateGraph

from deltabench.verify.oracle.fresh import HelperEndedError, run_freshly
from deltabench.verify.oracle.twins import (
    THREAD,
    BothRaisedError,
    DifferenceFoundError,
    open_twins,
)
from deltabench.verify.probes import Notes, note_taker, under_policy
from deltabench.verify.vocabulary import Variant

if TYPE_CHECKING:
    from deltabench.verify.oracle.side import Side


def _fails(state: Notes) -> Notes:  # noqa: ARG001 - langgraph gives it
    raise ValueError("secret")


def failing(saver: Any, frequency: int | None) -> Any:
    """A graph whose one node fails."""
    builder = StateGraph(Notes)
    builder.add_node("fail", _fails)
    builder.add_edge(START, "fail")
    return under_policy(builder, saver, frequency)


def unreadable(saver: Any) -> None:
    """A saver that cannot replay."""

    def get_delta_channel_history(*_: Any, **__: Any) -> Any:
        raise KeyError("secret")

    name = f"Faulty{type(saver).__name__}"
    members = {"get_delta_channel_history": get_delta_channel_history}
    saver.__class__ = type(name, (type(saver),), members)


def test_twins_that_raise_alike_have_shown_nothing() -> None:
    """Unless a case expects it, such a run says nothing of the promise."""
    with open_twins(failing, "memory", Variant()) as twins:
        with pytest.raises(BothRaisedError, match=r"^both twins raise ValueError after run"):
            twins.run({"notes": ["hello"]})
        twins.run({"notes": ["hello"]}, may_raise=True)


def test_one_twin_that_cannot_be_read_is_a_difference() -> None:
    """The kind of its error is told, not its message."""
    with (
        open_twins(note_taker, "memory", Variant(), change=unreadable) as twins,
        pytest.raises(DifferenceFoundError) as found,
    ):
        twins.run({"notes": ["hello"]})
    difference = found.value.difference
    assert (difference.expected, difference.found) == ("done", "ended in KeyError")
    assert difference.observed == "what came of it"


def _killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_reader_says_nothing_of_the_thread() -> None:
    """Its case is not tried, rather than a difference found."""
    with pytest.raises(HelperEndedError, match="a reader's process ended without an answer"):
        run_freshly(_killed)


def test_an_old_checkpoint_that_changes_on_one_twin_only_is_a_difference() -> None:
    """What changes alike on both, as by a Command, is noted once and the case goes on."""
    with open_twins(note_taker, "memory", Variant()) as twins:
        twins.run({"notes": ["hello"]})
        for side in twins.sides:
            _remember_otherwise(side)
        twins.check()
        assert [each.observed for each in twins.noted] == ["an old checkpoint of both twins"]
        twins.check()
        _remember_otherwise(twins.delta)
        with pytest.raises(DifferenceFoundError) as found:
            twins.check()
    assert found.value.difference.observed == "an old checkpoint of the delta twin"


def _remember_otherwise(side: Side) -> None:
    seen = side._first_seen[THREAD]
    first = next(iter(seen))
    seen[first] = seen[first] | {"values": {"notes": ["other"]}}
