"""Tests of the Markdown report, against the exact text."""

# The lines of a report are not wrapped.
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from deltabench.report.comparison import compare_results
from deltabench.report.markdown import MOST_BYTES, markdown
from deltabench.report.plots.drawing import Plot
from deltabench.report.source import Rendered
from deltabench.results.summary import summarize
from tests.fakes import failed_row, fake_cell, fake_results, fake_row, replace_row

if TYPE_CHECKING:
    from deltabench.results.values import Summary

ONE_K = """\
# deltabench

**Workload B over 200 turns on memory: delta channels at K=50 store 45.9x less than full snapshots (234 MB against 10.7 GB); the slowest resume takes 1.32x as long.**

## B, 200 turns, memory, async

|  | full snapshots | delta K=50 |  |  |
|---|--:|--:|--:|--:|
| Stored | 10.7 GB | 234 MB | 45.9x less |  |
| - values | 10.7 GB | 220 MB |  |  |
| - writes | 11.9 MB | 11.9 MB |  |  |
| - checkpoint rows | 1.24 MB | 1.24 MB |  |  |
| - keys | 620 kB | 620 kB |  |  |
| - the floor | 13.7 MB | 13.7 MB |  | no K goes below it |
| Largest value | 11.9 MB | 11.9 MB |  | in messages |
| Snapshots taken |  | 36 |  | in 1,800 updates |
| Serialize, CPU | 21.1 s | 467 ms | 45.2x less |  |
| Deserialize, CPU | 2.72 s | 55.9 ms | 48.6x less |  |
| Turn, median / p95 | 72.7 / 112 ms | 31.6 / 35.0 ms | 2.30x faster |  |
| - first tenth | 34.1 ms | 30.5 ms | 1.12x faster |  |
| - last tenth | 111 ms | 33.7 ms | 3.30x faster |  |
| Resume, worst phase | 9.07 ms | 12.0 ms | 1.32x slower | just before a snapshot |
| Resume, right after | 9.07 ms | 9.13 ms | about equal |  |
| Resume cold, worst | 12.1 ms | 15.4 ms | 1.28x slower | after 122 ms to open |
| History, last 10 | 67.2 ms | 67.2 ms | about equal |  |
| History, last 50 | 307 ms | 309 ms | about equal |  |
| Time travel | 6.58 ms | 6.60 ms | about equal |  |
| Peak memory | 687 MB | 152 MB | 4.53x less |  |
| - over its baseline | 567 MB | 31.7 MB | 17.9x less |  |
| Trips per turn | 20.0 | 20.0 | equal | saver calls |
| Trips per resume | 1.00 | 2.00 | 2.00x more |  |
| Trips per history 50 | 1.00 | 1.00 | equal |  |
| State |  | identical: 1,800 messages, 600 files |  |  |
| Message ids |  | equal and stable |  |  |

One sample each; --repeat 9 adds intervals.

![How?](storage.png)

- No plot "Which?": one K only.

## What was not measured

One session at a time, one process, no network; the scripted model answers at once, so a share of turn time is the most that checkpointing can cost. Cold resumes find a warm page cache. Savings depend on message size, updates per turn and checkpointer.

## Method

Each cell is one session in a fresh process, driven through the installed deepagents and langgraph by a deterministic scripted model. Bytes, rows, updates and round trips are counted, so they are exact; times are medians, compared with full snapshots of the same run at the same place of the thread. Every raw sample is in `results.json`.

## Versions and machine

- deltabench 0.1.0, langgraph 1.2.24, langgraph-checkpoint 4.3.2, langgraph-checkpoint-sqlite 3.1.2, deepagents 0.7.32, langchain-core 1.8.3, ormsgpack 1.13.1
- CPython 3.11.7 (main, Jan 1 2026, 00:00:00) \\[GCC 12.2.0\\], SQLite 3.46.1
- Linux 6.1.0 x86\\_64, Fake CPU 2000, 2 cores, 8.00 GB (container)
- load average at the start: 0.50, 0.25, 0.12
- command: `deltabench run --workload B --turns 200`
"""

SWEEP = """\
# deltabench

> **FAILED: 1 cell gave no result (3 planned)**
>
> - B 200 turns, memory, K=10: timed out: no answer for 60 s

## B, 200 turns, memory, async

|  | stored | vs full | snaps | turn | resume | vs full | hist. 50 | memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
| full | 10.7 GB |  |  | 72.7 ms | 9.31 ms |  | 304 ms | 677 MB |
| K=10 | no result |  |  |  |  |  |  |  |
| K=50 | 234 MB | 45.9x less | 36 | 31.6 ms | 12.3 ms | 1.32x slower | 303 ms | 154 MB |

| derived | turn | vs full | resume | vs full | hist. 50 | vs full |
|---|--:|--:|--:|--:|--:|--:|
| full | 473 ms |  | 29.3 ms |  | 324 ms |  |
| K=50 | 432 ms | 1.10x faster | 52.3 ms | 1.79x slower | 323 ms | equal |

Floor: no K goes below 13.7 MB (writes, rows and keys). turn: median; resume: warm, slowest phase; hist. 50: last 50 checkpoints; memory: peak.


One sample each; --repeat 9 adds intervals.

derived = round trips x 20.0 ms, one after another, + the measured local median.

"""


SIDE_BY_SIDE = """\
## Side by side

### B, 200 turns, memory, async

|  | result | stored | vs first | vs full | turn vs full | slowest resume vs full |
|---|--:|--:|--:|--:|--:|--:|
| full | one | 10.7 GB |  |  |  |  |
|  | other | 10.7 GB | equal |  |  |  |
| K=10 | one | 1.09 GB |  | 9.84x less | 2.06x faster | 1.08x slower |
|  | other | 2.16 GB | 1.99x more | 4.95x less | 2.06x faster | 1.08x slower |

- A, 200 turns, memory, async: only in other

"""


def _markdown(summary: Summary) -> str:
    return markdown([Rendered(name="", summary=summary)])


def test_one_k_gives_claim_table_plots_and_method() -> None:
    """The whole report, with a plot that was drawn and one that could not be."""
    summary = summarize(fake_results())
    plots = [
        Plot(title="How?", file="storage.png"),
        Plot(title="Which?", file=None, reason="one K only"),
    ]
    rendered = Rendered(name="", summary=summary, plots=((summary.groups[0].label, plots),))
    assert markdown([rendered]) == ONE_K


def test_a_sweep_tells_failures_before_the_claim() -> None:
    """A failed cell cannot be overlooked, and derived latencies are named so."""
    results = fake_results(ks=(10, 50))
    results = replace_row(results, 1, failed_row(results.rows[1].cell))
    assert _markdown(summarize(results, rtt_ms=20)).startswith(SWEEP)


def test_names_from_outside_are_no_markup() -> None:
    """A pipe or a bracket in a name cannot break a table or make a link."""
    text = _markdown(summarize(fake_results(workloads=("a|b [x](http://y) `c`",))))
    assert "a\\|b \\[x\\](http://y) \\`c\\`" in text


def test_it_fits_a_comment() -> None:
    """Even a wide sweep stays far below the 65,536 characters of a comment."""
    ks = (1, 2, 5, 10, 25, 50, 100, 250, 1000)
    assert len(_markdown(summarize(fake_results(ks=ks, workloads=("A", "B"))))) < 10_000


def test_hundreds_of_groups_still_fit_a_comment() -> None:
    """What is left out is counted, and what every reader needs stands below it."""
    names = tuple(f"workload number {number} with a long name" for number in range(150))
    text = _markdown(summarize(fake_results(ks=(10, 50), workloads=names, turns=20)))
    assert len(text.encode()) <= MOST_BYTES
    left_out = re.search(r"\*\*(\d+) of 150 groups are left out here", text)
    assert left_out
    assert text.count("## workload number") == 150 - int(left_out[1])
    assert "and 110 more, in report.html" in text
    assert "## What was not measured" in text
    assert "## Versions and machine" in text


def test_hundreds_of_failures_still_fit_a_comment() -> None:
    """Long reasons are cut, and the number of all failures stands above them."""
    results = fake_results()
    cells = [fake_cell(50, workload=f"w{number}") for number in range(500)]
    rows = tuple(failed_row(cell, "why " * 2_000) for cell in cells)
    text = _markdown(summarize(results.model_copy(update={"rows": rows})))
    assert len(text.encode()) <= MOST_BYTES
    assert "FAILED: 500 cells gave no result" in text
    assert "more, in report.html" in text


def test_several_results_stand_side_by_side_and_then_apart() -> None:
    """The common groups are compared in one table; each result keeps its own section."""
    one, other = fake_results(ks=(10, 50)), fake_results(ks=(10,), workloads=("B", "A"))
    grown = fake_cell(10, ks=(10,), turns=200)
    bigger = fake_row(grown).measurement
    assert bigger
    last = bigger.storage[-1]
    last = last.model_copy(update={"value_bytes": last.value_bytes * 2})
    bigger = bigger.model_copy(update={"storage": (*bigger.storage[:-1], last)})
    other = replace_row(other, 1, fake_row(grown).model_copy(update={"measurement": bigger}))
    rendered = [
        Rendered(name="one", summary=summarize(one)),
        Rendered(name="other", summary=summarize(other)),
    ]
    text = markdown(rendered, compare_results(rendered))
    assert text.startswith("# deltabench\n\n**one: Workload B over 200 turns on memory: delta")
    assert SIDE_BY_SIDE in text
    assert text.index("## one") < text.index("## other")
    assert text.count("### B, 200 turns, memory, async") == 3
    assert "## Versions and machine: other" in text
