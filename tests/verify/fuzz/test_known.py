"""What the fuzzer found in langgraph and `known.toml` explains, in the shortest form."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import Command

from deltabench.verify.fuzz.dropping import done_again, without_needless
from deltabench.verify.fuzz.operations import Operation, Reopen, Run, Update
from deltabench.verify.fuzz.running import Campaign, open_campaign_twins
from deltabench.verify.fuzz.search import Search, kind_of
from deltabench.verify.fuzz.sequence import Sequence, Start
from deltabench.verify.known import load_known
from deltabench.verify.oracle.twins import BothRaisedError, DifferenceFoundError

if TYPE_CHECKING:
    from deltabench.verify.vocabulary import Difference

FINDINGS = Path(__file__).parents[3] / "examples" / "findings"
OPEN = partial(open_campaign_twins, Campaign("memory", 1))


def _turn(*wishes: str) -> Run:
    return Run("a", {"notes": ["turn"], "wishes": list(wishes)}, "sync")


def _first(sequence: Sequence) -> tuple[Sequence, Difference]:
    """Do it up to the first difference."""
    done = Sequence(sequence.start)
    with OPEN(sequence.start) as twins:
        for operation in sequence.operations:
            done.add(operation, twins)
            try:
                operation.do(twins)
            except DifferenceFoundError as error:
                return done, error.difference
            except BothRaisedError:
                continue
            if twins.noted:
                return done, twins.noted[0]
    raise AssertionError("nothing differs any more; the entry can go from known.toml")


def _command(**update: object) -> Run:
    return Run("a", Command(update=update, goto="think"), "sync")


@pytest.mark.parametrize(
    ("operations", "entry"),
    [
        ([_turn(), _command(notes=["more"])], "command-shows-where-it-starts"),
        ([_command(notes=["more"])], "command-begins-thread"),
        ([_turn(), _command(messages=[HumanMessage("no id")])], "message-without-id-again"),
        (
            [_turn(), Reopen("a", None), Run("a", {"pages": {"p": "p"}, "wishes": []}, "sync", 2)],
            "full-after-delta-branch",
        ),
        (
            [_turn(), Reopen("a", None), Update("a", {"pages": {"p": "p"}}, "close", 2)],
            "full-after-delta-branch",
        ),
        (
            [_turn("right asks"), Update("a", {"messages": [HumanMessage("x", id="x")]}, "left")],
            "update-as-finished-task",
        ),
    ],
)
def test_what_is_known_still_occurs(operations: list[Operation], entry: str) -> None:
    """Each by the shortest way to it."""
    done, difference = _first(Sequence(Start("sync", 3), operations))
    assert Search(1, lambda *_: None, 0).known_as(done, difference) == entry


def test_operations_that_a_difference_does_not_need_are_left_out() -> None:
    """Only the Command on a new thread is needed, wherever it stood."""
    needless = [_turn(), Reopen("a"), Update("a", {"notes": ["x"]}, "close", at=0)]
    command = Run("b", Command(update={"notes": ["more"]}, goto="think"), "sync")
    done, difference = _first(Sequence(Start("sync", 3), [*needless, command]))
    kind = kind_of(done, difference)
    shortest, shown, repeats = without_needless(
        OPEN, done, difference, lambda *found: kind_of(*found) == kind
    )
    assert (shortest.operations, repeats) == ([command], True)
    assert kind_of(shortest, shown) == kind


def test_a_checkpoint_that_is_not_there_ends_the_attempt() -> None:
    """What was left out may have made it."""
    sequence = Sequence(Start("sync", 3), [Update("a", {"notes": ["x"]}, "close", at=7)])
    assert done_again(OPEN, sequence, lambda *_: True) is None


@pytest.mark.parametrize("script", sorted(FINDINGS.glob("*.py")), ids=lambda path: path.stem)
def test_the_scripts_show_it_without_deltabench(script: Path) -> None:
    """Each with langgraph alone; when one no longer does, its entry has seen its last version."""
    assert "deltabench" not in script.read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    (entry,) = (each for each in load_known() if each.id == script.stem.replace("_", "-"))
    assert (done.returncode == 1) == (version("langgraph") in entry.langgraph), done.stderr
    assert done.stdout
