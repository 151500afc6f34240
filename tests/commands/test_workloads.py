"""`deltabench workloads` with transcripts, and a shared result that tells nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from deltabench.cli import app
from deltabench.errors import DeltabenchError
from deltabench.session.loading import load_session
from tests.session.transcripts.chats import CODING
from tests.session.transcripts.leaks import content_of, leaked

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

TELLING_NAME = "acme-takeover-plans"


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A transcript with a telling name, and its folder as the working directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"{TELLING_NAME}.jsonl"
    lines = [json.dumps(message, ensure_ascii=False) for message in CODING]
    path.write_text("\n".join([*lines, '{"role": "tool"']), encoding="utf-8")
    return path


def test_show_tells_the_shape_and_what_was_left_out(path: Path) -> None:
    """The shape is the result, on stdout; notes go to stderr."""
    done = _run("workloads", "show", path.name, "--repeat-session", "2")
    assert done.stdout.startswith(f"{TELLING_NAME}: recorded chat (digest ")
    assert "2 turns recorded, repeated to 4 turns" in done.stdout
    assert done.stderr == f"note: {path.name}:11:16: the last line is cut off, left out\n"


def test_anonymize_writes_a_file_that_can_be_shared(path: Path, tmp_path: Path) -> None:
    """To stdout or to a new file, and never over one that is there."""
    done = _run("workloads", "anonymize", path.name)
    assert not leaked({*content_of(CODING), TELLING_NAME}, done.stdout + done.stderr)
    shared = tmp_path / "shared.json"
    assert _run("workloads", "anonymize", path.name, "--out", str(shared)).stdout == ""
    assert shared.read_text(encoding="utf-8") == done.stdout
    assert load_session(str(shared)).digest == load_session(path.name, anonymize=True).digest
    with pytest.raises(DeltabenchError, match="is there already"):
        _run("workloads", "anonymize", path.name, "--out", str(shared))


@pytest.mark.parametrize("option", [("--repeat-session", "2"), ("--anonymize",)])
def test_options_of_transcripts_mean_nothing_for_a_workload(option: tuple[str, ...]) -> None:
    """A session that is generated can be any length and tells nothing."""
    with pytest.raises(DeltabenchError, match=f"{option[0]} is for transcripts, and B is gen"):
        _run("run", "--workload", "b", *option)


def test_more_turns_than_were_recorded_are_refused_with_the_way_out(path: Path) -> None:
    """The hint says how many repetitions are enough."""
    with pytest.raises(DeltabenchError) as caught:
        _run("run", "--workload", path.name, "--turns", "7")
    assert str(caught.value) == (
        f"{TELLING_NAME}: 7 turns asked for, 2 recorded (--repeat-session 4 makes it long enough)"
    )
    with pytest.raises(DeltabenchError, match=r"9 turns asked for, 2 recorded times 4 \(--repeat-"):
        _run("sweep", "--workload", path.name, "--turns", "2,9", "--repeat-session", "4")


def test_no_byte_of_an_anonymized_run_tells_anything(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results, table, report, page and plots: no piece of the content, and no name."""
    arguments = ["run", "-w", path.name, "--anonymize", "--repeat-session", "2", "--k", "3"]
    monkeypatch.setattr("sys.argv", ["deltabench", *arguments])
    done = _run(*arguments)
    assert done.exit_code == 0, done.output
    assert "State                 identical: 18 messages, 1 files" in done.stdout
    (folder,) = (tmp_path / "reports").iterdir()
    assert folder.name.startswith("anonymized-")
    files = [each for each in folder.iterdir() if each.is_file()]
    assert {"results.json", "results.csv", "report.md", "report.html"} <= {f.name for f in files}
    assert {".png", ".svg"} <= {each.suffix for each in files}
    originals = {*content_of(CODING), TELLING_NAME}
    written = [each.read_bytes().decode(errors="replace") for each in files]
    for output in (done.stdout, done.stderr, *written):
        assert not leaked(originals, output)
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert results["command"].startswith("deltabench run -w ... --anonymize --repeat-session 2")
    (specification,) = results["workloads"].values()
    assert [turn["rounds"] for turn in specification["shape"]] == [1, 1]


def test_results_keep_the_shape_of_a_transcript_and_not_its_content(path: Path) -> None:
    """Also without anonymizing: what was said stays in the file."""
    specification = json.dumps(load_session(path.name).specification(), ensure_ascii=False)
    assert not leaked(content_of(CODING), specification)
    assert '"recorded_turns": 2' in specification
