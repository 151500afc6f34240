"""The smallest set of rows that keeps the newest checkpoints of a thread what they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deltabench.verify.retention.chains import Chains, Needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.inspect.rows import Group, Source

# Namespaces of a call of a subgraph end in the id of its task; others are kept over turns.
_OF_A_CALL = ":"


@dataclass(slots=True)
class Rows:
    """Rows of a table, and the bytes of their values."""

    rows: int = 0
    size_bytes: int = 0

    def add(self, rows: int, size_bytes: int) -> None:
        """Add some rows."""
        self.rows += rows
        self.size_bytes += size_bytes


@dataclass(slots=True)
class NamespacePlan:
    """What may go of one namespace.

    `kept` are the newest checkpoints, `links` older ones that these are rebuilt from: of
    their writes only those of some channels are needed. `checkpoints` may go with all of
    their writes, `writes` may go of links, `blobs` are pairs of channel and version.
    """

    thread: str
    namespace: str
    kept: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    checkpoints: list[str] = field(default_factory=list)
    writes: dict[str, list[str]] = field(default_factory=dict)
    blobs: list[tuple[str, str]] = field(default_factory=list)
    # Channels that keeping only the newest rows would break, and that are broken already.
    lost_by_newest: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    # Rows that could not be read: then nothing is said of what may go.
    problems: list[str] = field(default_factory=list)
    stays: dict[str, Rows] = field(default_factory=dict)
    goes: dict[str, Rows] = field(default_factory=dict)


def plan_threads(source: Source, threads: list[str], keep: int) -> Iterator[list[NamespacePlan]]:
    """Plan each thread: its newest `keep` checkpoints of each namespace stay readable.

    A namespace of a call of a subgraph that had ended before the oldest of them may go as
    a whole. Nothing is written anywhere.
    """
    for thread in threads:
        plans: list[NamespacePlan] = []
        oldest_kept = ""
        for group in source.groups([thread]):
            counts = source.write_counts(group.thread, group.namespace)
            chains = Chains(group, counts, source.kind)
            kept = chains.newest(keep)
            if not group.namespace and kept:
                oldest_kept = kept[0]
            ended = _OF_A_CALL in group.namespace and bool(kept) and kept[-1] < oldest_kept
            if group.problems:
                problems = list(group.problems)
                plans.append(NamespacePlan(thread, group.namespace, kept=kept, problems=problems))
                continue
            plans.append(_planned(group, chains, [] if ended else kept, counts))
        yield plans


def _planned(
    group: Group, chains: Chains, kept: list[str], counts: dict[tuple[str, str], tuple[int, int]]
) -> NamespacePlan:
    needed, alone = Needed(), Needed()
    newest = dict.fromkeys(kept)
    for checkpoint_id in kept:
        needed.add(chains.needed(checkpoint_id))
        alone.add(chains.needed(checkpoint_id, newest))
    plan = NamespacePlan(group.thread, group.namespace, kept=kept)
    plan.links = sorted(needed.links - newest.keys())
    stays = newest.keys() | needed.links
    plan.checkpoints = sorted(chains.by_id.keys() - stays)
    plan.broken = sorted(needed.broken)
    plan.lost_by_newest = sorted(alone.broken - needed.broken)
    values = {(name, chains.by_id[c].versions[name]) for c in kept for name in _names(chains, c)}
    values |= needed.seeds
    for checkpoint_id, checkpoint in chains.by_id.items():
        inline = sum(value.size_bytes for value in checkpoint.values.values())
        _tally(plan, "checkpoints", checkpoint_id in stays, 1, checkpoint.row_bytes + inline)
    for (checkpoint_id, channel), (rows, size_bytes) in sorted(counts.items()):
        place = (checkpoint_id, channel)
        needs = checkpoint_id in newest or place in needed.writes
        _tally(plan, "writes", needs, rows, size_bytes)
        if checkpoint_id in plan.links and not needs:
            plan.writes.setdefault(checkpoint_id, []).append(channel)
        if checkpoint_id not in chains.by_id:
            plan.checkpoints.append(checkpoint_id)  # writes of a checkpoint that is gone
    plan.checkpoints = sorted(set(plan.checkpoints))
    for channel, versions in sorted(group.blobs.items()):
        for version, blob in sorted(versions.items()):
            _tally(plan, "blobs", (channel, version) in values, 1, blob.size_bytes)
            if (channel, version) not in values:
                plan.blobs.append((channel, version))
    return plan


def _names(chains: Chains, checkpoint_id: str) -> list[str]:
    """Channels of a checkpoint whose version names a stored value of its own."""
    return list(chains.by_id[checkpoint_id].versions)


def _tally(plan: NamespacePlan, table: str, stays: bool, rows: int, size_bytes: int) -> None:  # noqa: FBT001 - one of two columns
    column = plan.stays if stays else plan.goes
    column.setdefault(table, Rows()).add(rows, size_bytes)
