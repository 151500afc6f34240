"""A user's own graph under both policies, whole and with a broken saver."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deltabench.report.verdicts import verdict_lines
from deltabench.session.graph_session import GraphRequest
from deltabench.verify.cell import try_guarantee
from deltabench.verify.matrix import judge
from deltabench.verify.own_graph.guarantee import NAME, YourGraph
from deltabench.verify.own_graph.request import OwnGraph
from tests.verify import faults

if TYPE_CHECKING:
    from deltabench.verify.places import Change
    from deltabench.verify.vocabulary import Verdict

EXAMPLE = Path(__file__).parents[3] / "examples" / "agent"
REQUEST = GraphRequest(
    spec=f"{EXAMPLE / 'agent.py'}:graph",
    inputs=str(EXAMPLE / "inputs.jsonl"),
    model=f"{EXAMPLE / 'agent.py'}:make_model",
)
SWITCHED = (("messages", "add_messages"), ("findings", "lists"), ("sources", "a fold"))
UNSTEADY = """
import operator, os
from typing import Annotated, TypedDict
from langgraph.graph import START, StateGraph

class State(TypedDict):
    notes: Annotated[list, operator.add]

builder = StateGraph(State)
builder.add_node("note", lambda state: {"notes": [os.urandom(4).hex()]})
builder.add_edge(START, "note")
graph = builder.compile()
"""


def _verdict(change: Change | None = None, turns: int = 4) -> Verdict:
    own = OwnGraph(request=REQUEST, switched=SWITCHED, turns=turns)
    guarantee = YourGraph(own)
    tried = try_guarantee(guarantee, "memory", guarantee.variants[:1], change=change)
    return judge(NAME, "memory", tried)


def _verify(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deltabench", "verify", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_k_is_tried_and_the_first_in_every_way() -> None:
    """One K after the other would be many minutes for a long session."""
    own = OwnGraph(request=REQUEST, switched=SWITCHED, turns=1, snapshot_frequencies=(2, 9, 50))
    assert [variant.label for variant in YourGraph(own).variants] == [
        "sync, sync, K=2",
        "async, async, K=2",
        "sync, exit, K=2",
        "async, async, K=9",
        "sync, sync, K=50",
    ]


def test_the_example_graph_is_the_same_under_both_policies() -> None:
    """Every way through its inputs is tried, and only what is known differs."""
    verdict = _verdict()
    assert verdict.status in {"holds", "differs"}
    assert [case.case for case in verdict.cases] == [
        "turn by turn",
        "opened again after each turn",
        "delta from the middle on",
        "another K from the middle on",
        "forked after each turn",
    ]
    assert not any(case.not_tried for case in verdict.cases)


@pytest.mark.parametrize("change", [faults.drops_writes, faults.forgets_snapshots])
def test_a_broken_saver_is_found_and_no_content_is_told(change: Change) -> None:
    """Where it differs is told by names of channels, what stands there by its kind."""
    verdict = _verdict(change)
    assert verdict.status == "fails"
    text = "\n".join(verdict_lines([verdict], (), ()))
    for line in (EXAMPLE / "inputs.jsonl").read_text(encoding="utf-8").splitlines():
        (message,) = json.loads(line)["messages"]
        assert message["content"] not in text
    assert "Answer" not in text
    assert "messages" in text


def test_a_graph_that_differs_from_itself_is_one_line(tmp_path: Path) -> None:
    """It is run twice before anything is compared."""
    (tmp_path / "unsteady.py").write_text(UNSTEADY, encoding="utf-8")
    (tmp_path / "inputs.jsonl").write_text('{"notes": ["a"]}\n', encoding="utf-8")
    spec = f"{tmp_path / 'unsteady.py'}:graph"
    done = _verify("--graph", spec, "--inputs", tmp_path / "inputs.jsonl")
    assert done.returncode == 2
    *_, last = done.stderr.splitlines()
    assert "is not deterministic: two runs of the same inputs differ in the final" in last
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--k", "2"], "error: --k belongs to --graph"),
        (["--turns", "2"], "error: --turns belongs to --graph"),
        (["--graph", "x.py:g", "--inputs", "i", "-g", "threads"], "exclude each other"),
        (["--graph", f"{EXAMPLE}/agent.py:graph"], "error: --graph needs --inputs"),
        (["--graph", "missing.py:graph", "--inputs", "x", "--k", "0"], "frequency is 1 or more"),
    ],
)
def test_bad_options_are_one_line(arguments: list[str], message: str) -> None:
    """Before anything is run."""
    done = _verify(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
