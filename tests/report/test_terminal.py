"""Tests of the tables on a terminal, against the exact text."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from deltabench.cells import Row
from deltabench.report.terminal import print_results
from tests.fakes import failed_row, fake_cell, fake_results, replace_measured, replace_row

if TYPE_CHECKING:
    from deltabench.results.file import Results

ONE_K = """\
Workload B, a fake session: 200 turns, memory
  durability async, seed 7, langgraph 1.2.24, deepagents 0.7.32

                       full snapshots     delta K=50
  Stored                      10.7 GB         234 MB  45.9x less
    values                    10.7 GB         220 MB
    writes                    11.9 MB        11.9 MB
    checkpoint rows           1.24 MB        1.24 MB
    keys                       620 kB         620 kB
    the floor                 13.7 MB        13.7 MB  no K goes below it
  Largest value               11.9 MB        11.9 MB  in messages
  Snapshots taken                                 36  in 1,800 updates
  Serialize, CPU               21.1 s         467 ms  45.2x less
  Deserialize, CPU             2.72 s        55.9 ms  48.6x less
  Turn, median / p95    72.7 / 112 ms 31.6 / 35.0 ms  2.30x faster
    first tenth               34.1 ms        30.5 ms  1.12x faster
    last tenth                 111 ms        33.7 ms  3.30x faster
  Resume, worst phase         9.07 ms        12.0 ms  1.32x slower
                                                      just before a snapshot
  Resume, right after         9.07 ms        9.13 ms  about equal
  Resume cold, worst          12.1 ms        15.4 ms  1.28x slower
                                                      after 122 ms to open
  History, last 10            67.2 ms        67.2 ms  about equal
  History, last 50             307 ms         309 ms  about equal
  Time travel                 6.58 ms        6.60 ms  about equal
  Peak memory                  687 MB         152 MB  4.53x less
    over its baseline          567 MB        31.7 MB  17.9x less
  Trips per turn                 20.0           20.0  equal; saver calls
  Trips per resume               1.00           2.00  2.00x more
  Trips per history 50           1.00           1.00  equal
  State                 identical: 1,800 messages, 600 files
  Message ids           equal and stable

One sample each; --repeat 9 adds intervals.
"""

SWEEP = """\
FAILED: 1 cell gave no result (6 planned)
  B 200 turns, memory, K=10: timed out: no answer for 60 s

Workload B, a fake session: 200 turns, memory
  durability async, seed 7, langgraph 1.2.24, deepagents 0.7.32

           stored vs full    snaps    turn  resume vs full      hist. 50 memory
 full     10.7 GB                  72.7 ms 9.31 ms                310 ms 665 MB
 K=1      10.7 GB equal      1,800 69.6 ms 9.32 ms about equal    309 ms 675 MB
 K=10   no result
 K=50      234 MB 45.9x less    36 31.6 ms 12.0 ms 1.30x slower   308 ms 152 MB
 K=1000   20.3 MB 527x less      1 30.8 ms 57.1 ms 6.19x slower   358 ms 142 MB
 K=5000   13.7 MB 780x less  never 30.8 ms  117 ms 12.7x slower   417 ms 140 MB

Floor: no K goes below 13.7 MB (writes, rows and keys).
Final state identical: 1,800 messages, 600 files.
turn: median; resume: warm, slowest phase; hist. 50: last 50 checkpoints;
  memory: peak.

Frontier (bytes against slowest resume, times full): full, K=50, K=1000, K=5000
  (never snapshots)
Beaten: K=1 by full (resume within noise)
Take K=50 to store 45.9x less, if the slowest resume may take 1.30x as long as
  with full snapshots; if not, stay with full snapshots.
Bytes at one length depend on how it falls on multiples of K; compare several
  --turns.
One sample each; --repeat 9 adds intervals.
"""

REPEATED = """\
Workload B, a fake session: 50 turns, sqlite
  durability async, seed 7, langgraph 1.2.24, deepagents 0.7.32

                       full snapshots     delta K=10
  Stored                       673 MB        71.7 MB  9.38x less
    values                     670 MB        68.3 MB
    writes                    2.97 MB        2.97 MB
    checkpoint rows            310 kB         310 kB
    keys                       155 kB         155 kB
    the floor                 3.44 MB        3.44 MB  no K goes below it
  disk: database               808 MB        86.1 MB  9.38x less
  Largest value               2.97 MB        2.97 MB  in messages
  Snapshots taken                                 45  in 450 updates
  Serialize, CPU               1.36 s         144 ms  9.49x less (9.27-9.59)
  Deserialize, CPU             166 ms        17.2 ms  9.68x less (9.65-9.72)
  Turn, median / p95   40.3 / 49.5 ms 31.5 / 34.7 ms  1.28x faster (1.26-1.30)
    first tenth               30.4 ms        30.0 ms  within noise (0.982-1.10)
    last tenth                49.3 ms        33.2 ms  1.52x faster (1.36-1.63)
    remote, derived            580 ms         572 ms  1.02x faster
  Resume, worst phase         3.81 ms        4.34 ms  1.13x slower (1.12-1.15)
                                                      just before a snapshot
    remote, derived           43.8 ms        44.3 ms  1.01x slower
  Resume, right after         3.76 ms        3.75 ms  within noise (1.00-1.01)
  Resume cold, worst          6.77 ms        7.29 ms  1.09x slower (1.06-1.09)
                                                      after 119 ms to open
  History, last 10            62.2 ms        61.9 ms  within noise (0.983-1.01)
    remote, derived            102 ms         102 ms  equal
  History, last 50             300 ms         300 ms  within noise (0.989-1.01)
    remote, derived            340 ms         340 ms  equal
  Time travel                 3.90 ms        4.18 ms  1.07x slower (1.06-1.10)
    remote, derived           43.9 ms        44.2 ms  1.01x slower
  Peak memory                  174 MB         143 MB  1.21x less (1.20-1.23)
    over its baseline         54.5 MB        22.9 MB  2.34x less (2.13-2.56)
  Trips per turn                 27.0           27.0  equal; statements
  Trips per resume               2.00           2.00  equal
  Trips per history 50           2.00           2.00  equal
  State                 identical: 450 messages, 150 files
  Message ids           equal and stable

Medians of 9 repeats with 95% bootstrap intervals of the paired ratio.
derived = round trips x 20.0 ms, one after another, + the measured local median.
"""


def _printed(results: Results, *, rtt_ms: float | None = None, width: int = 80) -> str:
    file = io.StringIO()
    print_results(results, Console(file=file, width=width), rtt_ms=rtt_ms)
    return file.getvalue()


def test_one_k_gives_two_columns() -> None:
    """The answer stands in the first line of the table, its price below."""
    assert _printed(fake_results()) == ONE_K


def test_a_sweep_gives_a_row_per_policy_and_a_decision() -> None:
    """Failures come first, then the table, the frontier, what is beaten, and the advice."""
    results = fake_results(ks=(1, 10, 50, 1000, 5000))
    results = replace_row(results, 2, failed_row(results.rows[2].cell))
    assert _printed(results) == SWEEP


def test_repeats_show_intervals_and_an_rtt_shows_derived_lines() -> None:
    """Every derived figure is marked where it stands, and explained once."""
    results = fake_results(repeats=9, checkpointer="sqlite", turns=50, ks=(10,))
    assert _printed(results, rtt_ms=20) == REPEATED


@pytest.mark.parametrize("width", [20, 80, 240])
def test_the_text_does_not_depend_on_the_terminal(width: int) -> None:
    """It neither breaks on a narrow terminal nor stretches on a wide one."""
    assert _printed(fake_results(), width=width) == ONE_K


def test_colour_adds_nothing_but_colour() -> None:
    """On a colour terminal the words are the same, and failures are bold red."""
    results = replace_row(fake_results(), 1, failed_row(fake_cell()))
    console = Console(file=io.StringIO(), width=80, force_terminal=True, record=True)
    print_results(results, console)
    assert console.export_text(clear=False) == _printed(results)
    assert "\x1b[1;31mFAILED: 1 cell gave no result" in console.export_text(styles=True)


def test_nothing_is_wider_than_eighty_columns() -> None:
    """Long names, large K, huge figures and an rtt still fit."""
    results = fake_results(
        ks=(1, 123_456, 9_999_999),
        turns=5_000,
        checkpointer="some.very.long.package.name.of.a.company:make_the_checkpointer_of_it",
        repeats=3,
    )
    texts = (_printed(results, rtt_ms=123.4), _printed(fake_results(repeats=3), rtt_ms=1234))
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80


def test_names_from_outside_cannot_style_or_break_the_table() -> None:
    """Markup and control characters in a name or a reason are only text."""
    results = fake_results(workloads=("[red]x[/red]",))
    reason = "first line\nsecond \x1b[2J[bold]line"
    text = _printed(replace_row(results, 1, failed_row(results.rows[1].cell, reason)))
    assert "Workload [red]x[/red], a fake session" in text
    assert "timed out: first line" in text
    assert "\x1b" not in text


def test_all_cells_failed_is_said_in_words() -> None:
    """Without any figure there is no table, but a sentence."""
    results = fake_results()
    for number, row in enumerate(results.rows):
        results = replace_row(results, number, failed_row(row.cell))
    text = _printed(results)
    assert text.startswith("FAILED: 2 cells gave no result (2 planned)\n")
    assert "No figures: every cell failed or has not run." in text


def test_an_interrupted_plan_says_how_to_go_on() -> None:
    """Cells that have not run are counted above the figures of those that have."""
    results = fake_results()
    text = _printed(replace_row(results, 1, Row(cell=results.rows[1].cell)))
    assert text.startswith("NOT FINISHED: 1 of 2 cells has not run; --resume goes on\n")


def test_notes_of_the_lab_are_shown_once() -> None:
    """What the lab noted about a cell reaches the reader."""
    results = replace_measured(fake_results(), 1, notes=("odd thing", "odd thing"))
    assert _printed(results).count("Note: odd thing") == 1


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"ids_stable": False}, "CHANGE from read to read"),
        ({"missing_ids": 3}, "MISSING in 3 messages"),
        (
            {"ids": "others", "generated_ids": 9},
            "stable, but not those of full, 9 drawn at random",
        ),
    ],
)
def test_message_ids_that_are_not_right_are_told(changes: dict[str, object], text: str) -> None:
    """Whether ids are equal and stable is told beside the state."""
    results = fake_results()
    row = results.rows[1]
    assert row.measurement
    state = row.measurement.state.model_copy(update=changes)
    assert f"Message ids           {text}" in _printed(replace_measured(results, 1, state=state))
