"""Inputs of a graph, one line a turn, and one line for all that can be wrong with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deltabench.errors import DeltabenchError
from deltabench.session.inputs import TurnInput, again, read_inputs

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = "a private text"


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "inputs.jsonl"
    path.write_bytes(content)
    return path


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None)
@given(lines=st.lists(st.dictionaries(st.text(max_size=4), json_values), min_size=1, max_size=4))
def test_every_line_is_one_turn(
    tmp_path_factory: pytest.TempPathFactory, lines: list[dict[str, Any]]
) -> None:
    """Whatever JSON objects are written come back, whatever characters are in their texts."""
    lines = [line for line in lines if line.keys() != {"resume"}] or [{}]
    text = "\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    path = _file(tmp_path_factory.mktemp("inputs"), text.encode())
    assert read_inputs(path) == tuple(TurnInput(line) for line in lines)


def test_resume_lines_answer_interrupts(tmp_path: Path) -> None:
    """A line of nothing but `resume` is an answer, of any type; others are inputs."""
    path = _file(tmp_path, b'{"a": 1}\n{"resume": ["yes", 2]}\n{"resume": 1, "b": 2}\n')
    first, second, third = read_inputs(path)
    assert second == TurnInput(["yes", 2], resumes=True)
    assert not first.resumes
    assert not third.resumes


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1}\n\n{"a": "' + PRIVATE.encode() + b'", }\n', r"inputs\.jsonl:3: not valid JSON"),
        (b'{"a": 1}\n["' + PRIVATE.encode() + b'"]\n', r":2: must be a JSON object, not a list"),
        (b'{"resume": "' + PRIVATE.encode() + b'"}\n', r":1: nothing to resume"),
        (b'{"a": 1}\n{"a": "\xff"}\n', r":2: not UTF-8"),
        (b"\n \n", r"holds no input \(one JSON object a line, such as"),
        (b'{"a": ' + b"[" * 100_000 + b"}", ":1: (nested too deeply|not valid JSON)"),
    ],
)
def test_a_bad_line_is_told_by_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    """File, line and a hint, and nothing of the content."""
    with pytest.raises(DeltabenchError, match=message) as caught:
        read_inputs(_file(tmp_path, content))
    assert "\n" not in str(caught.value)
    assert PRIVATE not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    """A file that is not there is named."""
    with pytest.raises(DeltabenchError, match=r"there is no file .*none\.jsonl"):
        read_inputs(tmp_path / "none.jsonl")


def test_a_later_cycle_has_messages_of_its_own() -> None:
    """Ids of messages are made new, and nothing else; the first cycle is as written."""
    value: dict[str, Any] = {
        "messages": [{"role": "user", "content": "x", "id": "m1"}, {"type": "ai", "content": ""}],
        "customer": {"id": "c1", "type": "firm"},
    }
    given_once = TurnInput(value)
    assert again(given_once, 0) is given_once
    renamed = again(given_once, 2).value
    assert renamed["messages"][0] == {"role": "user", "content": "x", "id": "m1.r2"}
    assert renamed["messages"][1] == value["messages"][1]
    assert renamed["customer"] == value["customer"]
    assert value["messages"][0]["id"] == "m1"
