"""The order of cells, the turn marks and the places to read at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltabench.errors import DeltabenchError
from deltabench.plan import Matrix, plan_cells, read_positions, turn_marks
from deltabench.session.workload import load_workload

A, B = load_workload("A"), load_workload("B")


def test_one_full_cell_serves_every_k() -> None:
    """A group has one full cell a repeat, and repeats run the policies to and fro."""
    cells = plan_cells(Matrix(workloads=(A,), turns=(5,), frequencies=(10, 50), repeats=2))
    assert [cell.policy.label for cell in cells] == ["full", "K=10", "K=50", "K=50", "K=10", "full"]
    assert [cell.repeat for cell in cells] == [0, 0, 0, 1, 1, 1]


def test_every_combination_is_planned() -> None:
    """Workloads, checkpointers and turns multiply, and every K asked for has its cell."""
    matrix = Matrix(
        workloads=(A, B), turns=(3, 4), frequencies=(1, 7), checkpointers=("memory", "sqlite")
    )
    cells = plan_cells(matrix)
    assert len(cells) == len(set(cells)) == 2 * 2 * 2 * 3
    assert {cell.group for cell in cells} == {
        (name, turns, saver, "async")
        for name in "AB"
        for turns in (3, 4)
        for saver in ("memory", "sqlite")
    }


def test_cells_of_a_group_read_at_the_same_places() -> None:
    """Full and delta are read over the same state, or their ratio means nothing."""
    cells = plan_cells(Matrix(workloads=(B,), turns=(20,), frequencies=(10, 50)))
    assert len({cell.positions for cell in cells}) == 1


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (Matrix(workloads=(A,), turns=(5,), frequencies=(0,)), "K must be a positive whole number"),
        (Matrix(workloads=(A,), turns=(-1,), frequencies=(5,)), "turns must be a positive whole"),
        (Matrix(workloads=(A,), turns=(5,), frequencies=(5, 9, 5)), "K 5 is named twice"),
        (Matrix(workloads=(A,), turns=(5, 5), frequencies=(5,)), "turns 5 is named twice"),
        (Matrix(workloads=(A,), turns=(5,), frequencies=()), "no K was named"),
        (Matrix(workloads=(A,), turns=(5,), frequencies=(5,), repeats=0), "repeat must be"),
    ],
)
def test_a_matrix_that_makes_no_sense_is_refused(matrix: Matrix, message: str) -> None:
    """Numbers that are not positive or named twice are told in one line."""
    with pytest.raises(DeltabenchError, match=message):
        plan_cells(matrix)


@given(st.integers(1, 5000))
def test_marks_rise_and_end_at_the_last_turn(turns: int) -> None:
    """Turn marks are rising, within the session, few, and the last turn is one."""
    marks = turn_marks(turns)
    assert list(marks) == sorted(set(marks))
    assert marks[-1] == turns
    assert marks[0] == 1
    assert len(marks) < 15


def test_marks_of_the_published_lengths_have_common_turns() -> None:
    """The lengths of A and B that were published can be compared at common marks."""
    assert {1, 2, 5, 10, 20, 50, 100, 200} <= set(turn_marks(500)) & set(turn_marks(200))


def test_phases_of_a_period() -> None:
    """Just after, halfway and just before the last snapshot; deepest is before one of files."""
    places = read_positions(B, 20, [50], "async")
    assert [(p.update, p.phase) for p in places] == [
        (175, "middle"),
        (199, "before_snapshot"),
        (200, "after_snapshot"),
        (124, "deepest"),  # the 50th write of files is in turn 13, round 2, update 125
        (200, "end"),
    ]


def test_a_k_that_is_never_reached_has_the_end_only() -> None:
    """Without any snapshot there is no phase; the end of the thread stands for it."""
    (place,) = read_positions(A, 5, [1000], "async")
    assert (place.update, place.phase, place.snapshot_frequency) == (20, "end", None)


@given(st.integers(1, 60), st.integers(1, 300), st.sampled_from(["async", "exit"]))
def test_places_lie_within_the_thread(turns: int, frequency: int, durability: str) -> None:
    """Every place is reached by the session; with exit it is the end of a turn."""
    places = read_positions(B, turns, [frequency], durability)  # type: ignore[arg-type]
    step = B.updates_per_turn if durability == "exit" else 1
    assert len({p.update for p in places if p.snapshot_frequency}) == len(places) - 1
    for place in places:
        assert 1 <= place.update <= turns * B.updates_per_turn
        assert place.update % step == 0


def test_an_exact_plan_runs_each_group_twice() -> None:
    """Full snapshots, and one recorded cell that reads nothing and counts more often."""
    matrix = Matrix(workloads=(A, B), turns=(30,), frequencies=tuple(range(1, 201)), exact=True)
    cells = plan_cells(matrix)
    assert [cell.label for cell in cells] == [
        "A 30 turns, memory, full",
        "A 30 turns, memory, recorded",
        "B 30 turns, memory, full",
        "B 30 turns, memory, recorded",
    ]
    recorded = cells[1]
    assert recorded.records
    assert recorded.positions == ()
    assert recorded.marks == tuple(range(1, 31))
    assert {place.phase for place in cells[0].positions} == {"end"}


def test_an_exact_plan_also_runs_the_k_that_are_timed() -> None:
    """Only these are read at their phases; repeats are of them, not of the recording."""
    matrix = Matrix(
        workloads=(A,),
        turns=(30,),
        frequencies=(1, 2, 10),
        exact=True,
        timed=(10,),
        repeats=2,
    )
    cells = plan_cells(matrix)
    policies = [("recorded" if cell.records else cell.policy.label) for cell in cells]
    assert policies == ["full", "K=10", "K=10", "full", "recorded"]
    assert {place.snapshot_frequency for place in cells[0].positions} == {10, None}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"durability": "exit"}, "durability exit stores other writes under every K"),
        ({"exact": False, "timed": (5,)}, "K to be timed were named, but every K is run"),
        ({"timed": (0,)}, "timed K must be a positive whole number"),
    ],
)
def test_exact_plans_that_make_no_sense(changes: dict[str, object], message: str) -> None:
    """One line each."""
    options: dict[str, object] = {"exact": True, **changes}
    with pytest.raises(DeltabenchError, match=message):
        plan_cells(Matrix(workloads=(A,), turns=(5,), frequencies=(1,), **options))  # type: ignore[arg-type]
