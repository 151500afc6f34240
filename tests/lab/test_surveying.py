"""Two surveys of one graph: what differs between them is found and named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.errors import DeltabenchError
from deltabench.lab.surveying import _difference, _most_apart, survey
from deltabench.session.graph_session import ChannelChoice, GraphRequest, GraphSession, Survey

if TYPE_CHECKING:
    from pathlib import Path

RANDOM = """
import operator
from typing import Annotated, TypedDict
from langgraph.graph import START, StateGraph


class State(TypedDict):
    log: Annotated[list[str], operator.add]
    given: str


def node(state):
    return {"log": [f"{hash('text') % 1000:03d}"]}


graph = StateGraph(State)
graph.add_node("node", node)
graph.add_edge(START, "node")
"""

ONE = Survey(
    identity="0" * 16,
    channels=(ChannelChoice(name="log", switched=True, reason="x"),),
    driving="log",
    updates={"log": (2, 1)},
    places=((1, 1),),
    supersteps=(3, 3),
    write_bytes=(10, 20),
    contents={"log": "a", "_own": "b"},
)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({}, None),
        ({"contents": {"log": "a", "_own": "c"}}, None),
        ({"updates": {"log": (2, 3)}}, "the updates of log in turn 2: 1 and 3"),
        ({"supersteps": (3, 4)}, "the number of supersteps"),
        ({"contents": {"log": "z", "_own": "b"}}, "the final value of log"),
        ({"contents": {"_own": "b"}}, "the final value of log"),
        ({"write_bytes": (10, 57)}, None),
    ],
)
def test_the_first_difference_is_named(changed: dict[str, Any], message: str | None) -> None:
    """Counts, contents and sizes are compared; what is an agent's own is not."""
    assert _difference(ONE, ONE.model_copy(update=changed)) == message


def test_bytes_that_do_not_repeat_are_told_and_no_failure() -> None:
    """Langgraph draws ids while it stores messages, which no graph can help."""
    assert _most_apart(ONE, ONE.model_copy(update={"write_bytes": (47, 21)})) == 37
    apart = ONE.model_copy(update={"apart_bytes": 37})
    request = GraphRequest(spec="a:b", inputs="c")
    session = GraphSession(name="n", title="t", turns=2, request=request, survey=apart)
    assert session.notices()[0].startswith("bytes repeat to within 37 a turn")


def _request(folder: Path, repeat: int = 1) -> GraphRequest:
    (folder / "random_graph.py").write_text(RANDOM)
    (folder / "inputs.jsonl").write_text(json.dumps({"given": "x"}))
    return GraphRequest(
        spec=f"{folder / 'random_graph.py'}:graph",
        inputs=str(folder / "inputs.jsonl"),
        repeat=repeat,
    )


def test_a_graph_that_is_not_deterministic_is_found(tmp_path: Path) -> None:
    """What follows from the hash seed of the process shows, with the channel."""
    with pytest.raises(
        DeltabenchError, match=r"not deterministic: .*the final value of log \(so full snapshots"
    ):
        survey(_request(tmp_path), 1, 0)


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        (3, r"inputs\.jsonl: 3 turns asked for, 2 inputs|1 inputs times 2 \(--repeat-session 3"),
        (0, "must be a positive whole number"),
    ],
)
def test_a_wrong_number_of_turns_is_told_before_anything_runs(
    tmp_path: Path, turns: int, message: str
) -> None:
    """How many inputs there are, and what makes the session long enough."""
    with pytest.raises(DeltabenchError, match=message):
        survey(_request(tmp_path, repeat=2), turns, 0)


def test_a_session_keeps_places_and_numbers_only() -> None:
    """What goes into a result is the survey, and no content of inputs or transcript."""
    request = GraphRequest(spec="./src/agent.py:graph", inputs="in.jsonl")
    session = GraphSession(name=request.name, title="t", turns=2, request=request, survey=ONE)
    assert GraphSession.model_validate(session.specification()) == session
    assert [session.updates_through(turn) for turn in range(3)] == [0, 2, 3]
    assert list(session.file_updates(1)) == [(1, 1)]
    assert (session.digest, session.at_most(9)) == (ONE.identity, 2)
    assert session.notices() == ("switched: log (x)",)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("./src/agent.py:graph", "agent:graph"),
        ("my_app.agent:make", "my_app.agent:make"),
        ("./langgraph.json", "langgraph"),
        ("langgraph.json:agent", "langgraph:agent"),
    ],
)
def test_a_graph_has_a_short_name(spec: str, name: str) -> None:
    """Tables and folders show what the user would say."""
    assert GraphRequest(spec=spec, inputs="x").name == name
