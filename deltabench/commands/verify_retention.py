"""`deltabench verify --retention`: which rows of a database may be deleted; read only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.inspect.rows import Source
    from deltabench.verify.retention.plan import NamespacePlan, Rows


def tell_retention(
    database: str, *, thread: str | None, keep: int, as_sql: bool, as_json: bool
) -> None:
    """Plan every thread, or one, and print tables, SQL or JSON.

    Raises DeltabenchError when the database cannot be read or has no such thread.
    """
    from deltabench.inspect.scan import open_source
    from deltabench.verify.retention.lines import retention_lines
    from deltabench.verify.retention.summary import thread_plan

    if as_sql and as_json:
        raise DeltabenchError("--sql and --json exclude each other")
    with open_source(database) as source:
        plans = _plans(source, thread, keep)
        if as_sql:
            _print_sql(plans, source, keep)
            return
        threads = [thread_plan(plan) for plan in plans]
        changed, name = source.changed(), source.name
    if as_json:
        found = {"database": name, "keep": keep, "threads": [t.model_dump() for t in threads]}
        typer.echo(json.dumps(found, indent=2))
    else:
        typer.echo("\n".join(retention_lines(name, keep, threads)))
    if changed:
        typer.echo(changed, err=True)


def _plans(source: Source, thread: str | None, keep: int) -> Iterator[list[NamespacePlan]]:
    from deltabench.inspect.progress import Progress
    from deltabench.inspect.scan import chosen_threads
    from deltabench.verify.retention.plan import plan_threads

    chosen = chosen_threads(source, source.threads(), thread)
    size_bytes = 0
    with Progress() as progress:
        for done, plans in enumerate(plan_threads(source, chosen, keep), 1):
            size_bytes += sum(r.size_bytes for plan in plans for r in _rows(plan))
            progress.show(done, len(chosen), size_bytes)
            if plans:
                yield plans


def _rows(plan: NamespacePlan) -> Iterator[Rows]:
    yield from plan.stays.values()
    yield from plan.goes.values()


def _print_sql(plans: Iterator[list[NamespacePlan]], source: Source, keep: int) -> None:
    from deltabench.verify.retention.statements import statements

    typer.echo(f"-- Deletes what the newest {keep} checkpoint(s) of each namespace do not need.")
    typer.echo("-- Rows are named one by one: what is written later is not touched. Older")
    typer.echo("-- checkpoints cannot be read or forked any more. Try it on a copy first.")
    for of_thread in plans:
        problems = [problem for plan in of_thread for problem in plan.problems]
        if problems:
            typer.echo(f"left alone: {of_thread[0].thread!r}: {problems[0]}", err=True)
            continue
        for line in statements(of_thread, source.kind):
            typer.echo(line)
