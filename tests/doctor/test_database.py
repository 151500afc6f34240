"""Broken chains are found in every branch."""

from __future__ import annotations

from typing import Any

import pytest

from deltabench.doctor.checkpointer import judged, look_at_checkpointer
from deltabench.doctor.database import look_at_database
from deltabench.doctor.findings import Finding, Part
from deltabench.doctor.lines import doctor_lines
from deltabench.inspect.scan import open_source
from deltabench.verify.places import open_saver, prepared_place
from deltabench.verify.probes import note_taker
from deltabench.verify.retention.newest import database_of, run_sql
from deltabench.verify.vocabulary import CaseResult, Difference, Variant, Verdict

THREADS = ("one", "other")


@pytest.mark.parametrize(
    ("checkpointer", "broken"),
    [
        ("sqlite", "DELETE FROM checkpoints WHERE thread_id = 'one' AND checkpoint_id IN ({})"),
        ("postgres", "DELETE FROM checkpoints WHERE thread_id = 'one' AND checkpoint_id IN ({})"),
        ("postgres", "DELETE FROM checkpoint_blobs WHERE thread_id = 'one' AND channel = 'notes'"),
    ],
)
def test_what_a_retention_job_broke_is_found(checkpointer: str, broken: str) -> None:
    """One thread of two; the other and the fork that is whole are left in peace."""
    with prepared_place(checkpointer) as place:
        with open_saver(place) as saver:
            graph = note_taker(saver, 4)
            ids = []
            for thread in THREADS:
                config: Any = {"configurable": {"thread_id": thread}}
                for turn in range(6):
                    graph.invoke({"notes": [f"{turn}"], "turn": turn}, config)
                states = list(graph.get_state_history(config))
                ids.append([state.config["configurable"]["checkpoint_id"] for state in states])
        with open_source(database_of(place)) as source:
            part = look_at_database(source, lambda *_: None)
        assert [finding.level for finding in part.findings] == ["fine"]
        assert part.facts == ("2 threads, 2 with delta channels",)
        old = ", ".join(f"'{each}'" for each in ids[0][1:])
        run_sql(place, [broken.format(old)])
        with open_source(database_of(place)) as source:
            part = look_at_database(source, lambda *_: None)
        (finding,) = part.findings
        assert finding.level == "fault"
        assert finding.text.startswith("thread one: the chain of notes is broken below checkpoint")


def test_a_checkpointer_is_tried() -> None:
    """The one in memory passes."""
    part = look_at_checkpointer("memory", None)
    assert [finding.level for finding in part.findings] == ["fine"]


def test_it_reads_like_this() -> None:
    """Each part with its facts, what was found and what to do."""
    parts = [
        Part(
            title="Versions",
            facts=("langgraph 1.2.9",),
            findings=(
                Finding(
                    level="fault",
                    text="time-travel fails on memory: a fork",
                ),
            ),
            remedy="pip install 'langgraph>=1.2.24'",
        ),
        Part(
            title="Database",
            name="a.sqlite",
            findings=(Finding(level="fine", text="every branch leads to a stored value"),),
        ),
    ]
    assert "\n".join(doctor_lines(parts)) == (
        """\
Versions
  langgraph 1.2.9
  FAULT  time-travel fails on memory: a fork
  -> pip install 'langgraph>=1.2.24'

Database a.sqlite
  ok     every branch leads to a stored value

1 fault."""
    )


def test_a_checkpointer_that_fails_is_a_fault() -> None:
    """With the trial that it failed, and what it gave."""
    apart = Difference(
        operation="putting 2 checkpoints",
        observed="the snapshot in its checkpoint",
        path="found",
        expected="a snapshot",
        found="None",
    )
    case = CaseResult(case="a snapshot keeps its type", variant=Variant(), differences=(apart,))
    verdict = Verdict(
        guarantee="any-checkpointer", checkpointer="my:saver", status="fails", cases=(case,)
    )
    (finding,) = judged("my:saver", verdict).findings
    assert finding.level == "fault"
    assert finding.text.startswith("a snapshot keeps its type: after putting 2 checkpoints")
