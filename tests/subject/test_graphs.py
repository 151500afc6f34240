"""A user's graph, in every form that can be named, on deltabench's checkpointer."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.pregel import Pregel

from deltabench.cells import Policy
from deltabench.errors import DeltabenchError
from deltabench.subject.candidates import choose_channels
from deltabench.subject.graphs import open_graph
from deltabench.subject.policy import apply_policy

if TYPE_CHECKING:
    from pathlib import Path

CONFIG: Any = {"configurable": {"thread_id": "t"}}
INPUT = {"messages": [("user", "hello")]}
COMPILED = ["graph", "plain", "only_async", "outer"]
FACTORIES = ["nothing", "later", "configured", "saved", "managed", "managed_later"]
FORMS = ["builder", *COMPILED, *FACTORIES]


@pytest.mark.usefixtures("graphs")
@pytest.mark.parametrize("name", FORMS)
def test_every_form_runs_on_the_given_saver(name: str) -> None:
    """Compiled graphs, builders and factories of all kinds store on our saver, and only there."""
    saver = InMemorySaver()
    source = open_graph(f"graphs.py:{name}")
    graph = source.build(saver)
    assert graph.checkpointer is saver
    graph.invoke(INPUT, CONFIG)
    state = graph.get_state(CONFIG).values
    assert [m.content for m in state["messages"]] == ["hello", "answer 1!"]
    other = source.build(InMemorySaver())
    assert other is not graph
    assert other.get_state(CONFIG).values == {}


@pytest.mark.usefixtures("graphs")
def test_what_was_compiled_in_is_kept() -> None:
    """Name and breakpoints survive the move to another saver."""
    graph = open_graph("graphs:graph").build(InMemorySaver())
    assert graph.name == "mine"
    assert graph.interrupt_after_nodes == ["answer"]


@pytest.mark.usefixtures("graphs")
@pytest.mark.parametrize("name", ["plain", "outer"])
def test_the_users_own_graph_stays_as_it_is(name: str) -> None:
    """A policy reaches the built copy, also in graphs that are nodes, and not the original."""
    source = open_graph(f"graphs:{name}")
    before = [list(p.channels.values()) for p in _parts(source.target)]
    graph = source.build(InMemorySaver())
    apply_policy(graph, Policy(snapshot_frequency=3), choose_channels(graph))
    assert [list(p.channels.values()) for p in _parts(source.target)] == before
    kinds = {type(part.channels["messages"]).__name__ for part in _parts(graph)}
    assert kinds == {"DeltaChannel"}


def _parts(graph: Any) -> list[Pregel[Any]]:
    found = [graph, *(part for _, part in graph.get_subgraphs(recurse=True))]
    return [part for part in found if isinstance(part, Pregel)]


@pytest.mark.usefixtures("graphs")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("number", "is a int and no graph"),
        ("broken", r"does not compile: .*entrypoint"),
        ("needs", "needs an argument 'tenant' that nobody can give .*a factory takes"),
        ("fails", r"failed: RuntimeError: no key, at .*graphs\.py:\d+"),
        ("gives_text", r"gave a str \(no graph"),
        ("grph", r"no 'grph' \(did you mean graph"),
    ],
)
def test_what_is_no_graph_is_one_line(name: str, message: str) -> None:
    """A wrong object, signature or result is told in one line that says what is expected."""
    with pytest.raises(DeltabenchError, match=message) as caught:
        open_graph(f"graphs.py:{name}").build(InMemorySaver())
    assert "\n" not in str(caught.value)


def _langgraph_json(folder: Path, **values: object) -> None:
    (folder / "langgraph.json").write_text(json.dumps(values))


@pytest.mark.parametrize("spec", ["langgraph.json", "./langgraph.json:mine"])
@pytest.mark.parametrize("entry", ["./graphs.py:plain", "graphs:plain", {"path": "graphs:plain"}])
def test_langgraph_json_names_a_graph(
    graphs: Path, monkeypatch: pytest.MonkeyPatch, spec: str, entry: object
) -> None:
    """The file's own notation, dependencies and environment are followed."""
    monkeypatch.delenv("MINE", raising=False)
    monkeypatch.setenv("KEPT", "mine")
    (graphs / ".env").write_text("# comment\nMINE='text'\nKEPT=other\n")
    _langgraph_json(graphs, dependencies=["."], graphs={"mine": entry}, env=".env")
    graph = open_graph(spec).build(InMemorySaver())
    assert "messages" in graph.channels
    assert (os.environ["MINE"], os.environ["KEPT"]) == ("text", "mine")
    monkeypatch.delenv("MINE")


@pytest.mark.parametrize(
    ("text", "spec", "message"),
    [
        ("{\n,}", "langgraph.json", r"langgraph\.json:2: not valid JSON"),
        ("[]", "langgraph.json", "must be a JSON object"),
        ("{}", "langgraph.json", "names no graph"),
        ('{"graphs": {"a": "x:y", "b": "x:y"}}', "langgraph.json", "several graphs: a, b"),
        ('{"graphs": {"a": "x:y"}}', "langgraph.json:b", r"no graph 'b' \(it has a\)"),
        ('{"graphs": {"a": 5}}', "langgraph.json", r"graphs\.a: must be a path"),
        ('{"graphs": {"a": "x:y"}, "dependencies": ["./n"]}', "langgraph.json", r"no folder \./n"),
        ('{"graphs": {"a": "x:y"}, "env": ".nope"}', "langgraph.json", "cannot be read"),
        ('{"graphs": {"a": "x:y"}}', "other.json", r"there is no file other\.json"),
    ],
)
def test_a_wrong_langgraph_json_is_one_line(
    graphs: Path, text: str, spec: str, message: str
) -> None:
    """The file, and the line or key that is wrong, are told in one line."""
    (graphs / "langgraph.json").write_text(text)
    with pytest.raises(DeltabenchError, match=message) as caught:
        open_graph(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("graphs")
def test_the_source_file_is_part_of_the_identity(graphs: Path) -> None:
    """Another text of the file gives another digest; the same file the same by both names."""
    first = open_graph("graphs.py:graph").source_digest
    assert first == open_graph("graphs:graph").source_digest
    with (graphs / "graphs.py").open("a") as file:
        file.write("\n# changed\n")
    assert open_graph("graphs.py:graph").source_digest not in {first, ""}
