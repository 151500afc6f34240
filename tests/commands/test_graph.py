"""A user's own graph on the command line: the shipped example, word for word, and bad options."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from deltabench.cli import main
from deltabench.session.recording import load_recording

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent"
GRAPH = ["--graph", "agent.py:graph", "--inputs", "inputs.jsonl"]


@pytest.fixture(autouse=True)
def _in_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in the folder of the example, which nothing must be written to."""
    monkeypatch.chdir(EXAMPLE)


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["deltabench", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_example_is_recorded_and_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Record, then measure by the transcript: channels are told, and delta stores less."""
    session, out = tmp_path / "session.json", tmp_path / "out"
    assert _run(monkeypatch, "record", *GRAPH, "--turns", "10", "--out", str(session)) == 0
    said = capsys.readouterr()
    assert said.err == f"Recorded 10 turns: {session} (it holds their content)\n"
    assert len(load_recording(session).turns) == 10
    code = _run(
        monkeypatch,
        *("run", *GRAPH, "--transcript", str(session), "--repeat-session", "2"),
        *("--turns", "12", "--k", "5", "--out", str(out)),
    )
    said = capsys.readouterr()
    assert code == 0, said.err
    notes = [line.removeprefix("note: ") for line in said.err.splitlines() if "note" in line]
    assert notes[:2] == [
        "switched: messages (add_messages)",
        "switched: findings (lists put together)",
    ]
    assert notes[2].startswith("switched: sources (merge_sources: its fold fulfils the contract")
    assert notes[3] == "left: questions (int: no list, dict or set that grows)"
    assert "Workload agent:graph, your graph with inputs.jsonl: 12 turns, memory" in said.out
    assert "identical: 48 messages" in said.out
    assert re.search(r"Stored .* less", said.out)
    assert all(len(line) <= 80 for line in said.out.splitlines())
    saved = (out / "results.json").read_text()
    for line in (EXAMPLE / "inputs.jsonl").read_text().splitlines():
        assert json.loads(line)["messages"][0]["content"] not in saved


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", *GRAPH[2:]], r"--inputs belongs to --graph"),
        (["run", *GRAPH[:2]], r"--graph needs --inputs"),
        (["run", *GRAPH, "-w", "A"], r"--graph and --workload exclude each other"),
        (["run", *GRAPH, "--anonymize"], r"--graph and --anonymize exclude each other"),
        (["sweep", *GRAPH, "--channel", "notes"], r"is not NAME=module:reducer"),
        (["sweep", *GRAPH, "--model", "a:b", "--transcript", "c"], "exclude each other"),
        (["run", *GRAPH, "--turns", "11"], r"11 turns asked for, 10 inputs \(--repeat-session 2"),
        (["run", *GRAPH, "--repeat-session", "0"], "Invalid value for '--repeat-session'"),
        (["record", *GRAPH, "--out", "agent.py"], r"agent\.py is there already"),
        (["record", *GRAPH, "--out", "no/where.json"], "there is no folder no"),
        (["record", *GRAPH, "--turns", "11", "--out", "x.json"], "11 turns asked for, 10 inputs"),
    ],
)
def test_what_makes_no_sense_is_told_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    """One line on standard error, exit code 2, and nothing on standard output."""
    assert _run(monkeypatch, *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert re.search(f"^error: .*{message}", said.err)
    assert said.err.count("\n") == 1


def test_a_real_model_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without transcript, model or permission the example's own model is not asked."""
    assert _run(monkeypatch, "run", *GRAPH, "--turns", "1") == 2
    looking, error = capsys.readouterr().err.splitlines()
    assert looking == "Looking at agent.py:graph: two runs of 1 turn"
    assert error.startswith("error: the graph asks a model (ScriptedModel) (record the session")
