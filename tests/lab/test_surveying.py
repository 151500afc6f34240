"""Two surveys of one graph: what differs between them is found and named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.errors import DeltabenchError
from deltabench.lab.surveying import _difference, _most_apart, recording_place, survey
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

TALKING = """
import random
from pathlib import Path
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import START, MessagesState, StateGraph

ASKED = Path(__file__).with_name("asked")


class Real(BaseChatModel):
    @property
    def _llm_type(self):
        return "real"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        with ASKED.open("a") as asked:
            asked.write("x")
        said = AIMessage(f"{random.SystemRandom().random()}")
        return ChatResult(generations=[ChatGeneration(message=said)])


builder = StateGraph(MessagesState)
builder.add_node("answer", lambda state: {"messages": [Real().invoke(state["messages"])]})
builder.add_edge(START, "answer")
graph = builder.compile()
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


def test_real_models_are_asked_once(tmp_path: Path) -> None:
    """A model that never answers alike is recorded, and replayed now and the next time."""
    (tmp_path / "talking_graph.py").write_text(TALKING)
    said = [json.dumps({"messages": [{"role": "user", "content": text}]}) for text in "abc"]
    (tmp_path / "inputs.jsonl").write_text("\n".join(said))
    request = GraphRequest(
        spec=f"{tmp_path / 'talking_graph.py'}:graph",
        inputs=str(tmp_path / "inputs.jsonl"),
        allow_model_calls=True,
    )
    first = survey(request, 2, 0)
    assert (tmp_path / "asked").read_text() == "xxx"
    assert first.request.transcript == str(recording_place(request))
    assert not first.request.allow_model_calls
    again = survey(request, 2, 0)
    assert (tmp_path / "asked").read_text() == "xxx"
    assert again.survey == first.survey


@pytest.mark.parametrize("name", ["transcript", "model"])
def test_two_stand_ins_are_refused(tmp_path: Path, name: str) -> None:
    """Which one would answer is nobody's guess."""
    request = _request(tmp_path).model_copy(update={"allow_model_calls": True, name: "x"})
    with pytest.raises(DeltabenchError, match=f"--{name} and --allow-model-calls exclude"):
        survey(request, 1, 0)
