"""Results made from simple formulas: fakes for tests of statistics and rendering.

No figure here was measured. State grows by a fixed number of bytes per update, full
snapshots store all of it at every update, delta channels at every K-th; times are a
few terms with one or two per cent of seeded noise.
"""

from __future__ import annotations

from random import Random

from deltabench.cells import (
    Cell,
    ChannelBytes,
    ChannelReadback,
    Durability,
    Failure,
    LargestValue,
    Measurement,
    MemoryUse,
    Phase,
    Policy,
    Read,
    ReadPosition,
    RoundTrips,
    Row,
    SerializerUse,
    StateDigest,
    StoredBytes,
)
from deltabench.results.environment import Environment
from deltabench.results.file import Results

UPDATES_PER_TURN = 9
UPDATE_BYTES = 3_300
ROW_BYTES = 620
KEY_BYTES = 310
MARKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)

ENVIRONMENT = Environment(
    packages={
        "deltabench": "0.1.0",
        "langgraph": "1.2.24",
        "langgraph-checkpoint": "4.3.2",
        "langgraph-checkpoint-sqlite": "3.1.2",
        "deepagents": "0.7.32",
        "langchain-core": "1.8.3",
        "ormsgpack": "1.13.1",
    },
    python="CPython 3.11.7 (main, Jan 1 2026, 00:00:00) [GCC 12.2.0]",
    platform="Linux 6.1.0 x86_64",
    cpu_model="Fake CPU 2000",
    cores=2,
    memory_bytes=8_000_000_000,
    load_average=(0.5, 0.25, 0.125),
    virtualization="container",
    sqlite_version="3.46.1",
    timer_resolution_seconds=1e-9,
)


def fake_positions(ks: tuple[int, ...], updates: int) -> tuple[ReadPosition, ...]:
    """Give three places in the last whole period of every K that has one, and the end."""
    positions = []
    for k in ks:
        start = updates // k * k - k
        if start > 0:
            places: tuple[tuple[Phase, int], ...] = (
                ("after_snapshot", start),
                ("middle", start + k // 2),
                ("before_snapshot", start + k - 1),
            )
            for phase, update in places:
                positions.append(ReadPosition(update=update, snapshot_frequency=k, phase=phase))
    end = ReadPosition(update=updates, snapshot_frequency=None, phase="end")
    return (*positions, end)


def fake_cell(  # noqa: PLR0913 - one keyword per axis of a plan
    k: int | None = 50,
    *,
    ks: tuple[int, ...] = (50,),
    workload: str = "B",
    turns: int = 200,
    checkpointer: str = "memory",
    durability: Durability = "async",
    repeat: int = 0,
) -> Cell:
    """Plan a cell; `ks` are all the K of its group, whose places it is read at."""
    return Cell(
        workload=workload,
        workload_digest=f"digest-{workload}",
        turns=turns,
        policy=Policy(snapshot_frequency=k),
        checkpointer=checkpointer,
        durability=durability,
        seed=7,
        repeat=repeat,
        marks=(*tuple(mark for mark in MARKS if mark < turns), turns),
        positions=fake_positions(ks, UPDATES_PER_TURN * turns),
        read_samples=3,
        cold_samples=1,
    )


def fake_stored(turn: int, k: int | None, scale: int = 1) -> StoredBytes:
    """Count storage after some turns by arithmetic: the sum of all snapshots, and the floor."""
    updates = UPDATES_PER_TURN * turn
    step = k or 1
    snapshots = updates // step
    bytes_per_update = UPDATE_BYTES * scale
    value_bytes = bytes_per_update * step * snapshots * (snapshots + 1) // 2
    return StoredBytes(
        turn=turn,
        checkpoint_rows=updates + turn,
        value_rows=snapshots,
        write_rows=updates,
        value_bytes=value_bytes,
        write_bytes=bytes_per_update * updates,
        row_bytes=ROW_BYTES * (updates + turn),
        key_bytes=KEY_BYTES * (updates + turn),
        channels=(
            ChannelBytes(
                namespace="",
                channel="messages",
                value_rows=snapshots,
                value_bytes=value_bytes,
                write_rows=updates,
                write_bytes=bytes_per_update * updates,
            ),
        ),
        largest_value=LargestValue(
            channel="messages", size_bytes=bytes_per_update * step * snapshots
        )
        if snapshots
        else None,
    )


def _reads(cell: Cell, noise: Random) -> tuple[Read, ...]:
    k = cell.policy.snapshot_frequency or 1
    database = cell.checkpointer != "memory"

    def read(what: str, update: int, base: float, place: ReadPosition | None) -> Read:
        depth = update % k
        seconds = base + 4e-6 * update + 60e-6 * depth
        cold = what == "resume_cold"
        count = cell.cold_samples if cold else cell.read_samples
        return Read.model_validate(
            {
                "what": what,
                "position": place,
                "updates_since_snapshot": depth,
                "supersteps_since_snapshot": depth * 2,
                "seconds": tuple(seconds * noise.uniform(0.98, 1.02) for _ in range(count)),
                "open_seconds": (0.12 * noise.uniform(0.98, 1.02),) * count if cold else (),
                "round_trips": RoundTrips(
                    calls={"get_tuple": 1} if depth == 0 else {"get_tuple": 1, "list": 1},
                    statements=(2 + depth // 10) if database else None,
                ),
            }
        )

    places = [
        read(what, place.update, base, place)
        for what, base in (("resume_warm", 2e-3), ("resume_cold", 5e-3))
        for place in cell.positions
    ]
    end = UPDATES_PER_TURN * cell.turns
    return (
        *places,
        read("history_10", end, 60e-3, None),
        read("history_50", end, 300e-3, None),
        read("time_travel", end // 2, 3e-3, None),
    )


def fake_measurement(cell: Cell) -> Measurement:
    """Apply the formulas for this cell; only times and memory depend on its repeat."""
    k = cell.policy.snapshot_frequency
    scale = 2 if cell.workload == "B" else 1
    noise = Random(f"{cell.label}|{cell.repeat}")
    storage = tuple(fake_stored(mark, k, scale) for mark in cell.marks)
    end = storage[-1]
    updates = UPDATES_PER_TURN * cell.turns
    database = cell.checkpointer != "memory"
    dumped = end.value_bytes * 2e-9
    kind = "value" if k is None else "snapshot"
    turns = tuple(
        (0.03 + (turn * 4e-4) / (k or 1) + turn * 1e-5) * noise.uniform(0.9, 1.1)
        for turn in range(1, cell.turns + 1)
    )
    serializer = (
        ("dump", kind, end.value_rows, end.value_bytes, dumped),
        ("dump", "write", end.write_rows, end.write_bytes, end.write_bytes * 2e-9),
        ("dump", "checkpoint", end.checkpoint_rows, end.row_bytes, end.row_bytes * 2e-9),
        ("load", kind, cell.turns, end.value_bytes // 9, dumped / 8),
    )
    return Measurement(
        channels=(
            ChannelReadback(
                name="messages",
                class_name="DeltaChannel" if k else "BinaryOperatorAggregate",
                snapshot_frequency=k,
                reducer="add_messages",
            ),
        ),
        storage=storage,
        physical_bytes={"database_bytes": int(end.total_bytes * 1.2)} if database else {},
        updates={"messages": updates},
        snapshots={"messages": end.value_rows if k else 0},
        supersteps=updates + cell.turns,
        serializer=tuple(
            SerializerUse.model_validate(
                {
                    "direction": direction,
                    "kind": what,
                    "calls": calls,
                    "size_bytes": size,
                    "seconds": seconds * noise.uniform(0.98, 1.02),
                }
            )
            for direction, what, calls, size, seconds in serializer
        ),
        session_seconds=sum(turns),
        session_cpu_seconds=sum(turns),
        turn_seconds=turns,
        session_round_trips=RoundTrips(
            calls={"put": updates + cell.turns, "put_writes": updates, "get_tuple": cell.turns},
            statements=3 * updates if database else None,
        ),
        reads=_reads(cell, noise),
        memory=MemoryUse(
            baseline_bytes=120_000_000,
            peak_bytes=int((140_000_000 + end.value_bytes / 20) * noise.uniform(0.98, 1.02)),
        ),
        state=StateDigest(
            content=f"content-{cell.workload}-{cell.turns}",
            messages=updates,
            files=3 * cell.turns,
            ids="ids",
            ids_stable=True,
            generated_ids=0,
            missing_ids=0,
        ),
        saver_class="SqliteSaver" if database else "InMemorySaver",
    )


def fake_row(cell: Cell) -> Row:
    """Measure a row."""
    return Row(cell=cell, measurement=fake_measurement(cell))


def failed_row(cell: Cell, reason: str = "no answer for 60 s") -> Row:
    """Make a row that the watchdog ended."""
    return Row(cell=cell, failure=Failure(kind="timeout", reason=reason))


def fake_results(  # noqa: PLR0913 - one keyword per axis of a plan
    *,
    ks: tuple[int, ...] = (50,),
    full: bool = True,
    workloads: tuple[str, ...] = ("B",),
    turns: int = 200,
    checkpointer: str = "memory",
    durability: Durability = "async",
    repeats: int = 1,
) -> Results:
    """Measure a whole plan: every workload with full and every K, repeat by repeat."""
    policies: tuple[int | None, ...] = ((None,) if full else ()) + ks
    cells = [
        fake_cell(
            k,
            ks=ks,
            workload=workload,
            turns=turns,
            checkpointer=checkpointer,
            durability=durability,
            repeat=repeat,
        )
        for workload in workloads
        for repeat in range(repeats)
        for k in policies
    ]
    return Results(
        tool_version="0.1.0",
        command=f"deltabench run --workload {workloads[0]} --turns {turns}",
        environment=ENVIRONMENT,
        workloads={name: {"title": "a fake session"} for name in workloads},
        rows=tuple(fake_row(cell) for cell in cells),
    )


def replace_row(results: Results, number: int, row: Row) -> Results:
    """Give the same results with one other row."""
    rows = (*results.rows[:number], row, *results.rows[number + 1 :])
    return results.model_copy(update={"rows": rows})


def replace_measured(results: Results, number: int, **changes: object) -> Results:
    """Give the same results with some fields of one measurement changed."""
    row = results.rows[number]
    assert row.measurement
    changed = row.measurement.model_copy(update=changes)
    return replace_row(results, number, row.model_copy(update={"measurement": changed}))
