"""Messages become turns that the agent loop can live through; what does not fit is mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.session.transcripts.chats import CODING, SYSTEM, call, chat, result, said, user

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.session.transcripts.recorded import Turn

ASK = call("c1", "look", where="here")
ASKED = [said("", ASK), result("c1", "1"), said("", ASK), result("c1", "2")]


def _told(turn: Turn) -> list[Any]:
    """A turn in short: inputs, then answers with the names and results of their calls."""
    answers = [
        (each.content, *((call.tool, call.result) for call in each.calls)) for each in turn.answers
    ]
    return [*(each.content for each in turn.inputs), *answers]


def test_a_turn_goes_from_user_to_user(tmp_path: Path) -> None:
    """Results go to their call by its id, in whatever order they came."""
    transcript = chat(tmp_path, CODING)
    assert transcript.problems == ()
    assert transcript.system_prompt == SYSTEM["content"]
    first, second = map(_told, transcript.recorded)
    listing = ("bash", "README.md\nsrc/\nsetup.cfg\n")
    written = ("write_file", "Wrote the greeting file, 2 lines.")
    assert first[1:] == [
        ("First I look around and write.", listing, written),
        ("The greeting is written.",),
    ]
    assert second == ["Make it friendlier.", ("", ("edit_file", "Edited.")), ("It is warmer now.",)]
    (bash, _), _ = (answer.calls or () for answer in transcript.recorded[0].answers)
    assert bash.arguments == {"command": "ls -F --color=never"}
    assert bash.id_chars == len("call_9diWc1DYm4RLmPfHgIaP2wd")


@pytest.mark.parametrize(
    ("messages", "turns"),
    [
        ([user("a"), user("b"), said("c")], [["a", "b", ("c",)]]),
        ([said("welcome"), user("a"), said("b")], [["welcome", "a", ("b",)]]),
        ([user("a"), said(None, ASK), result("c1", None), said("b")], [
            ["a", ("", ("look", "")), ("b",)],
        ]),
        ([user("a"), said("", ASK), {"role": "tool", "content": "r"}, said("b")], [
            ["a", ("", ("look", "r")), ("b",)],
        ]),
        # One id in two answers is common in recordings: the nearest call is meant.
        (
            [user("a"), *ASKED, said("b")],
            [["a", ("", ("look", "1")), ("", ("look", "2")), ("b",)]],
        ),
        ([SYSTEM, user("a"), {"role": "developer", "content": "be brief"}, said("b")], [
            ["a", ("b",)],
        ]),
        ([{"role": "human", "content": "a"}, {"role": "ai", "content": "b"}], [["a", ("b",)]]),
    ],
)  # fmt: skip
def test_unusual_but_sound_chats_are_read_without_a_word(
    tmp_path: Path, messages: list[Any], turns: list[Any]
) -> None:
    """Nothing is lost, so nothing is told."""
    transcript = chat(tmp_path, messages)
    assert [_told(turn) for turn in transcript.recorded] == turns
    assert transcript.problems == ()


END = [user("z"), said("end")]
MENDED: list[tuple[list[Any], list[Any], str]] = [
    ([user("a"), said("b"), said("c")], ["a", ("b\n\nc",)], "3: a second answer without"),
    (
        [user("a"), said("b"), said([{"type": "text", "text": "c"}])],
        ["a", ([{"type": "text", "text": "b"}, {"type": "text", "text": "c"}],)],
        "3: a second answer without",
    ),
    ([user("a"), said("b", ASK), said("c")], ["a", ("b", ("look", "")), ("c",)], "2: a tool"),
    (
        [user("a"), said("", ASK), *ASKED[2:], said("b")],
        ["a", ("", ("look", "")), ("", ("look", "2")), ("b",)],
        "2: a tool call without a result, taken as empty",
    ),
    (
        [user("a"), said("b", ASK), result("c1", "r")],
        ["a", ("b", ("look", "r")), ("",)],
        "2: a turn without a last answer, taken as empty",
    ),
    ([user("a"), said("b"), result("no", "r")], ["a", ("b",)], "3: a tool result that answers no"),
    (
        [user("a"), said("", ASK), result("c1", "1"), result("c1", "2"), said("b")],
        ["a", ("", ("look", "1")), ("b",)],
        "4: a tool result that answers no call, left out",
    ),
    (
        [user("a"), said("", ASK, ASK), result("c1", "1"), result("c1", "2"), said("b")],
        ["a", ("", ("look", "1"), ("look", "2")), ("b",)],
        "2: tool calls with the same id, results taken in order",
    ),
    ([said("", ASK), user("a"), said("b")], ["a", ("b",)], "1: tool calls before any message of"),
    ([{"role": "critic", "content": "x"}, user("a"), said("b")], ["a", ("b",)], "1: no known role"),
    ([{"role": ["user"]}, user("a"), said("b")], ["a", ("b",)], "1: no known role"),
    (["x", user("a"), said("b")], ["a", ("b",)], "1: not a message, left out"),
    ([user(5), said("b")], ["5", ("b",)], "1: content that is neither text nor parts"),
    ([user([{"x": 1}]), said("b")], ['[{"x": 1}]', ("b",)], "1: content that is neither"),
    ([user("a\ud800"), said("b")], ["a?", ("b",)], "1: characters that are none were replaced"),
    (
        [user("a"), {**said("b"), "tool_calls": {"id": 1}}],
        ["a", ("b",)],
        "2: tool_calls is not a list, left out",
    ),
    (
        [user("a"), {**said("b"), "tool_calls": [{"function": {"arguments": "{}"}}, "x"]}],
        ["a", ("b",)],
        "2: a tool call without a name, left out",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "turn", "problem"), MENDED)
def test_what_does_not_fit_is_mended_and_told(
    tmp_path: Path, messages: list[Any], turn: list[Any], problem: str
) -> None:
    """One line with the place; the turn is replayed as well as it can be, and so is the next."""
    transcript = chat(tmp_path, [*messages, *END])
    assert [_told(each) for each in transcript.recorded] == [turn, ["z", ("end",)]]
    assert transcript.problems[0].startswith(f"{tmp_path / 'chat.json'}: message {problem}")


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ('{"a": [1, "b"]}', {"a": [1, "b"]}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        (None, {}),
        ("[1]", {"arguments": [1]}),
        ('{"a": ', {"arguments": '{"a": '}),
        ('{"a": NaN}', {"a": "NaN"}),
    ],
)
def test_arguments_are_kept_whatever_they_are(
    tmp_path: Path, given: Any, arguments: dict[str, Any]
) -> None:
    """An object is what tools take; anything else is put into one."""
    asked = {"id": "c1", "function": {"name": "look", "arguments": given}}
    transcript = chat(tmp_path, [user("a"), said("", asked), result("c1", "r"), said("b")])
    assert transcript.recorded[0].answers[0].calls[0].arguments == arguments
    assert len(transcript.problems) == (given == '{"a": ')


def test_the_last_question_without_an_answer_is_left_out(tmp_path: Path) -> None:
    """Nothing is known of what the model would have said."""
    transcript = chat(tmp_path, [*END, user("still there?")])
    assert len(transcript.recorded) == 1
    assert "no answer follows the last message of the user, left out" in transcript.problems[0]
