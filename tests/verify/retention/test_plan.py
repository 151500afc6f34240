"""What may go may go, and what stays is needed, row by row."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from deltabench.errors import DeltabenchError
from deltabench.inspect.scan import open_source
from deltabench.verify.places import open_saver, prepared_place
from deltabench.verify.probes import note_taker
from deltabench.verify.probes_nested import nested_asking
from deltabench.verify.retention.lines import retention_lines
from deltabench.verify.retention.newest import database_of, run_sql
from deltabench.verify.retention.plan import NamespacePlan, plan_threads
from deltabench.verify.retention.statements import statements
from deltabench.verify.retention.summary import Part, ThreadPlan, thread_plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.places import Place

THREAD = "it's a thread"
CONFIG: Any = {"configurable": {"thread_id": THREAD}}
WRITES = {"sqlite": "writes", "postgres": "checkpoint_writes"}


def _driven(place: Place, k: int | None, build: Build = note_taker) -> None:
    """Seven turns, one of them on a fork that is abandoned."""
    with open_saver(place) as saver:
        graph = build(saver, k)
        for turn in range(7):
            if turn == 3:
                old = list(graph.get_state_history(CONFIG))[2].config
                graph.invoke({"notes": ["on a fork"], "turn": turn}, old)
            graph.invoke({"notes": [f"turn {turn}"], "turn": turn}, CONFIG)


def _read(place: Place, k: int | None, ids: list[str]) -> list[Any]:
    with open_saver(place) as saver:
        graph = note_taker(saver, k)
        where = [{"thread_id": THREAD, "checkpoint_id": id_, "checkpoint_ns": ""} for id_ in ids]
        states = [graph.get_state({"configurable": each}) for each in where]
        return [(state.values, state.next) for state in states]


def _plan(place: Place, keep: int) -> tuple[list[NamespacePlan], list[str]]:
    with open_source(database_of(place)) as source:
        (plans,) = plan_threads(source, [THREAD], keep)
        return plans, list(statements(plans, source.kind))


def _deleted(place: Place, lines: list[str]) -> None:
    run_sql(place, [line.rstrip(";") for line in lines if line.startswith("DELETE")])


@contextmanager
def _without(place: Place, table: str, where: str) -> Iterator[None]:
    run_sql(
        place,
        [
            f"CREATE TABLE held AS SELECT * FROM {table} WHERE {where}",
            f"DELETE FROM {table} WHERE {where}",
        ],
    )
    yield
    run_sql(place, [f"INSERT INTO {table} SELECT * FROM held", "DROP TABLE held"])


@pytest.mark.parametrize("checkpointer", ["sqlite", "postgres"])
@pytest.mark.parametrize("k", [None, 1, 3, 1000])
def test_what_is_kept_is_what_it_was(checkpointer: str, k: int | None) -> None:
    """The newest checkpoints are read as before, and nothing that may go is left."""
    with prepared_place(checkpointer) as place:
        _driven(place, k)
        (plan,), lines = _plan(place, keep=2)
        assert len(plan.kept) == 2
        # Of K = 1 the second newest checkpoint holds what the newest did not write.
        assert bool(plan.links) == (k not in {None, 1})
        assert bool(plan.lost_by_newest) == (k not in {None, 1})
        before = _read(place, k, plan.kept)
        assert before[-1][0]["notes"][-1].startswith("right")
        _deleted(place, lines)
        assert _read(place, k, plan.kept) == before
        (again,), nothing = _plan(place, keep=2)
        assert nothing == []
        assert (again.stays, again.goes) == (plan.stays, {})


@pytest.mark.parametrize("checkpointer", ["sqlite", "postgres"])
def test_every_row_that_stays_is_needed(checkpointer: str) -> None:
    """Without any one of the links, their writes and the snapshots something is lost."""
    with prepared_place(checkpointer) as place:
        _driven(place, 11)
        (plan,), lines = _plan(place, keep=1)
        before = _read(place, 11, plan.kept)
        _deleted(place, lines)
        # Every note counts; of the pages some are removed again.
        rows = [("checkpoints", f"checkpoint_id = '{link}'") for link in plan.links]
        rows += [
            (WRITES[checkpointer], f"checkpoint_id = '{link}' AND channel = 'notes'")
            for link in _written(place, "notes") & set(plan.links)
        ]
        if checkpointer == "postgres":
            rows += [("checkpoint_blobs", f"channel = '{name}'") for name in ("notes", "pages")]
        assert len(rows) > len(plan.links) + 2
        for table, where in rows:
            # A mark without its snapshot cannot be read at all.
            with _without(place, table, where), suppress(TypeError):
                assert _read(place, 11, plan.kept) != before, (table, where)
        assert _read(place, 11, plan.kept) == before


def _written(place: Place, channel: str) -> set[str]:
    with open_source(database_of(place)) as source:
        return {link for link, name in source.write_counts(THREAD, "") if name == channel}


def test_calls_of_subgraphs_go_with_the_turn_that_made_them() -> None:
    """While the newest turn waits inside its subgraph, that one's rows stay."""
    with prepared_place("sqlite") as place:
        with open_saver(place) as saver:
            graph = nested_asking(saver, 3)
            graph.invoke({"notes": ["first"], "turn": 0}, CONFIG)
        plans, _ = _plan(place, keep=1)
        inner = [plan for plan in plans if plan.namespace]
        assert inner
        assert all(plan.kept for plan in inner)


def test_a_broken_chain_is_told() -> None:
    """A link that is missing already is found, and is not the fault of this plan."""
    with prepared_place("sqlite") as place:
        _driven(place, 1000)
        (plan,), _ = _plan(place, keep=1)
        run_sql(place, [f"DELETE FROM checkpoints WHERE checkpoint_id = '{plan.links[4]}'"])
        (broken,), _ = _plan(place, keep=1)
        assert broken.broken == ["notes", "pages"]
        assert broken.lost_by_newest == []
        text = "\n".join(retention_lines("a.sqlite", 1, [thread_plan([broken])]))
        assert "the chain of notes, pages is broken" in text


def test_a_row_that_cannot_be_read_leaves_its_thread_alone() -> None:
    """Nothing is deleted on a guess."""
    with prepared_place("sqlite") as place:
        _driven(place, 3)
        run_sql(place, ["UPDATE checkpoints SET checkpoint = substr(checkpoint, 1, 40)"])
        (plan,), lines = _plan(place, keep=1)
        assert plan.problems
        assert lines == []


def test_it_reads_like_this() -> None:
    """One table for all threads, and what the common job would lose."""
    part = Part(rows=90, size_bytes=1_000_000)
    thread = ThreadPlan(
        thread="a",
        checkpoints=100,
        kept=1,
        links=9,
        stays={"checkpoints": Part(rows=10, size_bytes=2_000)},
        goes={"checkpoints": part},
        lost_by_newest=("messages",),
        broken=(),
        problems=(),
    )
    assert "\n".join(retention_lines("a.sqlite", 1, [thread])) == (
        """\
a.sqlite: 1 thread; the newest checkpoint of each namespace to be kept

Thread  checkpoints  kept  links  rows may go    bytes    stays
  a             100     1      9           90  1.00 MB  2.00 kB

Rows           stay    bytes  may go    bytes
  checkpoints    10  2.00 kB      90  1.00 MB

Keeping only the rows of the newest checkpoints would lose values of messages in
1 of 1 threads. Links stay for that reason; read by themselves they are no
longer whole. --sql prints statements that delete what may go."""
    )


def test_an_unknown_thread_is_refused() -> None:
    """As `inspect` does."""
    from deltabench.commands.verify_retention import tell_retention

    with prepared_place("sqlite") as place:
        _driven(place, 3)
        with pytest.raises(DeltabenchError, match="has no thread 'other'"):
            tell_retention(database_of(place), thread="other", keep=1, as_sql=False, as_json=False)
