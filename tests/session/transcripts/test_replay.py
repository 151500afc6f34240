"""A recorded chat inside the real agent: the thread holds what was recorded, and no more."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.measure.state import digest_state
from deltabench.session.transcripts.files import NEVER_EVICTED, USER_EVICTED_ABOVE_CHARS
from deltabench.session.workload import EVICTED_ABOVE_CHARS
from tests.session.transcripts.chats import CODING, call, chat, result, said, user
from tests.subject.short_session import FULL, Driven, delta, drive

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.cells import Durability, Policy
    from deltabench.session.transcripts.transcript import Transcript

GREETING = "/src/customer/greeting.py"
LARGE = "line of a log\n" * (EVICTED_ABOVE_CHARS // 14 + 1)


def _drive(
    transcript: Transcript, policy: Policy = FULL, *, durability: Durability = "sync"
) -> Driven:
    saver = InMemorySaver()
    turns = transcript.turns
    return drive(saver, policy, workload=transcript, turns=turns, durability=durability)


def _ask(call_id: str, tool: str, returned: Any, **arguments: Any) -> list[Any]:
    return [said("", call(call_id, tool, **arguments)), result(call_id, returned)]


@pytest.mark.oldest
def test_the_thread_holds_what_was_recorded(tmp_path: Path) -> None:
    """Message for message: contents, calls and results, and the file that was edited."""
    values = _drive(chat(tmp_path, CODING)).values
    recorded = [each for each in CODING if each["role"] != "system"]
    recorded[2:4] = recorded[3:1:-1]  # the agent keeps results in the order of the calls
    assert [each.content for each in values["messages"]] == [each["content"] for each in recorded]
    kinds = {"human": "user", "ai": "assistant", "tool": "tool"}
    assert [kinds[each.type] for each in values["messages"]] == [each["role"] for each in recorded]
    asked = values["messages"][1]
    assert [each["args"] for each in asked.tool_calls] == [
        {"command": "ls -F --color=never"},
        {"file_path": GREETING, "content": CODING[2]["tool_calls"][1]["function"]["arguments"]}
        | {"content": "def greet(customer: str) -> str:\n    return f'Hello {customer}'\n"},
    ]
    assert [each.tool_call_id for each in values["messages"][2:4]] == [
        each["id"] for each in asked.tool_calls
    ]
    assert "A warm welcome, dear {customer}" in str(values["files"][GREETING]["content"])


def test_repetitions_have_ids_of_their_own(tmp_path: Path) -> None:
    """A thread of three repetitions is three times as long, and no id occurs twice."""
    driven = _drive(chat(tmp_path, CODING, repeat=3))
    messages = driven.values["messages"]
    assert len(messages) == 3 * (len(CODING) - 1)
    ids = [each.id for each in messages if each.type != "tool"]
    calls = [each["id"] for message in messages for each in getattr(message, "tool_calls", ())]
    assert len(set(ids)) == len(ids)
    assert len(set(calls)) == len(calls) == 9
    recorded = [each["id"] for message in CODING for each in message.get("tool_calls", ())]
    shortest = len("call-1-0-0")
    assert {len(each) for each in calls} == {max(len(each), shortest) for each in recorded}


@pytest.mark.parametrize("durability", ["sync", "exit"])
def test_full_and_delta_end_in_the_same_state(tmp_path: Path, durability: Durability) -> None:
    """Across several snapshots, and deltas store less."""
    transcript = chat(tmp_path, CODING, repeat=4)
    states = {}
    for policy in (FULL, delta(3)):
        driven = _drive(transcript, policy, durability=durability)
        states[policy.label] = digest_state(driven.live, [driven.values]).content
        updates = driven.tracker.updates["messages"]
        wanted = transcript.turns if durability == "exit" else transcript.updates_through(8)
        assert updates == wanted
    assert states["full"] == states["K=3"]


TALKS = {
    "talk": [user("a"), said("b")],
    "several at once": [user("a"), user("b"), said("c")],
    "a greeting first": [said("welcome"), user("a"), said("b")],
    "parts": [
        user([{"type": "text", "text": "what is this?"}, {"type": "image_url", "image_url": {
            "url": "data:image/png;base64,iVBORw0KGgo="}}]),
        said([{"type": "text", "text": "a picture"}]),
    ],
    "files": CODING,
    "an edit that does not fit": [
        user("a"),
        *_ask("c1", "edit_file", "done", file_path="/x.py", old_string="a", new_string="b"),
        said("b"),
    ],
    "fields of another file tool": [
        user("a"), *_ask("c1", "write_file", "done", path="x.py", text="a"), said("b"),
    ],
    "a large result": [user("a"), *_ask("c1", "search", LARGE), said("b")],
    "a large result that stays": [user("a"), *_ask("c1", "read_file", LARGE), said("b")],
    "a large message": [user("a" * (USER_EVICTED_ABOVE_CHARS + 1)), said("b")],
    "one just as large as stays": [
        user("a" * USER_EVICTED_ABOVE_CHARS),
        *_ask("c1", "s", "r" * EVICTED_ABOVE_CHARS),
        said("b"),
    ],
    "arguments with the names of parameters": [
        user("a"),
        *_ask("c1", "run", "r", self=1, config=2, run_manager=3, tool_call_id=4),
        said("b"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", TALKS)
def test_what_is_foreseen_is_what_a_real_session_does(tmp_path: Path, name: str) -> None:
    """Updates of messages and of files, and in which superstep, also in a repetition."""
    transcript = chat(tmp_path, TALKS[name], repeat=2)
    saver = InMemorySaver()
    driven = drive(saver, FULL, workload=transcript, turns=transcript.turns)
    assert driven.tracker.updates["messages"] == transcript.updates_through(transcript.turns)
    foreseen = list(transcript.file_updates(transcript.turns))
    assert driven.tracker.updates["files"] == len(foreseen)
    ends = [transcript.updates_through(turn) for turn in range(transcript.turns)]
    places = [ends[turn - 1] + place for turn, place in foreseen]
    assert _file_updates(driven, saver) == places
    sizes = [transcript.turn_size(turn) for turn in range(1, transcript.turns + 1)]
    assert sum(size.messages for size in sizes) - sum(
        len(getattr(each, "tool_calls", ())) for each in driven.values["messages"]
    ) == len(driven.values["messages"])


def _file_updates(driven: Driven, saver: InMemorySaver) -> list[int]:
    """The updates of messages at which files changed, by the versions that are stored."""
    stored = [each.checkpoint["channel_versions"] for each in saver.list(driven.subject.config())]
    found, updates = [], 0
    for before, after in itertools.pairwise([{}, *reversed(stored)]):
        updates += before.get("messages") != after.get("messages")
        if before.get("files") != after.get("files"):
            found.append(updates)
    return found


def test_a_large_result_is_moved_to_files_as_in_production(tmp_path: Path) -> None:
    """The thread keeps a preview, files the whole, and the shape counts one."""
    transcript = chat(tmp_path, TALKS["a large result"])
    values = _drive(transcript).values
    assert len(values["messages"][2].content) < 10_000
    assert [entry["content"] for entry in values["files"].values()] == [LARGE]
    assert transcript.turn_size(1).evicted == 1


def test_results_that_stay_are_those_of_the_installed_deepagents() -> None:
    """The names that are foreseen to stay are the ones that its middleware leaves alone."""
    from deepagents.middleware import filesystem

    assert set(filesystem.TOOLS_EXCLUDED_FROM_EVICTION) == NEVER_EVICTED


# With arguments under which the real tools would do something, or fail.
BUILT_IN: list[tuple[str, dict[str, Any]]] = [
    ("ls", {"path": "/"}),
    ("read_file", {"file_path": "/nothing.txt"}),
    ("grep", {"pattern": "("}),
    ("glob", {"pattern": "**"}),
    ("execute", {"command": "exit 1"}),
    ("task", {"description": "do it all", "subagent_type": "general-purpose"}),
    ("write_todos", {"todos": [{"content": "rest", "status": "pending"}]}),
    ("write_file", {"file_path": "/a/../../b", "content": "x"}),
    ("delete", {"file_path": "/nothing.txt"}),
]


@pytest.mark.oldest
def test_tools_of_deepagents_answer_as_recorded(tmp_path: Path) -> None:
    """No subagent runs and no error of a real tool shows: the result is the recorded one."""
    calls = [call(f"c{i}", name, **args) for i, (name, args) in enumerate(BUILT_IN)]
    results = [result(f"c{i}", f"recorded {name}") for i, (name, _) in enumerate(BUILT_IN)]
    transcript = chat(tmp_path, [user("a"), said("", *calls), *results, said("b")])
    driven = _drive(transcript)
    messages = driven.values["messages"]
    assert len(messages) == 3 + len(BUILT_IN)
    found = {each.name: each.content for each in messages if each.type == "tool"}
    assert found == {name: f"recorded {name}" for name, _ in BUILT_IN}
    assert driven.tracker.updates["messages"] == 4


def test_system_messages_are_instructions_and_not_part_of_the_thread(tmp_path: Path) -> None:
    """The agent gets them with every call of its model, and the checkpoints never."""
    transcript = chat(tmp_path, CODING)
    assert transcript.script(0).system_prompt == CODING[0]["content"]
    saver = InMemorySaver()
    drive(saver, FULL, workload=transcript, turns=1)
    stored = b"".join(value for _, value in saver.blobs.values())
    assert CODING[1]["content"].encode() in stored
    assert CODING[0]["content"].encode() not in stored


def test_a_recording_is_as_long_as_it_is(tmp_path: Path) -> None:
    """Times its repetitions; what asks for more turns gets as many as there are."""
    transcript = chat(tmp_path, CODING, repeat=2)
    assert [transcript.at_most(turns) for turns in (3, 4, 5)] == [3, 4, 4]
    assert transcript.digest == chat(tmp_path, CODING).digest


def test_an_unknown_call_is_no_line_of_the_script(tmp_path: Path) -> None:
    """A call that the transcript never made is an error, not an empty result."""
    with pytest.raises(ValueError, match="never made a call 'x'"):
        chat(tmp_path, CODING).script(0).call("x")
