"""A user's own graph with its inputs, as a session.

What a graph does in a turn shows only when it runs, so it is run before anything is
planned: the survey of that run says how often which channel is updated. Only paths and
numbers are kept here; the content stays in the user's files, where each cell reads it.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from deltabench.cells import Value
from deltabench.errors import DeltabenchError
from deltabench.session.inputs import read_inputs
from deltabench.session.interface import Session, TurnSize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

NO_REDUCER = "has no reducer"
# Langgraph's supersteps beside the rounds of a turn, as the estimate counts them.
_SUPERSTEPS_BESIDE_ROUNDS = 5


class GraphRequest(Value):
    """What a user asks for: a graph, its inputs, and what stands in for its models.

    `channels` are pairs of a channel and the reducer named for it by hand; `repeat` is how
    often the inputs are gone through.
    """

    spec: str
    inputs: str
    transcript: str | None = None
    model: str | None = None
    allow_model_calls: bool = False
    channels: tuple[tuple[str, str], ...] = ()
    repeat: int = Field(default=1, ge=1)

    @property
    def name(self) -> str:
        """A short name: `agent:graph` for `./src/agent.py:graph`."""
        place, colon, attribute = self.spec.rpartition(":")
        stem = Path(place or attribute).name
        return (
            f"{stem.removesuffix('.py').removesuffix('.json')}{colon}{attribute}"
            if place
            else (stem.removesuffix(".json"))
        )

    def check(self, turns: int | None) -> int:
        """The number of turns: those asked for, or as many as there are inputs.

        Raises DeltabenchError when the inputs cannot be read or are too few, or when two
        things are to stand in for the models.
        """
        stand_ins = {
            "--transcript": self.transcript,
            "--model": self.model,
            "--allow-model-calls": self.allow_model_calls,
        }
        if len(given := [name for name, value in stand_ins.items() if value]) > 1:
            raise DeltabenchError(f"{given[0]} and {given[1]} exclude each other")
        if turns is not None and turns < 1:
            raise DeltabenchError(f"turns must be a positive whole number, not {turns}")
        lines = len(read_inputs(Path(self.inputs)))
        if turns is not None and turns > lines * self.repeat:
            repeated = f" times {self.repeat}" if self.repeat > 1 else ""
            raise DeltabenchError(
                f"{self.inputs}: {turns:,} turns asked for, {lines:,} inputs{repeated}",
                hint=f"--repeat-session {-(-turns // lines)} goes through them again",
            )
        return lines * self.repeat if turns is None else turns


class ChannelChoice(Value):
    """A channel of the graph, as a person is told of it."""

    name: str
    switched: bool
    reason: str


class Survey(Value):
    """What one run of the session showed, turn by turn.

    `updates` counts the updates of each switched channel of the root graph in each turn,
    `places` are the updates of the channel that is updated least (its turn, and the place
    among the updates of the driving channel in that turn, both from 1). `contents` are
    digests of the final state by channel, `identity` of everything that shapes the bytes.
    `apart_bytes` is by how much a second run of the same wrote more or less in a turn.
    """

    identity: str
    channels: tuple[ChannelChoice, ...]
    driving: str
    updates: dict[str, tuple[int, ...]]
    places: tuple[tuple[int, int], ...]
    supersteps: tuple[int, ...]
    write_bytes: tuple[int, ...]
    contents: dict[str, str]
    apart_bytes: int = 0


class GraphSession(Session):
    """The inputs of a request, one turn each, with what the survey of the graph found."""

    request: GraphRequest
    survey: Survey

    @property
    def digest(self) -> str:
        """Identity of graph, inputs and whatever stands in for the models."""
        return self.survey.identity

    @property
    def driving_channel(self) -> str:
        """The delta channel that is updated most."""
        return self.survey.driving

    def updates_through(self, turn: int) -> int:
        """Updates of the driving channel to the end of `turn`, as surveyed."""
        return self._through[turn]

    def file_updates(self, turns: int) -> Iterator[tuple[int, int]]:
        """Yield turn and place of each update of the channel that is updated least."""
        return ((turn, place) for turn, place in self.survey.places if turn <= turns)

    def turn_size(self, turn: int) -> TurnSize:
        """What `turn` adds to the thread, by the bytes that the survey saw written."""
        rounds = max(0, (self.survey.supersteps[turn - 1] - _SUPERSTEPS_BESIDE_ROUNDS + 1) // 2)
        return TurnSize(rounds=rounds, messages=0, message_chars=self.survey.write_bytes[turn - 1])

    def script(self, seed: int) -> NoReturn:  # noqa: ARG002
        """There is none: the graph says what happens."""
        msg = "a session of a user's graph has no script"
        raise TypeError(msg)

    def shape(self) -> Iterator[str]:
        """Which channels are switched and which are left."""
        yield from self.notices()

    def check_turns(self, turns: int) -> None:
        """Raise DeltabenchError for more turns than were surveyed."""
        if turns > self.turns:
            raise DeltabenchError(f"{self.name}: {turns:,} turns asked for, {self.turns:,} there")

    def at_most(self, turns: int) -> int:
        """That many turns, or as many as there are."""
        return min(turns, self.turns)

    def notices(self) -> tuple[str, ...]:
        """What was switched and what was left, and why."""
        apart = self.survey.apart_bytes
        repeats = (
            f"bytes repeat to within {apart:,} a turn: messages that have no id when they come "
            "get one while they are stored; ids in the inputs and from nodes help"
        )
        plain = [c.name for c in self.survey.channels if c.reason == NO_REDUCER]
        lines = [repeats] if apart else []
        lines += [
            f"{'switched' if channel.switched else 'left'}: {channel.name} ({channel.reason})"
            for channel in self.survey.channels
            if channel.reason != NO_REDUCER
        ]
        return (*lines, f"left: {', '.join(plain)} ({NO_REDUCER})") if plain else tuple(lines)

    def specification(self) -> dict[str, Any]:
        """Paths as given, and numbers; no content."""
        return self.model_dump(mode="json")

    @cached_property
    def _through(self) -> list[int]:
        total, through = 0, [0]
        for count in self.survey.updates[self.survey.driving]:
            total += count
            through.append(total)
        return through
