"""What all plots share: size, colours that survive grey, names at the lines, fixed bytes."""

from __future__ import annotations

import re
import textwrap
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO, StringIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from deltabench.cells import Value
from deltabench.report.units import format_bytes, plain, three_digits
from deltabench.report.words import versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from deltabench.cells import Policy
    from deltabench.results.values import Group, Summary

WIDTH_INCHES, HEIGHT_INCHES, DOTS_PER_INCH = 8.0, 5.0, 100
_NARROW_INCHES = 4.4  # at which letters are still read when a phone shows the whole width
_LEFT_INCHES, _TOP_INCHES, _BOTTOM_INCHES, _GAP_INCHES = 0.95, 0.85, 0.6, 0.12
_NARROW_TOP_INCHES, _LINE_INCHES = 1.3, 0.17
_LABEL_POINTS, _LABEL_STEP_INCHES = 9, 0.17
_SUBTITLE_CHARACTERS, _NARROW_SUBTITLE_CHARACTERS = 105, 62
_NARROW_TITLE_CHARACTERS, _NARROW_LABEL_CHARACTERS = 36, 48
_PALETTE_COLOURS = 128
_SETTINGS: Any = {  # matplotlib types each key by name
    "svg.hashsalt": "deltabench",  # ids in the SVG would be random otherwise
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine has it
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "text.parse_math": False,  # a $ in a name is a $
}
_FONTS = "'DejaVu Sans', Verdana, sans-serif"  # the second is as wide as the first
_COORDINATES = re.compile(r' (?:d|x|y)="[^"]*"')
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")
FULL_COLOUR = "#1a1a1a"
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
_DASHES: tuple[Any, ...] = ((6, 2), (3, 1.5), (1.2, 1.2), (6, 1.5, 1.2, 1.5), (9, 3), (4, 1, 1, 1))


_is_narrow: ContextVar[bool] = ContextVar("is_narrow", default=False)


class Skipped(Value):
    """Why a plot cannot be drawn: told in the report instead of empty axes."""

    reason: str


class Name(Value):
    """The name of a line, to be written at its right end."""

    text: str
    colour: str
    y: float


@contextmanager
def narrow() -> Iterator[None]:
    """Within this context, figures are drawn for the width of a phone."""
    token = _is_narrow.set(True)
    try:
        yield
    finally:
        _is_narrow.reset(token)


def fitting(count: int) -> int:
    """How many of so many things side by side there is room for here."""
    return count // 3 if _is_narrow.get() else count


def new_figure(rows: int = 1, *, height_inches: float = HEIGHT_INCHES) -> tuple[Figure, list[Axes]]:
    """Make a figure with panels one above the other, apart from any global state."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_SETTINGS):
        width_inches = _NARROW_INCHES if _is_narrow.get() else WIDTH_INCHES
        figure = Figure(figsize=(width_inches, height_inches), dpi=DOTS_PER_INCH)
        axes = figure.subplots(rows, 1, squeeze=False, sharex=True)[:, 0]
    return figure, list(axes)


def line_style(policy: Policy, policies: Sequence[Policy]) -> dict[str, Any]:
    """Choose colour, marker and dashes; K from dark to light, so grey keeps the order."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    if policy.is_full:
        return {"color": FULL_COLOUR, "marker": "o", "linestyle": "-", "linewidth": 2.2}
    deltas = [other for other in policies if not other.is_full]
    place = deltas.index(policy)
    share = place / (len(deltas) - 1) if len(deltas) > 1 else 0.5
    return {
        "color": to_hex(colormaps["viridis"](0.15 + 0.5 * share)),
        "marker": _MARKERS[(place + 1) % len(_MARKERS)],
        "linestyle": (0, _DASHES[place % len(_DASHES)]),
        "linewidth": 1.8,
    }


def titles(figure: Figure, question: str, group: Group, summary: Summary) -> None:
    """Write the question and, below it, what the answer depends on."""
    about = (
        f"workload {plain(group.workload)}, {group.turns:,} turns, {plain(group.checkpointer)}, "
        f"durability {group.durability}; {versions(summary)}"
    )
    write_titles(figure, question, about)


def write_titles(figure: Figure, question: str, about: str) -> None:
    """Write a question and one sentence below it."""
    height = figure.get_figheight()
    left = (0.12 if _is_narrow.get() else _LEFT_INCHES) / figure.get_figwidth()
    top, below, characters, most_lines = 0.16, 0.46, _SUBTITLE_CHARACTERS, 2
    if _is_narrow.get():
        question = textwrap.fill(question, _NARROW_TITLE_CHARACTERS)
        below += 0.22 * question.count("\n")
        characters, most_lines = _NARROW_SUBTITLE_CHARACTERS, 3
    figure.text(left, 1 - top / height, question, fontsize=13, fontweight="bold", va="top")
    lines = textwrap.wrap(about, characters, max_lines=most_lines, placeholder=" ...")
    figure.text(left, 1 - below / height, "\n".join(lines), fontsize=8.5, color="#444444", va="top")


def lay_out(figure: Figure, names: Sequence[Sequence[Name]]) -> None:
    """Place the panels, leave room for the longest name, and write all of them."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    height = figure.get_figheight()
    canvas: Any = FigureCanvasAgg(figure)  # has no types
    renderer = canvas.get_renderer()
    widest = 0.0
    for name in (name for panel in names for name in panel):
        probe = figure.text(0, 0, name.text, fontsize=_LABEL_POINTS)
        widest = max(widest, probe.get_window_extent(renderer).width / figure.dpi)
        probe.remove()
    width = figure.get_figwidth()
    right = width - widest - _GAP_INCHES - 0.35
    top, bottom = _TOP_INCHES, _BOTTOM_INCHES
    if _is_narrow.get():
        label = figure.axes[-1].xaxis.label
        label.set_text(textwrap.fill(label.get_text(), _NARROW_LABEL_CHARACTERS))
        # Beside long names the panel is so narrow that its label needs the whole figure.
        label.set_horizontalalignment("left")
        label.set_x((0.12 - _LEFT_INCHES) / (right - _LEFT_INCHES))
        top = _NARROW_TOP_INCHES
        bottom += _LINE_INCHES * label.get_text().count("\n")
    figure.subplots_adjust(
        left=_LEFT_INCHES / width,
        right=right / width,
        top=1 - top / height,
        bottom=bottom / height,
        hspace=0.12,
    )
    figure.align_ylabels()
    _uncover_label(figure, renderer, bottom)
    for axes, panel in zip(figure.axes, names, strict=True):
        _write_names(figure, axes, panel)


def _uncover_label(figure: Figure, renderer: Any, bottom_inches: float) -> None:
    """Raise the panels where tick labels that stand upright push the label off the figure."""
    box = figure.axes[-1].get_tightbbox(renderer)
    missing_inches = 0.05 - box.y0 / figure.dpi if box else 0
    if missing_inches > 0:
        figure.subplots_adjust(bottom=(bottom_inches + missing_inches) / figure.get_figheight())


def spread_apart(places: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Move rising places as little as needed until neighbours are `step` apart in bounds.

    Where they cannot all fit, they are spread evenly and the step shrinks.
    """
    if len(places) > 1 and step * (len(places) - 1) > high - low:
        step = (high - low) / (len(places) - 1)
    moved = [min(max(place, low), high) for place in places]
    for _ in range(200):
        for here, there in pairwise(range(len(moved))):
            overlap = step - (moved[there] - moved[here])
            if overlap > 0:
                moved[here] -= overlap / 2
                moved[there] += overlap / 2
        moved = [min(max(place, low), high) for place in moved]
    # What the relaxation left at the bounds is settled from the bottom, then from the top.
    for here, there in pairwise(range(len(moved))):
        moved[there] = max(moved[there], moved[here] + step)
    moved[-1:] = [min(place, high) for place in moved[-1:]]
    for there, here in pairwise(range(len(moved) - 1, -1, -1)):
        moved[here] = min(moved[here], moved[there] - step)
    return moved


def _write_names(figure: Figure, axes: Axes, panel: Sequence[Name]) -> None:
    from matplotlib.lines import Line2D

    box = axes.get_position()
    width, height = figure.get_figwidth(), figure.get_figheight()

    def on_figure(y: float) -> float:
        on_screen = axes.transData.transform((axes.get_xlim()[1], y))
        return float(figure.transFigure.inverted().transform(on_screen)[1])

    order = sorted(panel, key=lambda name: name.y)
    ends = [on_figure(name.y) for name in order]
    step = _LABEL_STEP_INCHES / height
    for name, end, place in zip(order, ends, spread_apart(ends, step, box.y0, box.y1), strict=True):
        start = box.x1 + 0.06 / width
        text = box.x1 + 0.32 / width
        figure.add_artist(
            Line2D([start, text - 0.05 / width], [end, place], color=name.colour, lw=0.8)
        )
        figure.text(text, place, name.text, color=name.colour, fontsize=_LABEL_POINTS, va="center")


def bytes_axis(axes: Axes, label: str, *, horizontal: bool = False) -> None:
    """Make one axis, by default the vertical one, logarithmic in bytes with decimal units."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if horizontal:
        axes.set_xscale("log")
        axes.set_xlabel(f"{label} (log scale)")
    else:
        axes.set_yscale("log")
        axes.set_ylabel(f"{label} (log scale)")
    axis = axes.xaxis if horizontal else axes.yaxis
    axis.set_major_locator(LogLocator(numticks=9))
    axis.set_major_formatter(FuncFormatter(lambda size, _: _short(format_bytes(size))))
    axis.set_minor_formatter(NullFormatter())


def counts_axis(axes: Axes, values: Sequence[int], label: str) -> None:
    """Make the horizontal axis logarithmic, with a tick at the counts that have room."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    axes.set_xscale("log")
    ticks: list[int] = []
    for value in sorted(set(values), reverse=True):
        if not ticks or value <= ticks[-1] / _tick_ratio(values):
            ticks.append(value)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{tick:,}" for tick in ticks]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(f"{label} (log scale)")


def save(figure: Figure, directory: Path, name: str) -> list[Path]:
    """Write PNG and SVG whose bytes depend on the figure alone."""
    from matplotlib import rc_context
    from PIL import Image

    png, svg = directory / f"{name}.png", directory / f"{name}.svg"
    drawn = BytesIO()
    with rc_context(_SETTINGS):
        figure.savefig(drawn, format="png")
    # A palette makes the file a third of its size; a plot has few colours.
    with Image.open(drawn) as image:
        image.convert("RGB").quantize(_PALETTE_COLOURS).save(png, optimize=True)
    svg.write_text(markup(figure), encoding="utf-8")
    return [png, svg]


def markup(figure: Figure) -> str:
    """SVG whose text stays text: a third of the size, it can be found and read aloud."""
    from matplotlib import rc_context

    drawn = StringIO()
    with rc_context(_SETTINGS):
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = drawn.getvalue().replace("'DejaVu Sans'", _FONTS)
    # A hundredth of a point is finer than any screen.
    return _COORDINATES.sub(
        lambda match: _DECIMALS.sub(lambda number: f"{float(number[0]):.2f}", match[0]), text
    )


def axis_number(number: float) -> str:
    """Print a number at a tick without needless zeros."""
    return _short(three_digits(number))


def _short(text: str) -> str:
    number, _, unit = text.partition(" ")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number} {unit}".strip()


def _tick_ratio(values: Sequence[int]) -> float:
    # About fourteen labels fit side by side on the wide figure.
    return float((max(values) / min(values)) ** (1 / fitting(14))) * 1.05
