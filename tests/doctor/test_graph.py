"""What is told of a graph without running it."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from deltabench.doctor.graph import carries_snapshots, look_at_graph


class Forgetful(JsonPlusSerializer):
    """Stores a snapshot as the value that it holds."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Drop the type."""
        return super().dumps_typed(obj.value if isinstance(obj, _DeltaSnapshot) else obj)


class Strict(JsonPlusSerializer):
    """Knows no snapshots."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Refuse them."""
        if isinstance(obj, _DeltaSnapshot):
            raise TypeError("secret content")
        return super().dumps_typed(obj)


@pytest.mark.parametrize(
    ("serializer", "level", "words"),
    [
        (JsonPlusSerializer(), "fine", "gives snapshots back as they were"),
        (Forgetful(), "fault", "gives a snapshot back as a list"),
        (Strict(), "fault", "cannot carry a snapshot: it raises TypeError"),
    ],
)
def test_a_serializer_that_loses_snapshots_is_found(
    serializer: Any, level: str, words: str
) -> None:
    """By sending some through it; nothing is stored."""
    (finding,) = carries_snapshots(InMemorySaver(serde=serializer))
    assert finding.level == level
    assert words in finding.text
    assert "secret" not in finding.text


def test_channels_are_told_with_their_k(tmp_path: Any) -> None:
    """Each channel, and whether its reducer fits."""
    path = tmp_path / "my_graph.py"
    path.write_text(
        """\
from typing import Annotated
from typing_extensions import TypedDict
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import StateGraph, START

def append(state: list[str], writes: list[list[str]]) -> list[str]:
    return [*state, *(item for write in writes for item in write)]

def newest(state: list[str], writes: list[list[str]]) -> list[str]:
    return [*state, *writes[-1]] if writes else state

class State(TypedDict):
    notes: Annotated[list[str], DeltaChannel(append, snapshot_frequency=50)]
    last: Annotated[list[str], DeltaChannel(newest)]
    count: int

builder = StateGraph(State)
builder.add_node("node", lambda state: {})
builder.add_edge(START, "node")
graph = builder.compile(checkpointer=InMemorySaver())
""",
        encoding="utf-8",
    )
    part = look_at_graph(f"{path}:graph")
    assert "notes: delta, K=50" in part.facts
    assert any(fact.startswith("count: full; ") for fact in part.facts)
    assert "checkpointer: InMemorySaver, JsonPlusSerializer" in part.facts
    levels = {(finding.level, finding.text.partition(":")[0]) for finding in part.findings}
    assert ("fault", "last") in levels
    assert part.faults == 1
