"""`deltabench verify --fuzz` on the command line, and its output as text."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from typing import TYPE_CHECKING

import pytest
import typer
from rich.console import Console

from deltabench.commands.verify_fuzz import _exit, _write
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.report.fuzz_lines import fuzz_lines
from deltabench.report.fuzz_progress import FuzzProgress
from deltabench.verify.fuzz.vocabulary import Finding, FuzzOutcome
from deltabench.verify.known import load_known
from deltabench.verify.vocabulary import Difference

if TYPE_CHECKING:
    from pathlib import Path

FINDING = Finding(
    kind="invoke: the history, values['notes'][#]",
    difference=Difference(
        operation="run (operation 2)",
        observed="the history",
        path="values['notes'][1]",
        checkpoint=3,
        expected="'b'",
        found="missing",
    ),
    mode="sync",
    snapshot_frequency=None,
    operations=("reopen(3)", "run('a', {'notes': ['b']}, durability='sync')"),
    times=2,
    repeats=True,
    script="print('differs')\n",
    reproduced=False,
)
FOUND = FuzzOutcome(
    checkpointer="memory",
    seed=7,
    sequences=1_000,
    operations=12_345,
    raised_alike=10,
    known={"task-results-coerced": 3},
    findings=(FINDING,),
)
CLEAN = FuzzOutcome(checkpointer="sqlite", seed=7, sequences=1, operations=1, raised_alike=0)
BROKEN = CLEAN.model_copy(update={"broken": "the database cannot be reached (PoolTimeout)"})


def _deltabench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deltabench", "verify", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_findings_come_first_and_counts_last() -> None:
    """Each finding with its operations and both sides, then what is known, with counts."""
    assert "\n".join(fuzz_lines([FOUND, CLEAN], load_known())) == (
        """\
Finding 1 on memory
  2 operations, sync calls, full snapshots at first
    reopen(3)
    run('a', {'notes': ['b']}, durability='sync')
  then the history, checkpoint 3
    at        values['notes'][1]
    expected  'b'
    found     missing
  2 sequences ended like this; this is the shortest
  the script does not show it: it needs what only deltabench looks at

Differs, known (3 on memory): task-results-coerced
  Under delta channels messages are stored as message objects with an id, so
  `tasks[].result` in the history shows these; under full snapshots it shows
  what the node gave.
  seen with langgraph 1.2.4, 1.2.9, 1.2.11, 1.2.24; upstream: none found

memory, seed 7: 1,000 sequences, 12,345 operations, 10 refused by both twins alike: 1 finding.
sqlite, seed 7: 1 sequence, 1 operation: nothing unknown found."""
    )


def test_a_terminal_is_told_how_far_it_is() -> None:
    """Sequences of all, and operations; in the end one line stays."""
    text = StringIO()
    console = Console(file=text, force_terminal=True, width=200)
    with FuzzProgress(console, "memory", 1_000) as progress:
        progress.sequence(999, 12_340)
        assert progress._status is not None
        console.print(progress._status.status)
        progress.outcome(FOUND)
    assert "fuzzing on memory: 999/1,000 sequences, 12,340 operations" in text.getvalue()
    assert "memory, seed 7: 1,000 sequences, 12,345 operations, 10 refused" in text.getvalue()


def test_exit_codes_tell_findings_from_campaigns_that_broke() -> None:
    """A finding counts for more; a campaign without either is fine."""
    _exit([CLEAN])
    with pytest.raises(typer.Exit) as found:
        _exit([BROKEN, FOUND])
    assert found.value.exit_code == ExitCode.FAILED
    with pytest.raises(
        DeltabenchError, match=r"^fuzzing on sqlite ended early: the data"
    ) as broken:
        _exit([CLEAN, BROKEN])
    assert broken.value.exit_code == ExitCode.CELL_FAILED
    with pytest.raises(DeltabenchError, match=r"^interrupted") as interrupted:
        _exit([FOUND, CLEAN.model_copy(update={"broken": "interrupted"})])
    assert interrupted.value.exit_code == ExitCode.INTERRUPTED


def test_scripts_of_several_findings_stand_side_by_side(tmp_path: Path) -> None:
    """The first has the name that was asked for."""
    _write(tmp_path / "found.py", [FINDING, FINDING])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["found-2.py", "found.py"]
    assert (tmp_path / "found-2.py").read_text(encoding="utf-8") == FINDING.script


def test_a_clean_run_ends_with_counts_and_zero(tmp_path: Path) -> None:
    """Stdout holds the document alone, and no script is written where nothing was found."""
    script = tmp_path / "found.py"
    done = _deltabench(
        "--fuzz", "2", "--seed", "3", "-c", "memory", "--script", str(script), "--json"
    )
    assert done.returncode == 0, done.stderr
    (outcome,) = json.loads(done.stdout)["fuzz"]
    assert (outcome["sequences"], outcome["seed"], outcome["findings"]) == (2, 3, [])
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"memory, seed 3: 2 sequences, {outcome['operations']} operations")
    assert not script.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--fuzz", "2", "-g", "threads"], 2, "--fuzz and --guarantee exclude each other"),
        (["--fuzz", "2", "--graph", "x.py:g"], 2, "--graph and --fuzz exclude each other"),
        (["--fuzz", "0"], 2, "Invalid value for '--fuzz'"),
        (["--fuzz", "2", "-c", "nothing"], 2, "no checkpointer named 'nothing'"),
        (["--seed", "2"], 2, "--seed belongs to --fuzz"),
        (["--script", "x.py"], 2, "--script belongs to --fuzz"),
        (["--fuzz", "2", "--script", "no/such/x.py"], 5, "its directory does not exist"),
        (["--fuzz", "2", "--script", "."], 5, "it is a directory"),
    ],
)
def test_bad_options_are_one_line(arguments: list[str], code: int, message: str) -> None:
    """Before anything is run."""
    done = _deltabench(*arguments)
    assert done.returncode == code
    (line,) = done.stderr.splitlines()
    assert message in line
    assert done.stdout == ""
