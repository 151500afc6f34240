"""Several results side by side: the groups that they have in common.

Bytes are compared with those of the first result. Times are of their own machine and are
told against full snapshots of the same run only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.cells import Value
from deltabench.report.lines import noisy_words
from deltabench.report.units import format_bytes, plain, ratio_words
from deltabench.report.words import versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from deltabench.cells import Policy
    from deltabench.report.source import Rendered
    from deltabench.results.values import Figures, Group

HEADER = ("", "result", "stored", "vs first", "vs full", "turn vs full", "slowest resume vs full")
GroupKey = tuple[str, int, str, str]


class Block(Value):
    """One common group: for each policy a row per result, in the order they were given."""

    label: str
    rows: tuple[tuple[str, ...], ...]


class Comparison(Value):
    """All that several results have in common, and what keeps them from being compared."""

    blocks: tuple[Block, ...]
    notes: tuple[str, ...]


def compare_results(rendered: Sequence[Rendered]) -> Comparison:
    """Compare every policy that at least two of the results have measured in a common group."""
    groups: dict[GroupKey, list[tuple[Rendered, Group]]] = {}
    for each in rendered:
        for group in each.summary.groups:
            groups.setdefault(_key(group), []).append((each, group))
    blocks: list[Block] = []
    notes = list(_version_notes(rendered))
    for shared in groups.values():
        label = plain(shared[0][1].label)
        if len(shared) == 1:
            notes.append(f"{label}: only in {plain(shared[0][0].name)}")
        elif len({group.workload_digest for _, group in shared}) > 1:
            notes.append(f"{label}: not compared, the workloads of this name differ")
        else:
            rows = tuple(_rows(shared))
            if rows:
                blocks.append(Block(label=label, rows=rows))
    if not blocks:
        notes.append("The results have no measured group in common.")
    return Comparison(blocks=tuple(blocks), notes=tuple(notes))


def _key(group: Group) -> GroupKey:
    return (group.workload, group.turns, group.checkpointer, group.durability)


def _version_notes(rendered: Sequence[Rendered]) -> Iterator[str]:
    found = [versions(each.summary) for each in rendered]
    if len(set(found)) > 1:
        told = "; ".join(f"{plain(r.name)}: {v}" for r, v in zip(rendered, found, strict=True))
        yield f"Versions differ. {told}"


def _rows(shared: Sequence[tuple[Rendered, Group]]) -> Iterator[tuple[str, ...]]:
    policies = {column.policy for _, group in shared for column in group.columns}
    for policy in sorted(policies, key=lambda policy: policy.snapshot_frequency or 0):
        found = [(plain(each.name), _figures(group, policy)) for each, group in shared]
        if sum(figures is not None for _, figures in found) > 1:
            first = next(figures for _, figures in found if figures)
            for number, (name, figures) in enumerate(found):
                label = "" if number else policy.label
                yield (label, name, *_cells(figures, first))


def _figures(group: Group, policy: Policy) -> Figures | None:
    return next((column.figures for column in group.columns if column.policy == policy), None)


def _cells(this: Figures | None, first: Figures) -> tuple[str, ...]:
    if this is None:
        return ("no result", "", "", "", "")
    size = this.total_bytes.this
    worst = this.reads.worst_warm
    return (
        format_bytes(size),
        "" if this is first else _change(first.total_bytes.this, size),
        ratio_words(this.total_bytes.ratio),
        noisy_words(this.turn_p50_seconds, less="faster", more="slower"),
        noisy_words(worst.seconds, less="faster", more="slower") if worst else "",
    )


def _change(first: int, size: int) -> str:
    """Bytes are exact: even a difference that no ratio shows is told."""
    if size == first:
        return "equal"
    words = ratio_words(first / size) if size else ""
    return words if words not in {"", "equal"} else f"{size - first:+,} B"
