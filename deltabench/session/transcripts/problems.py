"""What was wrong with a transcript but could be left out or mended: told, and told once."""

from __future__ import annotations

from dataclasses import dataclass, field

# Of each kind so many lines are told; a damaged export would fill the screen otherwise.
TOLD_OF_A_KIND = 3


@dataclass(slots=True)
class Problems:
    """Collects lines; those beyond the first few of a kind are only counted.

    A line has a place and a reason. It never quotes the transcript.
    """

    places: dict[str, list[str]] = field(default_factory=dict)

    def add(self, place: str, reason: str) -> None:
        """Take note of a problem."""
        self.places.setdefault(reason, []).append(place)

    def include(self, other: Problems) -> None:
        """Take over the problems that were collected elsewhere."""
        for reason, places in other.places.items():
            self.places.setdefault(reason, []).extend(places)

    def lines(self) -> tuple[str, ...]:
        """One line for each of the first of a kind, and one for the rest of them."""
        lines = []
        for reason, places in self.places.items():
            lines += [f"{place}: {reason}" for place in places[:TOLD_OF_A_KIND]]
            more = len(places) - TOLD_OF_A_KIND
            if more > 0:
                lines.append(f"{more:,} more: {reason}")
        return tuple(lines)
