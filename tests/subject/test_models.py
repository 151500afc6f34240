"""Who answers for the models of a user's graph: nobody, a scripted one, or a recording."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.cells import Policy
from deltabench.errors import DeltabenchError
from deltabench.measure.recording import record_session
from deltabench.session.graph_session import GraphRequest
from deltabench.session.recording import load_recording
from deltabench.subject.graph_subject import GraphSubject, build_graph_subject
from tests.subject.talking_graph import TOOLS, ran

if TYPE_CHECKING:
    from collections.abc import Callable

MODULE = "tests.subject.talking_graph"
KNOWN = {"messages": "add_messages"}
FULL = Policy()
PATCHED = [(BaseChatModel, "_generate_with_cache"), (BaseTool, "run"), (BaseTool, "arun")]


@pytest.fixture
def request_for(tmp_path: Path) -> Callable[..., GraphRequest]:
    """Give a maker of requests, whose inputs are a file of these user messages."""

    def make(name: str, *said: Any, **fields: Any) -> GraphRequest:
        path = tmp_path / f"inputs{len(list(tmp_path.iterdir()))}.jsonl"
        lines = [
            json.dumps(
                one if isinstance(one, dict) else {"messages": [{"role": "user", "content": one}]}
            )
            for one in said
        ]
        path.write_text("\n".join(lines))
        return GraphRequest(spec=f"{MODULE}:{name}", inputs=str(path), **fields)

    return make


def _drive(request: GraphRequest, turns: int, policy: Policy = FULL) -> GraphSubject:
    subject = build_graph_subject(request, policy, InMemorySaver(), KNOWN)
    for turn in range(1, turns + 1):
        subject.turn(turn, "sync")
    return subject


def _said(subject: GraphSubject) -> list[tuple[str, str]]:
    values = subject.graph.get_state(subject.config()).values
    return [(message.type, message.text) for message in values["messages"]]


@pytest.mark.parametrize("name", ["graph", "later", "in_pieces", "past_errors"])
def test_a_real_model_is_refused(request_for: Callable[..., GraphRequest], name: str) -> None:
    """However a node asks, and even where the graph catches it, the turn fails in one line."""
    ran.clear()
    with pytest.raises(DeltabenchError, match=r"asks a model \(RealModel\) .*record") as caught:
        _drive(request_for(name, "hello"), 1)
    assert "\n" not in str(caught.value)
    assert not ran


@pytest.mark.parametrize(
    ("name", "fields", "answer", "asked"),
    [
        ("fake", {}, "fake", 0),
        ("graph", {"model": f"{MODULE}:Always"}, "scripted", 0),
        ("later", {"model": f"{MODULE}:Always"}, "scripted", 0),
    ],
)
def test_who_may_answer(
    request_for: Callable[..., GraphRequest],
    name: str,
    fields: dict[str, Any],
    answer: str,
    asked: int,
) -> None:
    """LangChain's fakes always, and a scripted model in place of any."""
    ran.clear()
    before = [vars(owner)[method] for owner, method in PATCHED]
    subject = _drive(request_for(name, "hello", **fields), 1)
    assert _said(subject)[-1][1].startswith(answer)
    assert ran["model"] == asked
    assert [vars(owner)[method] for owner, method in PATCHED] == before


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("model", "must be a function or a class"),
        ("fails", "failed: RuntimeError: no key"),
        ("gives_text", "gave a str and no chat model"),
        ("modl", "did you mean model"),
    ],
)
def test_a_wrong_model_is_one_line(
    request_for: Callable[..., GraphRequest], model: str, message: str
) -> None:
    """A model that is none, or cannot be made, is told in one line."""
    with pytest.raises(DeltabenchError, match=message) as caught:
        _drive(request_for("graph", "hello", model=f"{MODULE}:{model}"), 1)
    assert "\n" not in str(caught.value)


SAID: tuple[Any, ...] = ("hello", *sorted(TOOLS - {"confirm"}), "confirm", {"resume": "yes"})


@pytest.fixture
def recorded(request_for: Callable[..., GraphRequest], tmp_path: Path) -> GraphRequest:
    """Give a request whose transcript was just recorded."""
    request = request_for("graph", *SAID)
    place = tmp_path / "session.json"
    turns: list[int] = []
    record_session(request, len(SAID), str(place), turns.append)
    assert turns == list(range(1, len(SAID) + 1))
    return request.model_copy(update={"transcript": str(place)})


def test_a_recording_is_replayed_to_the_letter(recorded: GraphRequest) -> None:
    """No model is asked; tools run only where their result is more than text."""
    recording = load_recording(Path(str(recorded.transcript)))
    ran.clear()
    subject = _drive(recorded, len(SAID))
    assert ran == {"write": 1, "send": 1, "confirm": 2, "delegate": 1}
    recorded_answers = [
        entry.message["data"]["content"] for turn in recording.turns for entry in turn.models
    ]
    said = _said(subject)
    answers = [text for kind, text in said if kind == "ai"]
    in_order = iter(recorded_answers)
    assert all(text in in_order for text in answers)
    assert len(answers) == len(recorded_answers) - 1  # one was said inside a tool
    assert ("tool", "t yes") in said
    other = _drive(recorded, len(SAID), Policy(snapshot_frequency=3))
    assert _said(other) == said
    both = [each.graph.get_state(each.config()).values["messages"] for each in (subject, other)]
    ids = [[message.id for message in messages if message.type != "human"] for messages in both]
    assert ids[0] == ids[1]
    assert None not in ids[0]


def test_a_recording_goes_on_with_new_ids(recorded: GraphRequest) -> None:
    """Played twice the thread is twice as long, and no message replaced another."""
    once = _said(_drive(recorded, len(SAID)))
    subject = _drive(recorded, 2 * len(SAID))
    assert _said(subject) == [*once, *once]
    messages = subject.graph.get_state(subject.config()).values["messages"]
    assert len({message.id for message in messages}) == len(messages)


def test_other_inputs_are_refused(
    request_for: Callable[..., GraphRequest], recorded: GraphRequest
) -> None:
    """A transcript of other inputs, or of fewer, would answer questions nobody asked."""
    changed = request_for("graph", "changed", transcript=recorded.transcript)
    with pytest.raises(DeltabenchError, match="turn 1 was recorded with another input"):
        _drive(changed, 1)
    longer = request_for("graph", *SAID, "more", transcript=recorded.transcript)
    with pytest.raises(DeltabenchError, match=r"has 8 turns, .* 9 \(record all of them"):
        _drive(longer, 1)


def test_a_graph_that_asks_more_than_recorded_is_told(
    recorded: GraphRequest, tmp_path: Path
) -> None:
    """A graph that has changed since runs out of answers, which is said with the turn."""
    place = tmp_path / "short.json"
    values = json.loads(Path(str(recorded.transcript)).read_text())
    values["turns"][0]["models"] = []
    place.write_text(json.dumps(values))
    short = recorded.model_copy(update={"transcript": str(place)})
    with pytest.raises(DeltabenchError, match=r"in turn 1 .* more often .*\(0 times\)"):
        _drive(short, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"there is no file .*x\.json \(deltabench record makes one"),
        ("{", "Invalid JSON"),
        ('{"format": "chat"}', "format: Input should be 'deltabench recording'"),
        ('{"format": "deltabench recording", "graph": "g", "turns": []}', "turns: "),
    ],
)
def test_a_file_that_is_no_recording_is_one_line(
    tmp_path: Path, content: str | None, message: str
) -> None:
    """The file, and what is wrong in it."""
    path = tmp_path / "x.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(DeltabenchError, match=message) as caught:
        load_recording(path)
    assert "\n" not in str(caught.value)


def test_what_was_recorded_before_a_failure_is_kept(
    request_for: Callable[..., GraphRequest], tmp_path: Path
) -> None:
    """Turns that were paid for are not lost, and the error says so."""
    place = tmp_path / "part.json"
    request = request_for("graph", "hello", {"messages": 5})
    with pytest.raises(DeltabenchError, match=r"turn 2: .*the turns before it are saved in"):
        record_session(request, 2, str(place), lambda _: None)
    assert len(load_recording(place).turns) == 1
