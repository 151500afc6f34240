"""The script: every line of a session follows from its seed and its place alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.session.script import Script
from tests.subject.short_session import WRITE, small_workload

LARGE = {"tool": "search", "chars": 70, "large_chars": 900, "large_every": 3, "large_first": 2}
SCRIPT = Script(
    workload=small_workload(
        rounds=[
            {"text_chars": 33, "calls": [WRITE, {**WRITE, "chars": 40}]},
            {"calls": [LARGE, {"tool": "read_file"}]},
        ]
    ),
    seed=7,
)
TURNS = st.integers(1, 10_000)


def _said(script: Script, turn: int) -> list[Any]:
    said: list[Any] = [script.user_text(turn), script.user_id(turn)]
    for step in range(len(script.workload.rounds) + 1):
        calls = script.tool_calls(turn, step)
        said += [script.answer_text(turn, step), script.answer_id(turn, step), calls]
        said += [script.search_result(c["args"]["query"]) for c in calls if c["name"] == "search"]
    return said


@given(turn=TURNS, seed=st.integers(0, 1000))
def test_same_place_says_the_same(turn: int, seed: int) -> None:
    """Another script of the same workload and seed says the same, whatever was asked before."""
    script = SCRIPT.model_copy(update={"seed": seed})
    again = Script.model_validate_json(script.model_dump_json())
    again.user_text(turn + 1)
    assert _said(script, turn) == _said(again, turn)


@given(turn=TURNS)
def test_other_seeds_and_turns_say_something_else(turn: int) -> None:
    """No text of a turn is that of the next turn, or of another seed."""
    other = SCRIPT.model_copy(update={"seed": 8})
    for script, place in ((SCRIPT, turn + 1), (other, turn)):
        assert SCRIPT.user_text(turn) != script.user_text(place)
        assert SCRIPT.answer_text(turn, 2) != script.answer_text(place, 2)
        one, two = SCRIPT.tool_calls(turn, 0)[0], script.tool_calls(place, 0)[0]
        assert one["args"]["content"] != two["args"]["content"]


@given(turn=TURNS)
def test_sizes_are_those_of_the_workload(turn: int) -> None:
    """Texts, files and results have the characters that the workload says."""
    assert len(SCRIPT.user_text(turn)) == 60
    assert [len(SCRIPT.answer_text(turn, step)) for step in range(3)] == [33, 0, 80]
    files = SCRIPT.tool_calls(turn, 0)
    assert [len(call["args"]["content"]) for call in files] == [300, 40]
    search, _ = SCRIPT.tool_calls(turn, 1)
    large = turn >= 2 and (turn - 2) % 3 == 0
    assert len(SCRIPT.search_result(search["args"]["query"])) == (900 if large else 70)


@pytest.mark.parametrize(
    ("first", "turns"), [(0, [10, 20, 30]), (1, [1, 11, 21]), (10, [10, 20, 30]), (24, [24])]
)
def test_large_results_come_in_their_turns(first: int, turns: list[int]) -> None:
    """Large results begin in the first turn that is named, or else after one whole interval."""
    call = {**LARGE, "large_every": 10, "large_first": first}
    (round_,) = small_workload(rounds=[{"calls": [call]}]).rounds
    assert [turn for turn in range(1, 31) if round_.calls[0].is_large(turn)] == turns


def test_ids_tell_every_place_apart() -> None:
    """Messages, tool calls and paths of many turns have ids that never repeat."""
    ids, paths = [], []
    for turn in range(1, 13):
        ids.append(SCRIPT.user_id(turn))
        for step in range(3):
            ids.append(SCRIPT.answer_id(turn, step))
            calls = SCRIPT.tool_calls(turn, step)
            ids += [call["id"] for call in calls]
            paths += [call["args"]["file_path"] for call in calls if "content" in call["args"]]
    assert len(set(ids)) == len(ids) == 12 * (1 + 3 + 4)
    assert len(set(paths)) == len(paths) == 12 * 2


def test_the_last_answer_asks_for_no_tool() -> None:
    """After the rounds the model answers, however often it is asked."""
    assert SCRIPT.tool_calls(1, 2) == SCRIPT.tool_calls(1, 3) == []


def test_read_file_reads_what_the_turn_before_wrote_last() -> None:
    """The path is that of the last file of the turn before, and in turn 1 of that turn."""
    for turn, written in ((1, 1), (2, 1), (9, 8)):
        last = SCRIPT.tool_calls(written, 0)[-1]["args"]["file_path"]
        assert SCRIPT.tool_calls(turn, 1)[1]["args"] == {"file_path": last}


@pytest.mark.parametrize("query", ["", "anything", "what#1.2", "#1.2.3 "])
def test_other_queries_have_no_result(query: str) -> None:
    """A query that the script did not make is an error, not an empty result."""
    with pytest.raises(ValueError, match="never asked"):
        SCRIPT.search_result(query)


def test_summaries_have_their_size() -> None:
    """The summary is as long as the workload says, and the same whenever it is asked for."""
    workload = small_workload(summarization={"max_input_tokens": 5_000, "summary_chars": 77})
    script = Script(workload=workload, seed=7)
    assert len(script.summary_text()) == 77
    assert script.summary_text() == script.summary_text()
