"""Threads of a database whose delta channels can no longer be rebuilt; read only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.doctor.findings import Finding, Part
from deltabench.report.units import plain
from deltabench.verify.retention.chains import Chains

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deltabench.inspect.rows import Group, Source

MOST_THREADS = 20


def look_at_database(source: Source, progress: Callable[[int, int, int], None]) -> Part:
    """Walk from the newest checkpoint of every branch of every thread to a stored value.

    `progress` is told the threads done, of how many, and how many bytes (not counted: 0).
    """
    threads = source.threads()
    broken: list[Finding] = []
    with_delta = count = 0
    for done, thread in enumerate(threads, 1):
        found: dict[str, None] = {}
        uses_delta = False
        for group in source.groups([thread]):
            chains = Chains(group, (), source.kind)
            uses_delta |= bool(chains.delta_channels)
            found |= dict.fromkeys([*_broken(chains, group), *group.problems])
        with_delta += uses_delta
        count += bool(found)
        if found and len(broken) < MOST_THREADS:
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            text = f"thread {plain(thread)}: {next(iter(found))}{more}"
            broken.append(Finding(level="fault", text=text, remedy=_REMEDY))
        progress(done, len(threads), 0)
    if count > len(broken):
        text = f"{count - len(broken):,} more threads like these"
        broken.append(Finding(level="fault", text=text))
    if not broken:
        text = "every branch of every thread leads to a stored value"
        broken.append(Finding(level="fine", text=text))
    facts = (f"{len(threads):,} threads, {with_delta:,} with delta channels",)
    return Part(title="Database", name=source.name, facts=facts, findings=tuple(broken))


_REMEDY = (
    "restore the missing rows from a copy, or write the value anew with update_state and Overwrite"
)


def _broken(chains: Chains, group: Group) -> Iterator[str]:
    """Where a walk from a leaf ends at a checkpoint or a snapshot that is not there."""
    parents = {each.parent for each in chains.by_id.values()}
    where = f" in namespace {plain(group.namespace)}" if group.namespace else ""
    for leaf in sorted(chains.by_id.keys() - parents, reverse=True):
        for channel in sorted(chains.needed(leaf).broken):
            yield (
                f"the chain of {plain(channel)}{where} is broken below checkpoint {plain(leaf)}: "
                "it is read without what was in the missing rows"
            )
