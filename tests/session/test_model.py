"""The scripted model and the search tool inside the real agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.measure.state import digest_state
from deltabench.session.model import NO_SUMMARIZATION_TOKENS, ScriptedModel, search_tool
from deltabench.session.script import Script
from deltabench.session.workload import load_workload
from tests.subject.short_session import FULL, WRITE, delta, drive, small_workload

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.cells import Policy
    from deltabench.session.workload import Workload

SUMMARIZING = """
title = "a long talk in a small context"
turns = 8
user_chars = 2_000
answer_chars = 4_000

[[rounds]]
  [[rounds.calls]]
  tool = "write_file"
  chars = 8_000

[summarization]
max_input_tokens = 9_000
summary_chars = 500
"""
TURNS = 8


def test_model_says_the_lines_of_its_turn() -> None:
    """In the agent loop each call takes the next line, and a new turn begins at its first."""
    script = Script(workload=small_workload(), seed=7)
    model = ScriptedModel(script)
    loop = model.bind_tools([])
    for turn in (1, 2, 1):
        model.begin_turn(turn)
        for step in range(2):
            message = loop.invoke([HumanMessage("whatever")])
            assert message.id == script.answer_id(turn, step)
            assert message.content == script.answer_text(turn, step)
            assert [call["id"] for call in message.tool_calls] == [
                call["id"] for call in script.tool_calls(turn, step)
            ]


def test_a_summary_takes_no_line() -> None:
    """A call without tools gets the summary, and the turn goes on where it was."""
    script = Script(workload=small_workload(summarization={"max_input_tokens": 5_000}), seed=7)
    model = ScriptedModel(script)
    model.begin_turn(1)
    loop = model.bind_tools([])
    loop.invoke("go")
    assert model.invoke("Summarize this.").content == script.summary_text()
    assert loop.invoke("go on").id == script.answer_id(1, 1)


@pytest.mark.parametrize(
    ("summarization", "limit"),
    [(None, NO_SUMMARIZATION_TOKENS), ({"max_input_tokens": 5_000}, 5_000)],
)
def test_model_announces_its_context(summarization: dict[str, int] | None, limit: int) -> None:
    """The profile tells Deep Agents the size of the context that the workload asks for."""
    model = ScriptedModel(Script(workload=small_workload(summarization=summarization), seed=7))
    assert model.profile == {"max_input_tokens": limit}


def test_search_tool_gives_the_scripted_listing() -> None:
    """The tool has one argument, the query, and gives what the script says for it."""
    script = Script(workload=small_workload(rounds=[{"calls": [_search(500)]}]), seed=7)
    (call,) = script.tool_calls(3, 0)
    tool = search_tool(script)
    assert (tool.name, list(tool.args)) == (call["name"], ["query"])
    assert tool.invoke(call["args"]) == script.search_result(call["args"]["query"])


def _search(chars: int) -> dict[str, Any]:
    return {"tool": "search", "chars": chars}


def test_one_turn_is_what_the_script_says() -> None:
    """A real turn leaves the script's messages in order, and the files as they were written."""
    rounds = [{"calls": [WRITE, _search(500)]}, {"calls": [{"tool": "read_file"}]}]
    workload = small_workload(rounds=rounds)
    driven = drive(InMemorySaver(), FULL, workload=workload, turns=1)
    script = Script(workload=workload, seed=7)
    user, ask, wrote, found, read, content, answer = driven.live["messages"]
    assert (user.content, user.id) == (script.user_text(1), script.user_id(1))
    assert [each.id for each in (ask, read, answer)] == ["ai-1-0", "ai-1-1", "ai-1-2"]
    assert answer.content == script.answer_text(1, 2)
    arguments, query = (call["args"] for call in script.tool_calls(1, 0))
    assert found.content == script.search_result(query["query"])
    assert (wrote.tool_call_id, found.tool_call_id) == ("call-1-0-0", "call-1-0-1")
    assert {each.status for each in (wrote, found, content)} == {"success"}
    entry = driven.live["files"][arguments["file_path"]]
    assert entry["content"] == arguments["content"]
    assert arguments["content"].splitlines()[0] in content.content


def test_large_search_result_is_moved_to_files() -> None:
    """The real middleware leaves a short message and the exact listing in a file."""
    workload = small_workload(rounds=[{"calls": [_search(85_000)]}])
    driven = drive(InMemorySaver(), FULL, workload=workload, turns=1)
    script = Script(workload=workload, seed=7)
    (found,) = (each for each in driven.live["messages"] if isinstance(each, ToolMessage))
    ((path, entry),) = driven.live["files"].items()
    assert path.startswith("/large_tool_results/")
    assert path in found.content
    assert len(found.content) < 10_000
    listing = script.search_result(script.tool_calls(1, 0)[0]["args"]["query"])
    assert entry["content"] == listing
    assert len(listing) == 85_000


@pytest.mark.parametrize("name", ["A", "B"])
def test_shipped_workloads_meet_the_eviction(name: str) -> None:
    """A and B have turns with a search result that is moved, and more turns without."""
    calls = [call for round_ in load_workload(name).rounds for call in round_.calls]
    searches = [call for call in calls if call.tool == "search"]
    evicted = [any(call.writes_a_file(turn) for call in searches) for turn in range(1, 101)]
    assert 0 < sum(evicted) < 50


@pytest.fixture
def summarizing(tmp_path: Path) -> Workload:
    """A workload of one's own that makes Deep Agents summarize."""
    path = tmp_path / "summarizing.toml"
    path.write_text(SUMMARIZING)
    return load_workload(str(path))


@pytest.mark.parametrize("policy", [FULL, delta(3)], ids=["full", "delta"])
def test_summaries_leave_the_script_alone(summarizing: Workload, policy: Policy) -> None:
    """Deep Agents summarizes with the script's text, and every line is said all the same."""
    driven = drive(InMemorySaver(), policy, workload=summarizing, turns=TURNS)
    script = driven.subject.model.script
    event = driven.values["_summarization_event"]
    assert event["cutoff_index"] > 0
    assert script.summary_text() in event["summary_message"].content
    said = [each for each in driven.live["messages"] if isinstance(each, AIMessage)]
    places = [(turn, step) for turn in range(1, TURNS + 1) for step in range(2)]
    assert [each.id for each in said] == [script.answer_id(*place) for place in places]
    assert [each.content for each in said] == [script.answer_text(*place) for place in places]
    assert len(driven.live["messages"]) == 4 * TURNS
    assert driven.tracker.updates["messages"] == TURNS * summarizing.updates_per_turn


def test_summarized_full_and_delta_end_alike(summarizing: Workload) -> None:
    """With summaries too, full and every K end with the same content."""
    contents = set()
    for policy in (FULL, delta(3), delta(1000)):
        driven = drive(InMemorySaver(), policy, workload=summarizing, turns=TURNS)
        contents.add(digest_state(driven.live, [driven.values]).content)
    assert len(contents) == 1


def test_without_the_key_nothing_is_summarized(summarizing: Workload) -> None:
    """The same session without `[summarization]` never starts to summarize."""
    plain = summarizing.model_copy(update={"summarization": None})
    driven = drive(InMemorySaver(), FULL, workload=plain, turns=TURNS)
    assert set(driven.values) == {"messages", "files"}
    assert all(path.startswith("/src/") for path in driven.values["files"])
