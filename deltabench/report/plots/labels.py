"""Names beside single points, moved until none covers another name or a point."""

from __future__ import annotations

from itertools import pairwise, product
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

from deltabench.cells import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS = 9
_NEAR_PIXELS, _FAR_PIXELS, _STEP_PIXELS = 12, 160, 8
_POINT_PIXELS, _GAP_PIXELS = 7, 3
# Right first, then left, above, below and between, as a reader looks.
_TURNS = (0, 0.5, 0.25, 0.75, 0.125, 0.875, 0.375, 0.625)
Box = tuple[float, float, float, float]


class Label(Value):
    """The name of a point, with the place of the point on the axes."""

    text: str
    x: float
    y: float
    colour: str
    bold: bool


def place_labels(
    figure: Figure,
    axes: Axes,
    labels: Sequence[Label],
    *,
    points: Sequence[tuple[float, float]],
    line: Sequence[tuple[float, float]],
) -> None:
    """Write every label at the free place nearest to its point, off all points and the line.

    A label that had to move away is joined to its point by a line. Where there is no free
    place at all, it stands beside the point.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(figure)  # has no types
    renderer = canvas.get_renderer()
    frame = axes.get_window_extent(renderer)
    taken = [_box(*_on_screen(axes, x, y), 2 * _POINT_PIXELS, 2 * _POINT_PIXELS) for x, y in points]
    taken += _along([_on_screen(axes, x, y) for x, y in line])
    # What matters most finds the best place.
    for label in sorted(labels, key=lambda label: not label.bold):
        x, y = _on_screen(axes, label.x, label.y)
        weight = "bold" if label.bold else "normal"
        text = figure.text(
            0, 0, label.text, fontsize=_POINTS, color=label.colour, fontweight=weight
        )
        size = text.get_window_extent(renderer)
        boxes = [
            box
            for box in _around(x, y, size.width, size.height)
            if frame.x0 <= box[0] and box[2] <= frame.x1 and frame.y0 <= box[1] <= frame.y1
        ]
        free = (box for box in boxes if not any(_overlap(box, other) for other in taken))
        nearest = (x + _NEAR_PIXELS, y, x + _NEAR_PIXELS + size.width, y + size.height)
        box = next(free, nearest)
        taken.append(box)
        width, height = figure.bbox.width, figure.bbox.height
        text.set_position((box[0] / width, box[1] / height))
        _join(figure, (x, y), box, label.colour)


def _on_screen(axes: Axes, x: float, y: float) -> tuple[float, float]:
    axes.get_xlim(), axes.get_ylim()  # settles the limits, which the transformation does not
    across, up = axes.transData.transform((x, y))
    return float(across), float(up)


def _along(line: Sequence[tuple[float, float]]) -> list[Box]:
    """Small boxes along a line, so close that no name fits between two of them."""
    boxes = []
    for (x0, y0), (x1, y1) in pairwise(line):
        steps = max(1, int(hypot(x1 - x0, y1 - y0) / _STEP_PIXELS))
        for step in range(steps):
            share = step / steps
            boxes.append(_box(x0 + share * (x1 - x0), y0 + share * (y1 - y0), 2, 2))
    return boxes


def _around(x: float, y: float, width: float, height: float) -> Iterator[Box]:
    """Places for a box around a point, the nearest first."""
    for distance in range(_NEAR_PIXELS, _FAR_PIXELS, _STEP_PIXELS):
        for turn in _TURNS:
            right, up = cos(2 * pi * turn), sin(2 * pi * turn)
            middle_x = x + right * (distance + width / 2)
            middle_y = y + up * (distance + height / 2)
            yield _box(middle_x, middle_y, width, height)
        # A long name may also stand above or below its point by one of its ends.
        for up, share in product((1, -1), (-0.45, -0.25, 0.25, 0.45)):
            yield _box(x + share * width, y + up * (distance + height / 2), width, height)


def _box(x: float, y: float, width: float, height: float) -> Box:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _overlap(one: Box, other: Box) -> bool:
    return (
        one[0] < other[2] + _GAP_PIXELS
        and other[0] < one[2] + _GAP_PIXELS
        and one[1] < other[3] + _GAP_PIXELS
        and other[1] < one[3] + _GAP_PIXELS
    )


def _join(figure: Figure, point: tuple[float, float], box: Box, colour: str) -> None:
    from matplotlib.lines import Line2D

    end = min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])
    away = max(abs(end[0] - point[0]), abs(end[1] - point[1]))
    if away <= 2 * _NEAR_PIXELS:
        return
    width, height = figure.bbox.width, figure.bbox.height
    xs, ys = [point[0] / width, end[0] / width], [point[1] / height, end[1] / height]
    figure.add_artist(Line2D(xs, ys, color=colour, lw=0.7, alpha=0.7))
