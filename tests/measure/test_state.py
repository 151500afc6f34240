"""Digests of what a thread holds: equal for the same content, and for nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from deltabench.measure.state import digest_state, same_content
from tests.subject.short_session import FULL, WRITE, delta, drive, small_workload

SUMMARIZED = small_workload(
    user_chars=2_000,
    answer_chars=4_000,
    rounds=[{"calls": [{**WRITE, "chars": 8_000}]}],
    summarization={"max_input_tokens": 9_000, "summary_chars": 500},
)


def _state(**changes: Any) -> dict[str, Any]:
    """Give a small state; a change replaces the messages, the files or anything else."""
    calls = [{"name": "search", "args": {"query": "a"}, "id": "call-1"}]
    messages: list[AnyMessage] = [
        HumanMessage("go", id="user-1"),
        AIMessage("well", tool_calls=calls, id="ai-1-0"),
        ToolMessage("found", tool_call_id="call-1", id="drawn"),
    ]
    files = {
        "/a.py": {"content": "x = 1", "created_at": "2026-01-01", "modified_at": "2026-01-01"},
        "/b.py": {"content": "y = 2", "created_at": "2026-01-01", "modified_at": "2026-01-01"},
    }
    return {"messages": messages, "files": files, **changes}


def _content(state: dict[str, Any]) -> str:
    return digest_state(state, [state]).content


def _ids(*ids: str | None) -> dict[str, Any]:
    return {"messages": [HumanMessage("same", id=each) for each in ids]}


def test_ids_and_clock_stamps_are_no_content() -> None:
    """The same content with other message ids, file stamps and file order digests alike."""
    other = _state()
    for number, message in enumerate(other["messages"]):
        message.id = f"other-{number}"
    other["files"] = {
        path: {**entry, "created_at": "2027", "modified_at": "2028"}
        for path, entry in reversed(other["files"].items())
    }
    first, second = digest_state(_state(), [_state()]), digest_state(other, [other])
    assert first.content == second.content
    assert first.ids != second.ids
    assert (first.messages, first.files) == (3, 2)


def _changed(index: int, **fields: Any) -> dict[str, Any]:
    state = _state()
    state["messages"][index] = state["messages"][index].model_copy(update=fields)
    return state


DIFFERENT = {
    "text": _changed(0, content="gone"),
    "tool result": _changed(2, content="lost"),
    "result of another call": _changed(2, tool_call_id="call-2"),
    "status": _changed(2, status="error"),
    "tool argument": _changed(
        1, tool_calls=[{"name": "search", "args": {"query": "b"}, "id": "call-1"}]
    ),
    "tool name": _changed(1, tool_calls=[{"name": "grep", "args": {"query": "a"}, "id": "call-1"}]),
    "no tool call": _changed(1, tool_calls=[]),
    "type": _state(messages=[AIMessage("go", id="user-1"), *_state()["messages"][1:]]),
    "order": _state(messages=_state()["messages"][::-1]),
    "missing": _state(messages=_state()["messages"][:2]),
    "twice": _state(messages=[*_state()["messages"], _state()["messages"][2]]),
    "file content": _state(files={**_state()["files"], "/a.py": {"content": "x = 2"}}),
    "file path": _state(files={"/a.py": _state()["files"]["/a.py"], "/c.py": {"content": "y = 2"}}),
    "file missing": _state(files={"/a.py": _state()["files"]["/a.py"]}),
    "swapped files": _state(
        files=dict(zip(("/b.py", "/a.py"), _state()["files"].values(), strict=True))
    ),
    "another field": _state(todos=[]),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_every_difference_is_seen(what: str) -> None:
    """A message, a tool call, an order or a file that differs gives another digest."""
    assert _content(DIFFERENT[what]) != _content(_state())
    assert not same_content(_state(), DIFFERENT[what]) or what == "another field"


@given(
    texts=st.lists(st.text(max_size=3), max_size=4), other=st.lists(st.text(max_size=3), max_size=4)
)
def test_digests_are_equal_exactly_for_equal_texts(texts: list[str], other: list[str]) -> None:
    """Lists of messages digest alike if and only if their texts are the same in order."""
    one, two = ({"messages": [HumanMessage(text) for text in side]} for side in (texts, other))
    assert same_content(one, two) is (texts == other)


def test_what_invoke_keeps_back_is_not_missed() -> None:
    """A field that only the read has is no difference, one that only `invoke` has is one."""
    assert same_content(_state(), _state(private=1))
    assert not same_content(_state(public=1), _state())


def test_stable_ids_are_those_of_the_live_run_and_of_every_read() -> None:
    """Ids are stable only when live state and all reads agree, in order."""
    same = _ids("user-1", "x")
    assert digest_state(same, [_ids("user-1", "x"), _ids("user-1", "x")]).ids_stable
    for live, reads in (
        (_ids("user-1", "y"), [same, same]),
        (same, [same, _ids("user-1", "y")]),
        (same, [_ids("x", "user-1"), same]),
        (same, [_ids("user-1", None), same]),
    ):
        assert not digest_state(live, reads).ids_stable


def test_given_generated_and_missing_ids_are_told_apart() -> None:
    """Ids of the script are given, any other id is generated, None is missing."""
    state = digest_state({}, [_ids("user-1", "ai-1-0", "6b1f", None, None)])
    assert (state.generated_ids, state.missing_ids) == (1, 2)


def test_an_empty_thread_has_a_digest() -> None:
    """A state without messages and files counts none of either."""
    state = digest_state({}, [{}])
    assert (state.messages, state.files, state.generated_ids) == (0, 0, 0)
    assert state.ids_stable


def test_real_sessions_end_alike_under_every_policy() -> None:
    """Full and delta of one real session have the same content, live and read back."""
    digests = set()
    for policy in (FULL, delta(2), delta(1000)):
        driven = drive(InMemorySaver(), policy)
        assert same_content(driven.live, driven.values)
        digests.add(digest_state(driven.live, [driven.values, driven.values]).content)
    assert len(digests) == 1


def test_summarized_sessions_end_alike() -> None:
    """The history file of a summary, with its random name and its stamp, is content too."""
    digests = set()
    for policy in (FULL, delta(3)):
        driven = drive(InMemorySaver(), policy, workload=SUMMARIZED, turns=12)
        (history,) = (path for path in driven.live["files"] if path.startswith("/conversation"))
        assert same_content(driven.live, driven.values)
        digests.add(_content(driven.values))
        entry = driven.values["files"][history]
        assert entry["content"].count("## Summarized at ") > 1
        changed = {**entry, "content": entry["content"].replace("the", "a", 1)}
        files = {**driven.values["files"], history: changed}
        assert _content({**driven.values, "files": files}) not in digests
    assert len(digests) == 1
