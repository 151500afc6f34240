"""Checkpointers of a user's that keep too little, or too much in one place."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from deltabench.verify.cell import try_guarantee
from deltabench.verify.guarantees.any_checkpointer import AnyCheckpointer
from deltabench.verify.guarantees.human_in_the_loop import HumanInTheLoop
from deltabench.verify.guarantees.long_term_memory import LongTermMemory
from deltabench.verify.vocabulary import Variant

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.verify.guarantees.interface import Guarantee
    from deltabench.verify.vocabulary import CaseResult

SAVERS = """
import os
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

ONE = InMemorySaver()

def shared():
    return ONE

def forgets():
    return InMemorySaver()

def plain():
    return SqliteSaver.from_conn_string(os.environ["DELTABENCH_DIRECTORY"] + "/own.sqlite")

def awaited():
    return AsyncSqliteSaver.from_conn_string(os.environ["DELTABENCH_DIRECTORY"] + "/own.sqlite")
"""
PLAIN = Variant()
AWAITED = Variant(mode="async", durability="async", snapshot_frequency=3)


@pytest.fixture(scope="module")
def savers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of factories."""
    path = tmp_path_factory.mktemp("own") / "own_savers.py"
    path.write_text(SAVERS, encoding="utf-8")
    return path


def _tried(
    guarantee: Guarantee, savers: Path, name: str, variant: Variant = PLAIN
) -> dict[str, CaseResult]:
    results = try_guarantee(guarantee, f"{savers}:{name}", [variant])
    return {result.case: result for result in results}


def test_one_store_for_both_twins_is_refused(savers: Path) -> None:
    """Its twins would see each other, which is no finding about delta channels."""
    (result,) = _tried(LongTermMemory(), savers, "shared").values()
    assert "gives both twins one store (make it anew in the directory $" in str(result.not_tried)


def test_a_store_that_ends_with_its_saver_cannot_be_opened_again(savers: Path) -> None:
    """Cases that need no second opening are tried all the same."""
    results = _tried(HumanInTheLoop(), savers, "forgets")
    again = {name for name, result in results.items() if result.not_tried}
    assert again == {"answered after reopening", "answered in another process"}
    assert str(results["answered after reopening"].not_tried).endswith(
        "keeps nothing when opened again"
    )


def test_a_saver_is_tried_by_the_calls_that_it_offers(savers: Path) -> None:
    """A plain one is not awaited, an awaited one is not called plainly."""
    case = "order of pending writes"
    tried = partial(_tried, AnyCheckpointer(), savers)
    assert tried("plain")[case].not_tried is None
    assert tried("plain", AWAITED)[case].not_tried == "the checkpointer does not offer it"
    suite = tried("plain", AWAITED)["langgraph's conformance suite"].not_tried
    assert str(suite).startswith("the suite awaits its calls")
    assert tried("awaited", AWAITED)[case].not_tried is None
    assert "can be awaited only" in str(tried("awaited")[case].not_tried)
