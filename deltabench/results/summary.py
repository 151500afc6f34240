"""What came out, in one value that every table, plot and file is made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Policy, Row
from deltabench.results.derived_columns import derived_columns, derived_problems
from deltabench.results.equality import GroupKey, judged_rows, recorded_rows
from deltabench.results.figures import figures
from deltabench.results.frontier import frontier
from deltabench.results.values import Column, Group, Problem, Summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from deltabench.results.comparing import Repeats
    from deltabench.results.file import Results


def summarize(results: Results, *, rtt_ms: float | None = None) -> Summary:
    """Compute everything that is shown; with `rtt_ms`, also the derived remote latencies."""
    grouped: dict[GroupKey, list[Row]] = {}
    for row in judged_rows(results.rows):
        grouped.setdefault(row.cell.group, []).append(row)
    planned = _planned(grouped)
    groups = tuple(
        derived_columns(
            _group(rows, planned[key], results.workloads.get(key[0], {}), rtt_ms), results.derived
        )
        for key, rows in grouped.items()
    )
    recorded = recorded_rows(results.rows)
    columns = [column for group in groups for column in group.columns]
    return Summary(
        schema_version=results.schema_version,
        tool_version=results.tool_version,
        command=results.command,
        environment=results.environment,
        rtt_ms=rtt_ms,
        cells=len(results.rows),
        pending=sum(column.pending for column in columns)
        + sum(not row.measurement and not row.failure for row in recorded),
        problems=(
            *(problem for column in columns for problem in column.problems),
            *derived_problems(recorded, results.derived, groups),
        ),
        groups=groups,
    )


def _planned(grouped: Mapping[GroupKey, Sequence[Row]]) -> dict[GroupKey, set[Policy]]:
    """Which policies each group must have: a sweep measures the same ones in every group.

    The places at which any cell reads were chosen for the K of the plan, so they tell of
    a K even if none of its rows is there. A group of full cells only may have been asked
    for without any K.
    """
    everywhere = {row.cell.policy for rows in grouped.values() for row in rows}
    planned = {}
    for key, rows in grouped.items():
        policies = set(everywhere)
        if any(not row.cell.policy.is_full for row in rows):
            places = [place for row in rows for place in row.cell.positions]
            ks = {place.snapshot_frequency for place in places if place.snapshot_frequency}
            policies |= {Policy(snapshot_frequency=k) for k in ks}
        planned[key] = policies
    return planned


def _group(
    rows: Sequence[Row], planned: set[Policy], workload: Mapping[str, object], rtt_ms: float | None
) -> Group:
    cell = rows[0].cell
    order = sorted(planned, key=lambda policy: policy.snapshot_frequency or 0)
    by_policy = {p: [row for row in rows if row.cell.policy == p] for p in order}
    full = _measured(by_policy.get(Policy(), []))
    columns = tuple(_column(policy, by_policy[policy], full, rows, rtt_ms) for policy in order)
    return Group(
        workload=cell.workload,
        workload_digest=cell.workload_digest,
        title=str(workload.get("title", "")),
        turns=cell.turns,
        checkpointer=cell.checkpointer,
        durability=cell.durability,
        seed=cell.seed,
        columns=columns,
        frontier=frontier(columns),
    )


def _measured(rows: Sequence[Row]) -> Repeats:
    return {row.cell.repeat: row.measurement for row in rows if row.measurement}


def _column(
    policy: Policy,
    rows: Sequence[Row],
    full: Repeats,
    group_rows: Sequence[Row],
    rtt_ms: float | None,
) -> Column:
    mine = _measured(rows)
    problems = [
        Problem(
            label=row.cell.label,
            policy=policy,
            kind=row.failure.kind,
            reason=row.failure.reason,
        )
        for row in rows
        if row.failure
    ]
    repeats = {row.cell.repeat for row in rows}
    for repeat in sorted({row.cell.repeat for row in group_rows} - repeats):
        absent = group_rows[0].cell.model_copy(update={"policy": policy, "repeat": repeat})
        reason = "planned, but the results have no row for it"
        problems.append(Problem(label=absent.label, policy=policy, kind="missing", reason=reason))
    return Column(
        policy=policy,
        repeats=len(mine),
        figures=figures(policy, mine, {} if policy.is_full else full, rtt_ms) if mine else None,
        problems=tuple(problems),
        pending=sum(not row.measurement and not row.failure for row in rows),
    )
