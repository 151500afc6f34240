"""`deltabench verify` on the command line, and its output as text."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from deltabench.report.html.page import html
from deltabench.report.safety import safety_markdown
from deltabench.report.verdicts import verdict_lines
from deltabench.verify.document import Document, load_document
from deltabench.verify.known import load_known
from deltabench.verify.vocabulary import CaseResult, Difference, Latency, Variant, Verdict

if TYPE_CHECKING:
    from pathlib import Path

APART = Difference(
    operation="run (operation 2)",
    observed="the history",
    path="values['notes'][1]",
    channel="notes",
    checkpoint=3,
    expected="'b'",
    found="missing",
)
VERDICTS = (
    Verdict(
        guarantee="time-travel",
        checkpointer="memory",
        status="fails",
        cases=(CaseResult(case="replay", variant=Variant(), differences=(APART,)),),
    ),
    Verdict(
        guarantee="time-travel",
        checkpointer="postgres",
        status="not_tried",
        reason="the postgres checkpointer is not installed",
    ),
)


def _deltabench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deltabench", "verify", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_failure_is_shown_with_what_was_expected_and_found() -> None:
    """The table comes first, then each failure in a block, then what was not tried."""
    assert "\n".join(verdict_lines(VERDICTS, (), load_known()[:1])) == (
        """\
Guarantee    memory  postgres
time-travel  FAILS   not tried

FAILS: time-travel on memory
  replay (sync, sync, K=3)
    after run (operation 2), the history, checkpoint 3
      at        values['notes'][1]
      expected  'b'
      found     missing

time-travel on postgres was not tried: the postgres checkpointer is not installed
No longer seen: task-results-coerced; it can go from known.toml

1 case tried: 1 of 2 verdicts fails."""
    )


def test_times_are_told_as_ratios_of_enough_samples() -> None:
    """Medians of the delta twin over those of the full twin; a few samples give none."""
    samples = (0.001, 0.002, 0.003) * 3
    latency = Latency(
        what="get_state", full_seconds=samples, delta_seconds=tuple(3 * s for s in samples)
    )
    enough = Verdict(guarantee="threads", checkpointer="memory", status="holds", latency=latency)
    few = enough.model_copy(
        update={
            "checkpointer": "sqlite",
            "latency": latency.model_copy(update={"full_seconds": (0.1,) * 8}),
        }
    )
    assert "\n".join(verdict_lines((enough, few), (), ())).startswith(
        """\
Guarantee  memory  sqlite
threads    holds   holds

Median time, delta to full  memory  sqlite
threads: get_state          3.00x   -
"""
    )


def test_a_known_difference_is_told_once_with_its_reason() -> None:
    """It names the checkpointers, wraps at 79 columns, and nothing fails."""
    case = CaseResult(
        case="tuple", variant=Variant(), differences=(APART,), known=("tuples-become-lists",)
    )
    verdict = Verdict(
        guarantee="serialization", checkpointer="memory", status="differs", cases=(case, case)
    )
    assert "\n".join(verdict_lines((verdict,), load_known(), ())) == (
        """\
Guarantee      memory
serialization  differs

Differs, known (serialization, memory): tuples-become-lists
  Tuples in state come back as lists, and objects of your own as langgraph's
  serializer gives them, under full snapshots and delta channels alike.
  seen with langgraph 1.2.0, 1.2.4, 1.2.9, 1.2.11, 1.2.24; upstream: none found

2 cases tried: nothing fails."""
    )


def test_facts_are_told_once_with_where_they_were_found() -> None:
    """Whatever the verdict is."""
    case = CaseResult(case="calls", variant=Variant(), facts=("2 calls of one read",))
    verdicts = [
        Verdict(guarantee="any-checkpointer", checkpointer=name, status="holds", cases=(case,))
        for name in ("memory", "sqlite")
    ]
    assert "\n".join(verdict_lines(verdicts, (), ())) == (
        """\
Guarantee         memory  sqlite
any-checkpointer  holds   holds

Beside the verdicts
any-checkpointer, memory, sqlite: 2 calls of one read

2 cases tried: nothing fails."""
    )


def test_a_report_takes_the_verdicts_in() -> None:
    """As a table, with what failed and what was not tried, in Markdown and as a page."""
    document = Document(versions={"langgraph": "1.2.24"}, verdicts=VERDICTS)
    assert "\n".join(safety_markdown(document)) == (
        """\
## Is it safe?

**0 of 1 verdicts hold under delta channels.** langgraph 1.2.24. What differs does so in known ways.

| Guarantee | memory | postgres |
| --- | --- | --- |
| time-travel | FAILS | not tried |

**FAILS: time-travel on memory**

```text
replay (sync, sync, K=3)
after run (operation 2), the history, checkpoint 3
at        values['notes'][1]
expected  'b'
found     missing
```

- time-travel on postgres was not tried: the postgres checkpointer is not installed
"""
    )
    page = html([], None, document)
    assert "<h1>0 of 1 verdicts hold under delta channels</h1>" in page
    assert "FAILS: time-travel on memory" in page
    assert "How it was measured" not in page


def test_failures_that_are_alike_are_told_once() -> None:
    """The first is shown, the others are counted and named."""
    cases = tuple(
        CaseResult(case=name, variant=Variant(snapshot_frequency=k), differences=(APART,))
        for name in ("replay", "fork")
        for k in (2, 3)
    )
    verdict = VERDICTS[0].model_copy(update={"cases": cases})
    text = "\n".join(verdict_lines([verdict], (), ()))
    assert text.count("found     missing") == 1
    assert "  replay (sync, sync, K=2); 3 more alike\n    also in fork\n" in text


def test_json_names_versions_and_every_case(tmp_path: Path) -> None:
    """Stdout holds the document alone; progress goes to stderr, one line a verdict."""
    out = tmp_path / "new" / "verdicts"
    arguments = ("-g", "long-term-memory", "-c", "memory", "--quick", "--json", "--out", str(out))
    done = _deltabench(*arguments)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "langgraph" in found["versions"]
    assert [case["case"] for case in found["verdicts"][0]["cases"]] == ["across threads"]
    progress, written = done.stderr.splitlines()
    assert progress == "1/1 long-term-memory on memory: holds"
    assert written.startswith(f"Written: {out / 'verdicts.json'}")
    loaded = load_document(out)
    assert loaded is not None
    assert loaded.model_dump(mode="json") == found
    assert (out / "verdicts.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_bad_names_are_one_line_each() -> None:
    """A guarantee or a checkpointer that does not exist is said before anything is tried."""
    done = _deltabench("-g", "travel")
    assert done.returncode == 2
    assert done.stderr.startswith("error: no guarantee named 'travel' (durable-execution, ")
    assert len(done.stderr.splitlines()) == 1


def test_nothing_tried_is_no_success() -> None:
    """A guarantee that cannot be tried where it was asked for ends in 3, not in 0."""
    done = _deltabench("-g", "durable-execution", "-c", "memory", "--quick")
    assert done.returncode == 3
    assert "was not tried: nothing outlives the process here" in done.stdout
