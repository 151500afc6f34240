"""Versions are held against those that were tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deltabench.doctor.versions import judged, pinned
from deltabench.errors import DeltabenchError
from deltabench.verify.history import (
    Environment,
    Fault,
    History,
    Outcome,
    faults,
    load_history,
    remedy,
    standing,
)
from deltabench.verify.known import load_known

if TYPE_CHECKING:
    from pathlib import Path

CASE = "several at once"


def _versions(langgraph: str, checkpoint: str, sqlite: str = "3.1.2") -> dict[str, str]:
    return {
        "langgraph": langgraph,
        "langgraph-checkpoint": checkpoint,
        "langgraph-checkpoint-sqlite": sqlite,
    }


def _environment(versions: dict[str, str], *, fails: bool) -> Environment:
    outcome = Outcome(
        guarantee="update-state",
        checkpointer="sqlite",
        status="fails" if fails else "holds",
        held=() if fails else (CASE,),
        failed={CASE: "the state: values"} if fails else {},
    )
    return Environment(name=str(versions), quick=True, versions=versions, outcomes=(outcome,))


HISTORY = History(
    environments=(
        _environment(_versions("1.2.0", "4.1.0", "3.1.0"), fails=True),
        _environment(_versions("1.2.9", "4.1.0", "3.1.0"), fails=True),
        _environment(_versions("1.2.24", "4.3.0", "3.1.1"), fails=True),
        _environment(_versions("1.2.24", "4.3.2", "3.1.2"), fails=False),
    )
)
FAULT = Fault(
    guarantee="update-state", checkpointer="sqlite", case=CASE, observed="the state: values"
)


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (_versions("1.2.9", "4.1.0", "3.1.0"), "present"),  # as it was tried
        (_versions("1.2.4", "4.1.0", "3.1.0"), "present"),  # older than one that fails
        (_versions("1.2.24", "4.3.0", "3.1.0"), "present"),  # the newest, with older savers
        (_versions("1.2.24", "4.3.2", "3.1.2"), "fixed"),
        (_versions("1.3.0", "4.4.0", "3.2.0"), "fixed"),  # newer than one that holds
        (_versions("1.2.30", "4.3.0", "3.1.1"), "unknown"),  # beyond both
    ],
)
def test_a_fault_stands_as_what_was_tried_tells(versions: dict[str, str], expected: str) -> None:
    """What was tried tells of all that is older or newer in every package."""
    assert faults(HISTORY) == (FAULT,)
    assert standing(FAULT, HISTORY, versions) == expected


def test_one_that_came_back_is_present() -> None:
    """An older version at which it held does not clear one at which it failed since."""
    came_back = _environment(_versions("1.3.0", "4.3.2", "3.1.2"), fails=True)
    history = History(environments=(*HISTORY.environments, came_back))
    assert standing(FAULT, history, _versions("1.3.0", "4.3.2", "3.1.2")) == "present"
    assert standing(FAULT, history, _versions("1.2.24", "4.3.2", "3.1.2")) == "fixed"
    assert standing(FAULT, history, _versions("1.3.1", "4.3.2", "3.1.2")) == "unknown"


def test_the_remedy_names_only_what_is_too_old() -> None:
    """Upgrading langgraph alone is not enough, and what is new enough stays."""
    old = _versions("1.2.24", "4.3.0", "3.1.1")
    expected = {"langgraph-checkpoint": "4.3.2", "langgraph-checkpoint-sqlite": "3.1.2"}
    assert remedy(FAULT, HISTORY, old) == expected
    part = judged(HISTORY, old)
    (finding,) = part.findings
    assert finding.level == "fault"
    assert finding.text == f"update-state fails on sqlite: {CASE}"
    assert part.remedy == (
        "pip install 'langgraph-checkpoint>=4.3.2' 'langgraph-checkpoint-sqlite>=3.1.2'"
    )


def test_versions_between_are_not_passed() -> None:
    """Nobody tried them, and that is what is said."""
    (finding,) = judged(HISTORY, _versions("1.2.30", "4.3.0", "3.1.1")).findings
    assert finding.level == "unsure"


def test_a_saver_that_is_not_installed_has_no_faults() -> None:
    """Without PostgreSQL's package its faults are nobody's."""
    (finding,) = judged(HISTORY, {"langgraph": "1.2.0", "langgraph-checkpoint": "4.1.0"}).findings
    assert finding.level == "fine"


def test_the_data_knows_the_old_faults() -> None:
    """What was broken in public shows, and is mended in the newest versions.

    Forks that replayed an abandoned branch, parallel writers in another order, the first
    write of `update_state`: all were found by the matrix, none is written by hand.
    """
    history = load_history()
    newest = history.environments[-1]
    assert newest.name == "newest"
    assert not any(outcome.failed for outcome in newest.outcomes)
    oldest = {(o.guarantee, o.checkpointer) for o in history.environments[0].outcomes if o.failed}
    for guarantee in ("time-travel", "parallel-writers", "update-state", "messages"):
        assert {(guarantee, c) for c in ("memory", "sqlite", "postgres")} & oldest
    older_savers = next(e for e in history.environments if "older savers" in e.name)
    assert any(o.failed for o in older_savers.outcomes if o.guarantee == "parallel-writers")


def test_known_differences_name_the_versions_they_were_seen_with() -> None:
    """As the history has them."""
    named = {entry.id: entry.langgraph for entry in load_known()}
    for each in load_history().environments:
        for seen in (id_ for outcome in each.outcomes for id_ in outcome.known):
            assert each.versions["langgraph"] in named[seen], seen


def test_pins_are_read_as_pip_writes_them(tmp_path: Path) -> None:
    """Other packages, hashes and marks are passed over."""
    path = tmp_path / "requirements.txt"
    path.write_text(
        "# made by hand\nLangGraph==1.2.9 ; python_version > '3.9'\nnumpy==2.1.0\n"
        "langgraph_checkpoint[x]==4.1.0 \\\n    --hash=sha256:0\n",
        encoding="utf-8",
    )
    assert pinned(str(path)) == {"langgraph": "1.2.9", "langgraph-checkpoint": "4.1.0"}


@pytest.mark.parametrize(
    ("text", "words"),
    [("numpy==2.1.0\n", "no version of langgraph"), ("langgraph==one.two\n", "is no version")],
)
def test_a_list_that_says_nothing_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """One line with a hint."""
    path = tmp_path / "requirements.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DeltabenchError, match=words):
        pinned(str(path))
