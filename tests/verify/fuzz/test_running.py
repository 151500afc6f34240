"""Campaigns: whole, with faults that are planted, and when something breaks."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deltabench.verify.fuzz import graph
from deltabench.verify.fuzz.running import Campaign, run_campaign
from tests.verify import faults

if TYPE_CHECKING:
    from types import ModuleType

    from deltabench.verify.fuzz.vocabulary import FuzzOutcome

SEED = 9  # one that draws every kind of operation soon
WHOLE = "for write in writes for item in write"
# Of the writes of one superstep only the last is kept: a batch is not what its parts are.
LAST_ONLY = "for write in writes[-1:] for item in write"
ALLOWED = {*sys.stdlib_module_names, "langgraph", "langchain_core", "typing_extensions"}
KINDS = {
    *("invoke", "go on", "replay", "command", "resume", "update_state", "bulk_update_state"),
    *("invoke on an old checkpoint", "update_state of an old checkpoint", "delete_thread"),
    *("bulk_update_state of an old checkpoint", "reopen", "change of K", "new process"),
}


def _run(campaign: Campaign) -> FuzzOutcome:
    return run_campaign(campaign, lambda *_: None)


def _uneven_graph(directory: Path) -> ModuleType:
    """The graph that is fuzzed, with a reducer that breaks the contract of delta channels."""
    text = Path(str(graph.__file__)).read_text(encoding="utf-8")
    assert WHOLE in text
    path = directory / "uneven.py"
    path.write_text(text.replace(WHOLE, LAST_ONLY), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("uneven", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["uneven"] = module
    spec.loader.exec_module(module)
    return module


def _script(text: str, directory: Path) -> subprocess.CompletedProcess[str]:
    path = directory / "script.py"
    path.write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "-W", "ignore", str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
    )


def _drawn(sequences: int, seed: int, hash_seed: str) -> list[str]:
    file = Path(__file__).with_name("drawn.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(file), str(sequences), str(seed)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    return done.stdout.splitlines()


def test_a_reducer_that_is_not_even_is_found_shrunk_and_shown_alone(tmp_path: Path) -> None:
    """The script needs nothing of deltabench, and shows nothing once the reducer is right."""
    told: list[int] = []
    uneven = _uneven_graph(tmp_path)
    campaign = Campaign("memory", 1, seed=2, steps=10, shrinks=80, graph=uneven)
    outcome = run_campaign(campaign, lambda sequences, _: told.append(sequences))
    assert told == [1]
    finding = outcome.findings[0]
    assert (finding.repeats, finding.reproduced) == (True, True)
    assert len(finding.operations) == 1
    imported: set[str] = set()
    for node in ast.walk(ast.parse(finding.script)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).partition(".")[0])
    assert imported <= ALLOWED
    done = _script(finding.script, tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("after operation 1, ")
    done = _script(finding.script.replace(LAST_ONLY, WHOLE), tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "no difference\n", "")


def test_a_saver_that_drops_writes_is_found() -> None:
    """Only deltabench knows the fault, so the script shows nothing, and that is said."""
    outcome = _run(Campaign("memory", 1, seed=1, steps=10, shrinks=5, change=faults.drops_writes))
    assert outcome.findings
    assert all(finding.repeats and not finding.reproduced for finding in outcome.findings)


def test_a_seed_draws_the_same_in_every_process_and_every_operation() -> None:
    """Whatever order sets have there; another seed draws something else."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(_drawn, (12, 12), (SEED, SEED), ("1", "2"))
    assert len(first) == 12
    assert first == second
    assert not set(first[:2]) & set(_drawn(2, SEED + 1, "1"))
    assert {kind for line in first for kind in line.partition(";")[0].split(", ")} >= KINDS


@pytest.mark.parametrize("checkpointer", ["memory", "sqlite"])
def test_a_database_that_goes_away_is_no_finding(checkpointer: str) -> None:
    """It is told by its kind, since a message may quote a password."""
    outcome = _run(Campaign(checkpointer, 20, change=faults.goes_away))
    assert outcome.broken == "the database cannot be reached (OperationalError)"
    assert outcome.findings == ()
    assert outcome.sequences < 20


def test_a_new_process_that_is_killed_is_no_finding() -> None:
    """The operation reads in a real process, whose end says nothing of the thread."""
    outcome = _run(Campaign("sqlite", 60, change=faults.kills_readers))
    assert outcome.broken == "a reader's process ended without an answer"
    assert outcome.findings == ()
