"""The page without a browser: its exact text, and that it needs and obeys nobody."""

# The lines of a page are not wrapped.
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from deltabench.report.comparison import compare_results
from deltabench.report.html.page import html
from deltabench.report.html.texts import HOW, TERMS
from deltabench.report.plots.drawing import Plot, draw_group
from deltabench.report.source import Rendered
from deltabench.report.words import NOT_MEASURED
from deltabench.results.summary import summarize
from tests.fakes import failed_row, fake_results, replace_row
from tests.report.html.reader import Page

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.results.file import Results

ONE_K = """\
deltabench
Workload B over 200 turns on memory: delta channels at K=50 store 45.9x less than full snapshots (234 MB against 10.7 GB); the slowest resume takes 1.32x as long.
B, 200 turns, memory, async
a fake session, seed 7
| full snapshots | delta K=50
Stored | 10.7 GB | 234 MB | 45.9x less
values | 10.7 GB | 220 MB
writes | 11.9 MB | 11.9 MB
checkpoint rows | 1.24 MB | 1.24 MB
keys | 620 kB | 620 kB
the floor / no K goes below it | 13.7 MB | 13.7 MB
Largest value / in messages | 11.9 MB | 11.9 MB
Snapshots taken / in 1,800 updates |  | 36
Serialize, CPU | 21.1 s | 467 ms | 45.2x less
Deserialize, CPU | 2.72 s | 55.9 ms | 48.6x less
Turn, median / p95 | 72.7 / 112 ms | 31.6 / 35.0 ms | 2.30x faster
first tenth | 34.1 ms | 30.5 ms | 1.12x faster
last tenth | 111 ms | 33.7 ms | 3.30x faster
Resume, worst phase / just before a snapshot | 9.07 ms | 12.0 ms | 1.32x slower
Resume, right after | 9.07 ms | 9.13 ms | about equal
Resume cold, worst / after 122 ms to open | 12.1 ms | 15.4 ms | 1.28x slower
History, last 10 | 67.2 ms | 67.2 ms | about equal
History, last 50 | 307 ms | 309 ms | about equal
Time travel | 6.58 ms | 6.60 ms | about equal
Peak memory | 687 MB | 152 MB | 4.53x less
over its baseline | 567 MB | 31.7 MB | 17.9x less
Trips per turn / saver calls | 20.0 | 20.0 | equal
Trips per resume | 1.00 | 2.00 | 2.00x more
Trips per history 50 | 1.00 | 1.00 | equal
State | identical: 1,800 messages, 600 files
Message ids | equal and stable
One sample each; --repeat 9 adds intervals.
Which K? One K was measured, so this report cannot compare it with others. In general a larger K stores less, down to the floor, and makes the slowest resume slower, as more updates lie between two snapshots. deltabench sweep measures several and says which are worth choosing.
No plot “Which?”: one K only.
How it was measured
"""
SWEEP = """\
deltabench
FAILED: 1 cell gave no result (4 planned)
B 200 turns, memory, K=10: timed out: no answer for 60 s
Workload B over 200 turns on memory: delta channels at K=50 store 45.9x less than full snapshots (234 MB against 10.7 GB); the slowest resume takes 1.32x as long.
B, 200 turns, memory, async
a fake session, seed 7
| stored | vs full | snaps | turn | resume | vs full | hist. 50 | memory
full | 10.7 GB |  |  | 72.7 ms | 9.31 ms |  | 304 ms | 677 MB
K=10 | no result
K=50 | 234 MB | 45.9x less | 36 | 31.6 ms | 12.3 ms | 1.32x slower | 303 ms | 154 MB
K=1000 | 20.3 MB | 527x less | 1 | 30.8 ms | 56.5 ms | 6.16x slower | 356 ms | 138 MB
derived | turn | vs full | resume | vs full | hist. 50 | vs full
full | 473 ms |  | 29.3 ms |  | 324 ms
K=50 | 432 ms | 1.10x faster | 52.3 ms | 1.79x slower | 323 ms | equal
K=1000 | 431 ms | 1.10x faster | 96.5 ms | 3.31x slower | 396 ms | 1.22x slower
Floor: no K goes below 13.7 MB (writes, rows and keys). turn: median; resume: warm, slowest phase; hist. 50: last 50 checkpoints; memory: peak.
One sample each; --repeat 9 adds intervals.
derived = round trips x 20.0 ms, one after another, + the measured local median.
Which K? Take K=50 to store 45.9x less, if the slowest resume may take 1.32x as long as with full snapshots; if not, sweep a smaller K.
| stored | vs full | slowest resume | verdict
full / worth choosing | 10.7 GB |  | 1.00x full | worth choosing
K=50 / advised | 234 MB | 45.9x less | 1.32x full | advised
K=1000 / worth choosing | 20.3 MB | 527x less | 6.16x full | worth choosing
Stored bytes at one length depend on how it falls on multiples of K; compare several lengths before you decide.
How it was measured
"""


def _page(*results: Results, plots: list[Plot] | None = None, rtt_ms: float | None = None) -> str:
    rendered = []
    for number, each in enumerate(results):
        summary = summarize(each, rtt_ms=rtt_ms)
        drawn = tuple((group.label, plots or []) for group in summary.groups)
        rendered.append(Rendered(name=f"r{number}", summary=summary, plots=drawn))
    return html(rendered, compare_results(rendered) if len(rendered) > 1 else None)


def test_one_k_says_claim_table_and_advice() -> None:
    """The exact text down to the method, with a plot that could not be drawn."""
    text = Page(_page(fake_results(), plots=[Plot(title="Which?", file=None, reason="one K only")]))
    assert text.text.startswith(ONE_K)


def test_a_sweep_says_failures_first_and_why_a_k_is_advised() -> None:
    """The exact text of a sweep with a failed cell and derived latencies."""
    results = fake_results(ks=(10, 50, 1000))
    results = replace_row(results, 1, failed_row(results.rows[1].cell))
    assert Page(_page(results, rtt_ms=20)).text.startswith(SWEEP)


def test_it_ends_with_method_limits_versions_and_machine() -> None:
    """What a reader needs to judge the figures stands on the page itself."""
    text = Page(_page(fake_results())).text
    for part in (*(words for _, words in TERMS), HOW, NOT_MEASURED):
        assert part in text
    assert "langgraph 1.2.24" in text
    assert "Fake CPU 2000, 2 cores, 8.00 GB (container)" in text
    assert "made by deltabench run --workload B --turns 200" in text


def test_without_a_claim_the_heading_says_why() -> None:
    """No page begins with an empty heading, nor with a claim that nothing supports."""
    failed = fake_results()
    failed = replace_row(failed, 0, failed_row(failed.rows[0].cell))
    assert "\nNot every cell gave a result, so there is no claim\n" in Page(_page(failed)).text
    alone = Page(_page(fake_results(full=False))).text
    assert "were not both measured, so there is no claim\n" in alone


def test_several_results_are_compared_first() -> None:
    """One sentence for all, then the common groups, then a section for each."""
    text = Page(_page(fake_results(ks=(10, 50)), fake_results(workloads=("B", "A")))).text
    assert text.startswith(
        "deltabench\nIn 3 comparisons delta channels store 45.5x to 45.9x less than full "
        "snapshots; the slowest resume takes 1.29x to 1.32x as long.\nSide by side\n"
    )
    assert "\nK=50 | r0 | 234 MB |  | 45.9x less | 2.30x faster | 1.32x slower\n" in text
    assert "\n| r1 | 234 MB | equal | 45.9x less | 2.30x faster | 1.32x slower\n" in text
    assert "A, 200 turns, memory, async: only in r1" in text
    assert text.index("\nr0\n") < text.index("\nr1\n") < text.index("How it was measured")
    assert text.count("Fake CPU 2000") == 2


def test_names_from_outside_are_text() -> None:
    """A workload cannot put markup or a script into the page."""
    evil = "<script>alert(1)</script><b>&amp;"
    page = _page(fake_results(workloads=(evil,)))
    assert "script" not in Page(page).tags
    assert "b" not in Page(page).tags
    assert f"Workload {evil} over" in Page(page).text


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of two groups with all plots, whose names try to break out of a drawing."""
    folder: Path = tmp_path_factory.mktemp("drawn")
    summary = summarize(
        fake_results(ks=(10, 50), workloads=("A", "--><script>x</script>"), turns=20)
    )
    plots = tuple(
        (group.label, draw_group(group, summary, folder, suffix=f"-{number}")[0])
        for number, group in enumerate(summary.groups)
    )
    return html([Rendered(name="", summary=summary, plots=plots)])


def test_it_asks_for_nothing(drawn: str) -> None:
    """No address but the empty icon, no script, and a policy that forbids both."""
    page = Page(drawn)
    assert page.addresses == ["data:,"]
    assert "script" not in page.tags
    assert "http" not in re.sub(r"http-equiv", "", drawn)
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"" in drawn


def test_ids_are_unique_and_every_reference_is_there(drawn: str) -> None:
    """Many drawings share one page: none may use a mark or a clip of another."""
    page = Page(drawn)
    assert page.tags.count("svg") == 2 * 2 * 7
    assert len(page.ids) == len(set(page.ids))
    assert page.references
    assert {reference[1:] for reference in page.references} <= set(page.ids)


def test_it_is_the_same_every_time(drawn: str, tmp_path: Path) -> None:
    """A page that changes by itself could not be committed."""
    summary = summarize(
        fake_results(ks=(10, 50), workloads=("A", "--><script>x</script>"), turns=20)
    )
    plots = tuple(
        (group.label, draw_group(group, summary, tmp_path, suffix=f"-{number}")[0])
        for number, group in enumerate(summary.groups)
    )
    assert html([Rendered(name="", summary=summary, plots=plots)]) == drawn
