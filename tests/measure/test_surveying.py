"""The survey of a user's graph, and a cell of it, measured in this process."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING, Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.cells import Durability, Measurement, Policy
from deltabench.checkpointers.registry import backend_named
from deltabench.errors import DeltabenchError
from deltabench.lab.job import Event, Job
from deltabench.lab.measurement import CellFailedError, measure_cell
from deltabench.measure.surveying import survey_graph
from deltabench.plan import Matrix, plan_cells
from deltabench.session.graph_session import GraphRequest, GraphSession
from deltabench.subject.batch_forms import Fold
from deltabench.subject.graph_subject import build_graph_subject, source_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GRAPHS = """
import operator
from typing import Annotated, TypedDict
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt


class State(TypedDict):
    log: Annotated[list[str], operator.add]
    rare: Annotated[dict[str, str], operator.or_]
    count: Annotated[int, operator.add]
    given: str


def once(state):
    return {"log": ["once " * 40]}


def twice(state):
    rare = {"rare": {str(state["count"]): "x" * 50}} if state["count"] % 2 else {}
    return {"log": ["twice"], "count": 1, **rare}


def ask(state):
    return {"log": [interrupt("?")]}


def build(*nodes):
    made, before = StateGraph(State), START
    for node in nodes:
        made.add_node(node.__name__, node)
        made.add_edge(before, node.__name__)
        before = node.__name__
    return made


graph = build(once, twice)
asking = build(once, ask, twice)


def breaks(state):
    raise ValueError("no\\nluck")


failing = build(breaks)


def silent(state):
    return {"count": 1}


unwritten = build(silent)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of the graphs, with everything put back at the end."""
    (tmp_path / "graphs.py").write_text(GRAPHS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    source_of.cache_clear()
    yield tmp_path
    source_of.cache_clear()
    gc.unfreeze()  # a cell freezes the heap of its process


def _request(folder: Path, name: str, *lines: dict[str, Any], repeat: int = 1) -> GraphRequest:
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return GraphRequest(spec=f"graphs.py:{name}", inputs=str(path), repeat=repeat)


GIVEN = {"given": "x"}


def _session(request: GraphRequest, turns: int) -> GraphSession:
    survey = survey_graph(request, turns, 0, lambda _: None)
    return GraphSession(name=request.name, title="t", turns=turns, request=request, survey=survey)


def test_a_survey_counts_what_every_turn_does(folder: Path) -> None:
    """Updates, supersteps and places are those that the nodes of the graph make."""
    survey = survey_graph(_request(folder, "graph", GIVEN, repeat=4), 4, 0, lambda _: None)
    assert {c.name: c.switched for c in survey.channels} == {
        "log": True,
        "rare": True,
        "count": False,
        "given": False,
    }
    assert survey.driving == "log"
    assert survey.updates == {"log": (2, 2, 2, 2), "rare": (0, 1, 0, 1)}
    # With the second update of `log` in the turn, in the same superstep.
    assert survey.places == ((2, 2), (4, 2))
    assert survey.supersteps == (4, 4, 4, 4)
    assert all(size > 200 for size in survey.write_bytes)
    assert survey.contents.keys() == {"log", "rare", "count", "given"}


def test_the_identity_follows_from_all_that_is_the_users(folder: Path) -> None:
    """Another input, another graph or another text of the file is another session."""
    one = _request(folder, "graph", GIVEN)
    seen = {survey_graph(one, 1, 0, lambda _: None).identity}
    assert survey_graph(one, 1, 0, lambda _: None).identity in seen
    seen.add(survey_graph(_request(folder, "asking", GIVEN), 1, 0, lambda _: None).identity)
    other = _request(folder, "graph", {"given": "y"})
    seen.add(survey_graph(other, 1, 0, lambda _: None).identity)
    (folder / "graphs.py").write_text(f"{GRAPHS}\n# changed\n")
    source_of.cache_clear()
    seen.add(survey_graph(other, 1, 0, lambda _: None).identity)
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("failing", r"turn 1: ValueError: no luck, at .*graphs\.py:\d+"),
        ("unwritten", r"never update a channel that could be a delta channel \(log, rare\)"),
    ],
)
def test_a_graph_that_cannot_be_surveyed_is_one_line(folder: Path, name: str, message: str) -> None:
    """What the graph raises, and where; or that there is nothing to see."""
    with pytest.raises(DeltabenchError, match=message) as caught:
        survey_graph(_request(folder, name, GIVEN), 1, 0, lambda _: None)
    assert "\n" not in str(caught.value)


def _measured(
    session: GraphSession, checkpointer: str, k: int | None, durability: Durability
) -> Measurement:
    matrix = Matrix(
        workloads=(session,),
        turns=(),
        frequencies=(3,),
        checkpointers=(checkpointer,),
        durability=durability,
    )
    (cell,) = (c for c in plan_cells(matrix) if c.policy == Policy(snapshot_frequency=k))
    events: list[Event] = []
    backend = backend_named(checkpointer)
    with pytest.MonkeyPatch.context() as patch, backend.prepare() as place:
        for name, value in place.items():
            patch.setenv(name, value)
        with backend.open() as opened:
            cell = cell.model_copy(update={"read_samples": 1})
            measure_cell(Job(cell=cell, workload=session), opened, events.append)
    measurement = events[-1].measurement
    assert measurement is not None
    return measurement


@pytest.mark.parametrize(
    ("checkpointer", "durability"), [("memory", "async"), ("sqlite", "sync"), ("memory", "exit")]
)
def test_every_quantity_is_there_for_a_users_graph(
    folder: Path, checkpointer: str, durability: Durability
) -> None:
    """Full and delta end alike, store what they should, and are read at the same places."""
    session = _session(_request(folder, "asking", GIVEN, {"resume": "yes"}, repeat=4), 8)
    full = _measured(session, checkpointer, None, durability)
    delta = _measured(session, checkpointer, 3, durability)
    assert full.state.content == delta.state.content
    assert full.updates == delta.updates
    assert delta.stored.value_bytes < full.stored.value_bytes
    assert not full.snapshots
    assert {c.class_name for c in full.channels} == {"BinaryOperatorAggregate"}
    assert {c.name for c in delta.channels} == {"log", "rare"}
    assert delta.snapshots["log"] >= 2
    if durability != "exit":
        assert delta.updates["log"] == session.updates_through(8)
        assert delta.snapshots["log"] == delta.updates["log"] // 3
    phases = {read.position.phase for read in delta.reads if read.position}
    assert {"before_snapshot", "after_snapshot", "end"} <= phases
    assert {read.what for read in delta.reads} >= {"resume_warm", "history_10", "time_travel"}
    before = {
        read.position.phase: read.updates_since_snapshot
        for read in delta.reads
        if read.position is not None
    }
    assert before["after_snapshot"] == 0
    assert before["before_snapshot"] > 0


def test_what_a_cell_raises_is_not_quoted(folder: Path) -> None:
    """A result may be shared, so it tells the kind and the place of an error alone."""
    request = _request(folder, "failing", GIVEN)
    subject = build_graph_subject(request, Policy(), InMemorySaver(), {"log": "x"})
    with pytest.raises(DeltabenchError, match=r"turn 1: ValueError, at .*graphs\.py:\d+$"):
        subject.turn(1, "sync")


def test_a_graph_that_ends_otherwise_than_it_is_read_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reducer that is another one at replay shows in the name of its channel."""
    # Eight updates: the last two are replayed at once, on the snapshot of the sixth.
    session = _session(_request(folder, "graph", GIVEN, repeat=4), 4)

    def drifting(state: list[str], writes: list[list[str]]) -> list[str]:
        return [*state, *(item for write in writes for item in write), str(len(writes))]

    def batch_form(reducer: Any, empty: object) -> Any:
        return drifting if isinstance(empty, list) else Fold(reducer)

    monkeypatch.setattr("deltabench.subject.candidates.batch_form", batch_form)
    with pytest.raises(CellFailedError) as caught:
        _measured(session, "memory", 3, "sync")
    assert caught.value.failure.kind == "differs"
    assert "channel log read back differs" in caught.value.failure.reason
