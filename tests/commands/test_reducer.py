"""Tests of `reducer` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deltabench.cli import app
from deltabench.errors import DeltabenchError, ExitCode

_FILE = """
import uuid
from hypothesis import strategies as st

def keep(state: dict[str, int], writes: list[dict[str, int]]) -> dict[str, int]:
    print("talk")
    return {**state, **writes[-1]} if writes else state

def plain(state, writes):
    return [*state, *writes]

def labelled(state: list[str], writes: list[list[str]]) -> list[str]:
    return [*state, *(f"{uuid.uuid4()}" for _ in writes)]

@st.composite
def made(draw):
    return draw(st.sampled_from(["a", "b"]))

def failing():
    raise OSError("not\\nhere")

words = st.sampled_from(["a", "b"])
number = 7
"""


@pytest.fixture(autouse=True)
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("state.py").write_text(_FILE, encoding="utf-8")


def _reducer(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["reducer", *arguments])


def test_a_broken_reducer_ends_in_one() -> None:
    """The counterexample is on stdout with an import that works, the user's talk is not."""
    result = _reducer("state.py:keep", "--max-examples", "40")
    assert result.exit_code == ExitCode.FAILED
    lines = result.stdout.splitlines()
    assert lines[0] == "keep: BREAKS the contract of a delta channel: batching"
    start = lines.index("batching, broken:")
    assert lines[start + 1 : start + 6] == [
        "    from state import keep",
        "    keep(keep({}, [{'': 0}]), [{}])",
        "    # {'': 0}",
        "    keep({}, [{'': 0}, {}])",
        "    # {}",
    ]
    assert "  other process     holds" in result.stdout
    assert "talk" not in result.stdout
    assert "talk" in result.stderr
    assert max(map(len, lines)) <= 80
    assert [path.name for path in Path().iterdir() if path.name != "__pycache__"] == ["state.py"]


def test_a_good_one_ends_in_zero() -> None:
    """Without annotations, values come from a strategy, and the form is what is asked for."""
    arguments = ("state.py:plain", "--writes", "state.py:made", "--form", "batch")
    result = _reducer(*arguments, "--max-examples", "20", "--seed", "3")
    assert result.exit_code == ExitCode.PASSED
    head = " ".join(" ".join(result.stdout.splitlines()[:3]).split())
    assert head.startswith(
        "plain: fulfils the contract of a delta channel a batch reducer (as --form says) of list; "
        "20 cases from --writes, seed 3, langgraph "
    )


def test_json_is_all_of_stdout() -> None:
    """Machines get verdicts and counterexamples of a run that is not good."""
    result = _reducer("state.py:labelled", "--json", "--max-examples", "10")
    assert result.exit_code == ExitCode.FAILED
    document = json.loads(result.stdout)
    verdicts = {check["name"]: check["verdict"] for check in document["checks"]}
    assert (document["holds"], document["form"]) == (False, "batch")
    assert verdicts["deterministic"] == "broken"
    assert verdicts["batching"] == verdicts["other process"] == "not tried"


def test_examples_come_from_a_file() -> None:
    """One write per line, and an example that cannot be read is told with its line."""
    Path("writes.jsonl").write_text('["a"]\n\n["b"]\n', encoding="utf-8")
    result = _reducer("operator:add", "--examples", "writes.jsonl", "--max-examples", "10")
    assert result.exit_code == ExitCode.PASSED
    assert "def add_batch(state, writes):" in result.stdout
    Path("writes.jsonl").write_text('["a"]\n["b"\n', encoding="utf-8")
    result = _reducer("operator:add", "--examples", "writes.jsonl")
    assert str(result.exception).startswith("writes.jsonl:2: no JSON: ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("state.py:nothing",), "state.py has no 'nothing'"),
        (("state.py:number",), "state.py:number is a int, no function"),
        (("state.py:plain",), "no annotation says which writes the reducer takes (name values"),
        (("builtins:len",), "len cannot be called with a state and writes: "),
        (("state.py:plain", "--writes", "state.py:number"), "--writes: state.py:number is a int"),
        (
            ("state.py:plain", "--writes", "state.py:failing"),
            "--writes: state.py:failing failed: OSError: not here",
        ),
        (("state.py:plain", "--state", "state.py:gone"), "state.py has no 'gone'"),
        (("state.py:plain", "--examples", "[]"), "--examples holds no write"),
        (("state.py:plain", "--examples", "[1"), "--examples: no JSON: "),
        (("state.py:plain", "--examples", "gone.json"), "--examples: cannot read gone.json: No"),
        (
            ("state.py:plain", "--examples", "[1]", "--writes", "state.py:words"),
            "--writes and --examples exclude each other",
        ),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    """Each says what is wrong, and ends in the exit code of usage."""
    error = _reducer(*arguments).exception
    assert isinstance(error, DeltabenchError)
    assert str(error).startswith(told)
    assert "\n" not in str(error)
    assert error.exit_code is ExitCode.USAGE
