"""What the page shows of one group, ready to be laid out: text and drawings only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deltabench.report.derived import DERIVED_K_HEADER, derived_k_lines, derived_k_rows
from deltabench.report.html.svg import inline
from deltabench.report.html.texts import ONE_K
from deltabench.report.lines import pair_lines
from deltabench.report.sweep import DERIVED_HEADER, HEADER, LEGEND, derived_rows, sweep_rows
from deltabench.report.units import format_bytes, format_ratio, format_seconds, plain, ratio_words
from deltabench.report.words import claim, headline_column, notes, sampling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from deltabench.report.lines import Line
    from deltabench.report.plots.drawing import Plot
    from deltabench.results.values import Frontier, Group, Point

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


@dataclass(frozen=True)
class Choice:
    """The advice about K, and the row of each policy in the table that supports it."""

    advice: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[bool, tuple[str, ...]], ...] = ()
    beaten: bool = False


@dataclass(frozen=True)
class Drawing:
    """One plot, for a desktop and for a phone."""

    title: str
    wide: Markup
    narrow: Markup


@dataclass(frozen=True)
class GroupView:
    """One group: its claim, its table (of two columns, or of a sweep), advice and drawings."""

    anchor: str
    label: str
    about: str
    claim: str
    pair: tuple[tuple[str, str], list[Line]] | None
    tables: list[Table]
    legend: str
    choice: Choice | None
    sampling: str
    notes: list[str]
    drawings: list[Drawing]
    missing: list[tuple[str, str]]


def group_view(group: Group, plots: Sequence[Plot], anchor: str) -> GroupView:
    """Put together what is shown of a group; `anchor` is its place in the page."""
    column = headline_column(group)
    sweep = len(group.deltas) > 1
    shown = [c for c in group.columns if c.figures]
    return GroupView(
        anchor=anchor,
        label=plain(group.label),
        about=plain(f"{group.title}, seed {group.seed}" if group.title else f"seed {group.seed}"),
        claim=claim(group, column) if column else "",
        pair=None if sweep or not shown else _pair(group),
        tables=(_tables(group) if sweep and shown else []) + _derived_tables(group),
        legend=_legend(group) if sweep and shown else "",
        choice=_choice(group),
        sampling=sampling(group) if shown else "",
        notes=[*derived_k_lines(group), *notes(group)],
        drawings=[
            Drawing(
                title=plot.title,
                wide=inline(plot.svg, plot.title, f"{anchor}p{number}w"),
                narrow=inline(plot.narrow_svg, plot.title, f"{anchor}p{number}n"),
            )
            for number, plot in enumerate(plots)
            if plot.svg
        ],
        missing=[(plot.title, plot.reason) for plot in plots if not plot.svg],
    )


def _pair(group: Group) -> tuple[tuple[str, str], list[Line]]:
    column = [c for c in group.columns if c.figures][-1]
    compares = group.full is not None and not column.policy.is_full
    names = ("full snapshots" if compares else "", f"delta {column.policy.label}")
    return names if compares else ("", column.policy.label), pair_lines(group, column)


def _tables(group: Group) -> list[Table]:
    derived = derived_rows(group)
    return [(HEADER, list(sweep_rows(group)))] + (
        [(DERIVED_HEADER, list(derived))] if derived else []
    )


def _derived_tables(group: Group) -> list[Table]:
    return [(DERIVED_K_HEADER, list(derived_k_rows(group)))] if group.derived else []


def _legend(group: Group) -> str:
    floor = min(c.figures.floor_bytes for c in group.columns if c.figures)
    return f"Floor: no K goes below {format_bytes(floor)} (writes, rows and keys). {LEGEND}"


def _choice(group: Group) -> Choice | None:
    frontier = group.frontier
    if frontier is None:
        only = len(group.deltas) == 1 and group.deltas[0].figures
        return Choice(advice=ONE_K) if only else None
    full = next((point for point in frontier.points if point.policy.is_full), None)
    return Choice(
        advice=frontier.advice,
        header=("", "stored", "vs full", "slowest resume", "verdict"),
        rows=tuple(
            (point.policy == frontier.advised, _point(point, frontier, full))
            for point in frontier.points
        ),
        beaten=any(not point.on_frontier for point in frontier.points),
    )


def _point(point: Point, frontier: Frontier, full: Point | None) -> tuple[str, ...]:
    timed = frontier.cost_unit == "seconds"
    saving = full.total_bytes / point.total_bytes if full and not point.policy.is_full else None
    return (
        point.policy.label,
        format_bytes(point.total_bytes),
        ratio_words(saving),
        format_seconds(point.cost) if timed else f"{format_ratio(point.cost)} full",
        _verdict(point, frontier),
    )


def _verdict(point: Point, frontier: Frontier) -> str:
    never = "never snapshots" if point.never_snapshots else ""
    if point.policy == frontier.advised:
        words = "advised"
    elif point.on_frontier:
        words = "worth choosing"
    else:
        doubt = ", resume within noise" if point.within_noise else ""
        words = f"beaten by {', '.join(p.label for p in point.beaten_by)}{doubt}"
    return "; ".join(text for text in (words, never) if text)
