"""Where a thread of uneven turns is read: the phases that real checkpoints have there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.plan import read_positions
from tests.session.transcripts.chats import call, chat, result, said, user
from tests.subject.short_session import delta, drive

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.cells import Durability

# Turns of two, six and four updates.
UNEVEN = [
    *(user("a"), said("b")),
    *(user("c"), said("", call("c1", "look")), result("c1", "r")),
    *(said("", call("c2", "look")), result("c2", "r"), said("d")),
    *(user("e"), said("", call("c3", "look")), result("c3", "r"), said("f")),
]


@pytest.mark.parametrize("frequency", [2, 5, 7, 9])
@pytest.mark.parametrize("durability", ["sync", "exit"])
def test_places_have_the_phase_they_are_named_for(
    tmp_path: Path, durability: Durability, frequency: int
) -> None:
    """Nothing to replay right after a snapshot, most just before; all places are reached."""
    transcript = chat(tmp_path, UNEVEN, repeat=3)
    places = read_positions(transcript, 9, [frequency], durability)
    driven = drive(
        InMemorySaver(),
        delta(frequency),
        workload=transcript,
        turns=9,
        durability=durability,
        wanted={place.update for place in places},
    )
    depths = {
        place.phase: driven.tracker.places[place.update].updates_since_snapshot for place in places
    }
    assert places[-1].update == transcript.updates_through(9) == 36
    assert depths["after_snapshot"] == 0
    if durability == "exit":
        ends = {transcript.updates_through(turn) for turn in range(1, 10)}
        assert {place.update for place in places} <= ends
    else:
        assert depths["before_snapshot"] == frequency - 1
        assert depths.get("middle", 1) == frequency - frequency // 2
