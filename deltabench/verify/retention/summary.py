"""What the plan of a thread comes to, for people and for programs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from deltabench.cells import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from deltabench.verify.retention.plan import NamespacePlan, Rows


class Part(Value):
    """Rows of one table, and the bytes of what they hold (without keys)."""

    rows: int
    size_bytes: int


class ThreadPlan(Value):
    """One thread, all namespaces together.

    `kept` counts the newest checkpoints that stay whole, `links` older ones that stay so
    that these can be rebuilt, and are not whole afterwards. `stays` and `goes` are by
    table. `lost_by_newest` are the delta channels that would be lost if only the rows of
    the newest checkpoints were kept; `broken` those that are lost already. With `problems`
    nothing may go.
    """

    thread: str
    checkpoints: int
    kept: int
    links: int
    stays: dict[str, Part]
    goes: dict[str, Part]
    lost_by_newest: tuple[str, ...]
    broken: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def goes_bytes(self) -> int:
        """Bytes of all rows that may go."""
        return sum(part.size_bytes for part in self.goes.values())

    @property
    def stays_bytes(self) -> int:
        """Bytes of all rows that stay."""
        return sum(part.size_bytes for part in self.stays.values())

    @property
    def goes_rows(self) -> int:
        """Rows that may go, of all tables."""
        return sum(part.rows for part in self.goes.values())


def thread_plan(plans: Sequence[NamespacePlan]) -> ThreadPlan:
    """Add up the namespaces of one thread, of which there is at least one."""
    stays, goes = _added(plan.stays for plan in plans), _added(plan.goes for plan in plans)
    tables = (side.get("checkpoints") for side in (stays, goes))
    return ThreadPlan(
        thread=plans[0].thread,
        checkpoints=sum(part.rows for part in tables if part),
        kept=sum(len(plan.kept) for plan in plans),
        links=sum(len(plan.links) for plan in plans),
        stays=stays,
        goes=goes,
        lost_by_newest=_names(plan.lost_by_newest for plan in plans),
        broken=_names(plan.broken for plan in plans),
        problems=tuple(problem for plan in plans for problem in plan.problems),
    )


def _added(sides: Iterable[dict[str, Rows]]) -> dict[str, Part]:
    rows: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for side in sides:
        for table, part in side.items():
            rows[table].append((part.rows, part.size_bytes))
    return {
        table: Part(rows=sum(r for r, _ in parts), size_bytes=sum(b for _, b in parts))
        for table, parts in rows.items()
    }


def _names(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(sorted({name for names in lists for name in names}))
