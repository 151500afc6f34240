"""Every form of file gives the same messages, and every bad one a line with its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.session.transcripts import reading
from deltabench.session.transcripts.loading import load_transcript, names_transcript
from deltabench.session.transcripts.reading import parse_json
from tests.session.transcripts.chats import CODING, SYSTEM, said, user

if TYPE_CHECKING:
    from pathlib import Path

TALK = [user("hello"), said("good day"), user("bye"), said("see you")]
LINES = "\n".join(json.dumps(message) for message in TALK)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def _load(path: Path, data: bytes) -> Any:
    path.write_bytes(data)
    return load_transcript(str(path))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("array.json", json.dumps(TALK).encode()),
        ("object.json", json.dumps({"messages": TALK, "model": "m"}).encode()),
        ("mark.json", BYTE_ORDER_MARK + json.dumps(TALK, indent=2).encode()),
        ("lines.jsonl", LINES.encode()),
        ("lines.ndjson", f"\n{LINES}\r\n\n".encode()),
        ("lines.json", BYTE_ORDER_MARK + LINES.encode()),
        ("conversation.jsonl", json.dumps({"messages": TALK}).encode()),
        ("two.jsonl", f"{json.dumps(TALK[:2])}\n{json.dumps(TALK[2:])}\n".encode()),
    ],
)
def test_every_form_gives_the_same_session(tmp_path: Path, name: str, data: bytes) -> None:
    """An array, an object, messages or conversations a line, with and without a mark."""
    transcript = _load(tmp_path / name, data)
    assert transcript.problems == ()
    assert transcript.turns == 2
    assert transcript.digest == _load(tmp_path / "same.json", json.dumps(TALK).encode()).digest
    assert transcript.name == name.partition(".")[0]


def test_a_folder_is_one_thread_in_the_order_of_names(tmp_path: Path) -> None:
    """Each file is a session of it; what is no transcript is left out and told."""
    (tmp_path / "2.jsonl").write_text(f"{json.dumps(SYSTEM)}\n{LINES}")
    (tmp_path / "1.json").write_text(json.dumps(CODING))
    (tmp_path / "3.json").write_text("{]")
    (tmp_path / "notes.txt").write_text("not looked at")
    transcript = load_transcript(str(tmp_path))
    assert transcript.turns == 4
    assert [turn.inputs[0].content for turn in transcript.recorded][2:] == ["hello", "bye"]
    assert transcript.name == tmp_path.name
    assert transcript.system_prompt == SYSTEM["content"]  # of both, and once
    (problem,) = transcript.problems
    assert problem.startswith(f"{tmp_path}/3.json:1:2: not valid JSON")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.json", b"", "a.json: the file is empty"),
        ("a.jsonl", BYTE_ORDER_MARK + b" \n\n", "a.jsonl: the file is empty"),
        ("a.json", b'[{"role": "user",\n "content": }]', "a.json:2:13: not valid JSON: Expecting"),
        ("a.json", b"[" * 100_000, "a.json: not a JSON text that can be read"),
        ("a.json", b"\xff\xfe[\x00]\x00", "a.json:1: not UTF-8 but UTF-16 (save it as UTF-8)"),
        ("a.json", b'{"role": 1}\n{"role": 2}', "a.json:1: no known role"),
        ("a.json", b"[]", "a.json: the list of messages is empty"),
        ("a.json", b'{"turns": []}', "a.json: no messages in it"),
        ("a.json", b'"hello"', "a.json: no messages in it"),
        ("a.jsonl", b'{"role"\n{]', "a.jsonl:1:8: not valid JSON"),
        ("a.jsonl", b'{"role": "user", "content": "h', "a.jsonl:1:29: the last line is cut off"),
        ("a.json", b'[{"role": "user", "content": "hi"}]', "message 1: no answer follows"),
        ("a.json", b'[{"role": "system", "content": "hi"}]', "no message of a user"),
    ],
)
def test_what_is_no_transcript_is_told_in_one_line(
    tmp_path: Path, name: str, data: bytes, told: str
) -> None:
    """File, line and column where there are, and a hint; nothing of what it holds."""
    with pytest.raises(DeltabenchError) as caught:
        _load(tmp_path / name, data)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    assert caught.value.exit_code == ExitCode.USAGE


def test_a_missing_file_and_an_empty_folder_are_told(tmp_path: Path) -> None:
    """Neither is an empty session."""
    with pytest.raises(DeltabenchError, match=r"no transcript .*gone\.json"):
        load_transcript(str(tmp_path / "gone.json"))
    with pytest.raises(DeltabenchError, match="holds no transcript"):
        load_transcript(str(tmp_path))


def test_a_damaged_line_is_left_out_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that is huge, one that is no UTF-8, and a last one that is cut off."""
    monkeypatch.setattr(reading, "LARGEST_LINE_BYTES", 100)
    path = tmp_path / "a.jsonl"
    lines = [*LINES.split("\n"), json.dumps(user("x" * 100)), "{]", '{"role": "user", "con']
    data = "\n".join(lines).encode().replace(b"good day", b"good \xe9ay")
    transcript = _load(path, data)
    assert transcript.turns == 2
    assert transcript.recorded[0].answers[0].content == "good \N{REPLACEMENT CHARACTER}ay"
    assert transcript.problems == (
        f"{path}:2: bytes that are not UTF-8 were replaced",
        f"{path}:5: a line of 131 bytes is left out",
        f"{path}:6:2: not valid JSON, left out",
        f"{path}:7:18: the last line is cut off, left out",
    )


def test_bytes_that_are_no_text_are_told_for_an_array_too(tmp_path: Path) -> None:
    """With the line, and once."""
    data = json.dumps(TALK, indent=1).encode().replace(b"good day", b"good \xe9\xe9ay")
    assert _load(tmp_path / "a.json", data).problems == (
        f"{tmp_path}/a.json:8: bytes that are not UTF-8 were replaced",
    )


def test_many_problems_of_a_kind_are_counted(tmp_path: Path) -> None:
    """The first three are told with their place, and how many more there are."""
    lines = [*LINES.split("\n"), *["?"] * 10, ""]
    problems = _load(tmp_path / "a.jsonl", "\n".join(lines).encode()).problems
    assert problems[3:] == ("7 more: not valid JSON, left out",)


def test_numbers_that_no_checkpoint_holds_become_text() -> None:
    """Whole numbers beyond 64 bits, however long, and what is no number in JSON."""
    assert parse_json("[18446744073709551615, -9223372036854775808]") == [2**64 - 1, -(2**63)]
    assert parse_json("[18446744073709551616]") == ["18446744073709551616"]
    assert parse_json("9" * 5000) == "9" * 5000
    assert parse_json("[NaN, -Infinity]") == ["NaN", "-Infinity"]


def test_a_transcript_is_named_by_its_path(tmp_path: Path) -> None:
    """By the end of the name, or by being a folder."""
    assert names_transcript("chat.JSON")
    assert names_transcript("chat.jsonl")
    assert names_transcript(str(tmp_path))
    assert not names_transcript("mine.toml")
    assert not names_transcript("B")
