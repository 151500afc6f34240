"""The command line: what is printed where, exit codes, and one line for every bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deltabench.commands.measuring import command_line
from deltabench.errors import ExitCode
from deltabench.results.file import FILE_NAME, load_results, save_results
from tests.fakes import failed_row, fake_results, replace_row

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT = ("run", "--workload", "A", "--turns", "2", "--k", "3")


def _deltabench(cwd: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deltabench", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1", **environment},
    )


@pytest.fixture(scope="module")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """One short run: its working directory, standard output and standard error."""
    cwd = tmp_path_factory.mktemp("run")
    done = _deltabench(cwd, *SHORT)
    assert done.returncode == ExitCode.PASSED, done.stderr
    return cwd, done.stdout, done.stderr


def test_run_prints_the_result_and_talks_apart_from_it(short_run: tuple[Path, str, str]) -> None:
    """Only the table is on stdout; progress and the place of the files are on stderr."""
    _, out, err = short_run
    assert "full snapshots" in out
    assert "x less" in out
    assert "State                 identical" in out
    assert "Saved" not in out
    assert "Saved: reports/a-2-k3-memory (" in err
    assert "[2/2] A 2 turns, memory, K=3: " in err
    assert "\x1b" not in out + err
    assert max(len(line) for line in out.splitlines()) <= 80


def test_run_writes_its_files(short_run: tuple[Path, str, str]) -> None:
    """Results, spreadsheet, report and plots lie together and can be read."""
    directory = short_run[0] / "reports" / "a-2-k3-memory"
    names = {path.name for path in directory.iterdir()}
    assert {FILE_NAME, "results.csv", "report.md", "storage.png", "storage.svg"} <= names
    results = load_results(directory)
    assert results.complete
    assert results.command == "deltabench run --workload A --turns 2 --k 3"


def test_report_renders_saved_results_again(short_run: tuple[Path, str, str]) -> None:
    """The same table comes out of the file alone."""
    cwd, out, _ = short_run
    done = _deltabench(cwd, "report", "reports/a-2-k3-memory")
    assert (done.returncode, done.stdout) == (ExitCode.PASSED, out)


def test_json_is_all_of_stdout(short_run: tuple[Path, str, str]) -> None:
    """--json gives machines one document with numbers in it."""
    done = _deltabench(short_run[0], "report", "--json", "reports/a-2-k3-memory/results.json")
    document = json.loads(done.stdout)
    (group,) = document["groups"]
    assert (group["workload"], group["turns"], group["checkpointer"]) == ("A", 2, "memory")


def test_rtt_is_shown_as_derived(short_run: tuple[Path, str, str]) -> None:
    """What a remote checkpointer would make of the round trips is marked as derived."""
    done = _deltabench(short_run[0], "report", "--rtt-ms", "20", "reports/a-2-k3-memory")
    assert "derived" in done.stdout
    assert "derived" not in short_run[1]


def test_results_are_not_overwritten(short_run: tuple[Path, str, str], tmp_path: Path) -> None:
    """A second run of the same name gets a number; an --out that holds results is refused."""
    taken = tmp_path / "reports" / "a-2-k3-memory"
    taken.mkdir(parents=True)
    save_results(load_results(short_run[0] / "reports" / "a-2-k3-memory"), taken / FILE_NAME)
    again = _deltabench(tmp_path, *SHORT)
    assert "Saved: reports/a-2-k3-memory-2 (" in again.stderr
    refused = _deltabench(tmp_path, *SHORT, "--out", str(taken))
    assert refused.returncode == ExitCode.USAGE
    assert refused.stderr.startswith("error: ")
    assert "holds results already (--resume goes on with them" in refused.stderr


def test_ctrl_c_keeps_finished_cells_and_resume_goes_on(tmp_path: Path) -> None:
    """Exit code 130, one line, no traceback, and --resume finishes the plan."""
    arguments = ("sweep", "--workload", "A", "--turns", "3", "--k", "2,3,4,5,6")
    process = subprocess.Popen(
        [sys.executable, "-m", "deltabench", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    file = tmp_path / "reports" / "sweep-a-3-memory" / FILE_NAME
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (
        file.exists() and any(row.measurement for row in load_results(file).rows)
    ):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    last = err.splitlines()[-1]
    assert last.startswith("interrupted: finished cells are saved in reports/sweep-a-3-memory")
    assert "Traceback" not in err
    saved = load_results(file)
    assert any(row.measurement for row in saved.rows)
    assert not saved.complete
    done = _deltabench(tmp_path, *arguments, "--resume")
    assert done.returncode == ExitCode.PASSED, done.stderr
    assert load_results(file).complete


def test_a_failed_cell_ends_in_exit_code_3(tmp_path: Path) -> None:
    """The failure stands first, with its reason, and the code is not that of a pass."""
    cell = fake_results().rows[1].cell
    results = replace_row(fake_results(), 1, failed_row(cell, "the disk caught fire"))
    save_results(results, tmp_path / FILE_NAME)
    done = _deltabench(tmp_path, "report", ".")
    assert done.returncode == ExitCode.CELL_FAILED
    assert done.stdout.startswith("FAILED: 1 cell gave no result")
    assert "the disk caught fire" in done.stdout


BAD_INPUT: list[tuple[Sequence[str], int, str]] = [
    (["run", "--workload", "b2"], 2, "no workload named 'b2' (A, B, a .toml file, or a transcript"),
    (["run", "--workload", "no.toml"], 2, "no workload file no.toml"),
    (["run", "--turns", "0"], 2, "turns must be a positive whole number, not 0"),
    (["run", "--turns", "ten"], 2, "Invalid value for '--turns'"),
    (["run", "--k", "-5", "--turns", "1"], 2, "K must be a positive whole number, not -5"),
    (["sweep", "--k", "10,50,10"], 2, "K 10 is named twice"),
    (["sweep", "--k", "10,x"], 2, "'x' is not a whole number (for example --k 10,50 or 10..50)"),
    (["sweep", "--turns", "5,,6"], 2, "--turns: '' is not a whole number"),
    (["sweep", "--k", "0"], 2, "K must be a positive whole number, not 0"),
    (["run", "--checkpointer", "redis", "--turns", "1"], 2, "no checkpointer named 'redis'"),
    (["run", "--durability", "later"], 2, "Invalid value for '--durability'"),
    (["run", "--repeat", "0", "--turns", "1"], 2, "repeat must be a positive number, not 0"),
    (["run", "--turns", "100000"], 5, "GB of memory (estimated)"),
    (["report", "nowhere"], 2, "no results file at nowhere"),
    (["workloads", "show", "z"], 2, "no workload named 'z'"),
    (["fly"], 2, "No such command 'fly'"),
    (["run", "--fly"], 2, "No such option"),
    (
        ["run", "-w", "A", "--turns", "1", "-c", "postgres", "--postgres-url",
         "postgresql://me:hidden@127.0.0.1:1/db"],
        5,
        "no connection to PostgreSQL at 127.0.0.1:1/db",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "code", "message"), BAD_INPUT)
def test_bad_input_is_told_in_one_line(
    tmp_path: Path, arguments: Sequence[str], code: int, message: str
) -> None:
    """One line on stderr that says what and where, nothing on stdout, nothing written."""
    done = _deltabench(tmp_path, *arguments)
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert message in line
    assert "hidden" not in line
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A file stands where the directory should be: exit code 5 before any cell runs."""
    (tmp_path / "taken").write_text("mine")
    done = _deltabench(tmp_path, *SHORT, "--out", "taken/here")
    assert done.returncode == ExitCode.REFUSED
    assert done.stderr.splitlines()[-1].startswith("error: cannot write taken/here/results.json")
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    """/dev/full refuses every byte; the run ends in exit code 5, without a traceback."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full on this system")
    out = tmp_path / "out"
    out.mkdir()
    done = _deltabench(tmp_path, "report", "--json", str(out))
    assert done.returncode == ExitCode.USAGE  # nothing to render yet
    with Path("/dev/full").open("w") as full:
        printed = subprocess.run(
            [sys.executable, "-m", "deltabench", "workloads", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert printed.returncode == ExitCode.REFUSED
    (line,) = printed.stderr.splitlines()
    assert line.startswith("error: cannot write")


def test_the_password_of_a_url_is_in_no_result() -> None:
    """The command is kept without the URL, however it was given."""
    url = "postgresql://me:hidden@db/x"
    for words in (["run", "--postgres-url", url], ["run", f"--postgres-url={url}"]):
        assert "hidden" not in command_line(words)
    assert command_line(["run", "--turns", "5"]) == "deltabench run --turns 5"


def test_workloads_can_be_listed_and_shown(tmp_path: Path) -> None:
    """The two shipped workloads, and what a turn of one writes."""
    listed = _deltabench(tmp_path, "workloads", "list")
    assert listed.stdout == (
        "A  light coding and search, 100 turns\nB  multi-file coding session, 200 turns\n"
    )
    shown = _deltabench(tmp_path, "workloads", "show", "A").stdout.splitlines()
    assert shown[0].startswith("A: light coding and search (digest ")
    assert "    write_file     2,500 characters" in shown
    assert "    search         2,000 characters, 85,000 in turns 5, 25, ..." in shown


def test_a_workload_of_ones_own_is_validated_by_running_it(tmp_path: Path) -> None:
    """A copy that was changed is checked and run twice."""
    text = (
        'title = "mine"\nturns = 5\nuser_chars = 10\nanswer_chars = 20\n'
        '[[rounds]]\n[[rounds.calls]]\ntool = "search"\nchars = 100\n'
    )
    (tmp_path / "mine.toml").write_text(text)
    done = _deltabench(tmp_path, "workloads", "validate", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert "valid; 3 turns run twice stored the same bytes" in done.stdout
    (tmp_path / "mine.toml").write_text(text.replace("chars = 100", "chars = -1"))
    broken = _deltabench(tmp_path, "workloads", "validate", "mine.toml")
    assert broken.returncode == ExitCode.USAGE
    assert broken.stderr.startswith("error: mine.toml: rounds[0].calls[0].chars: ")
