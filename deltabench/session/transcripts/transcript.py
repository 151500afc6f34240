"""A recorded chat as a session: as long as it was recorded, times its repetitions."""

from __future__ import annotations

import hashlib
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pydantic import Field

from deltabench.errors import DeltabenchError
from deltabench.session.interface import Session, TurnSize
from deltabench.session.transcripts.files import FileUpdates, is_evicted
from deltabench.session.transcripts.recorded import Turn, chars_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.session.transcripts.replay import RecordedScript

# Part of every digest: raise it when the same transcript is replayed in another way.
REPLAY_VERSION = 1


class Transcript(Session):
    """The recorded turns, one after the other, `repeat` times.

    `problems` are lines about what was left out or mended when it was read; they say
    where, and quote nothing.
    """

    system_prompt: str = ""
    recorded: tuple[Turn, ...] = Field(min_length=1)
    repeat: int = Field(default=1, ge=1)
    problems: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Identity of the content, however often it is repeated."""
        text = f"{REPLAY_VERSION}:{self.model_dump_json(include={'system_prompt', 'recorded'})}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def turn(self, turn: int) -> Turn:
        """The recording that is replayed in `turn` (from 1)."""
        return self.recorded[(turn - 1) % len(self.recorded)]

    def updates_through(self, turn: int) -> int:
        """Updates of `messages`: the input, two a round, and the answer, for each turn."""
        whole, rest = divmod(turn, len(self.recorded))
        return whole * self._updates[-1] + self._updates[rest]

    def file_updates(self, turns: int) -> Iterator[tuple[int, int]]:
        """Yield turn and place of each update of `files`, followed on paper."""
        for turn in range(1, turns + 1):
            for place in self._files[(turn - 1) % len(self.recorded)][0]:
                yield turn, place

    def turn_size(self, turn: int) -> TurnSize:
        """What `turn` adds to the thread, in characters of content."""
        recorded = self.turn(turn)
        places, written, evicted = self._files[(turn - 1) % len(self.recorded)]
        calls = [call for answer in recorded.answers for call in answer.calls]
        said = [each.content for each in recorded.inputs]
        said += [each.content for each in recorded.answers]
        returned = [call.result for call in calls if not is_evicted(call.tool, call.result)]
        asked = [call.arguments for call in calls]
        return TurnSize(
            rounds=len(recorded.rounds),
            messages=len(said) + 2 * len(calls),
            message_chars=sum(chars_of(each) for each in (*said, *returned, *asked)),
            files=len(written),
            file_chars=sum(written),
            file_updates=len(places),
            evicted=evicted,
        )

    def script(self, seed: int) -> RecordedScript:  # noqa: ARG002  # nothing is drawn at random
        """The lines of the session, as they were recorded."""
        from deltabench.session.transcripts.replay import RecordedScript

        return RecordedScript(transcript=self)

    def shape(self) -> Iterator[str]:
        """What the turns write, in words."""
        from deltabench.report.transcript_shape import transcript_shape_lines

        return transcript_shape_lines(self)

    def check_turns(self, turns: int) -> None:
        """Raise DeltabenchError when more turns are asked for than there are."""
        if turns <= self.turns:
            return
        enough = -(-turns // len(self.recorded))
        repeated = f" times {self.repeat}" if self.repeat > 1 else ""
        raise DeltabenchError(
            f"{self.name}: {turns:,} turns asked for, {len(self.recorded):,} recorded{repeated}",
            hint=f"--repeat-session {enough} makes it long enough",
        )

    def notices(self) -> tuple[str, ...]:
        """What was left out or mended when the recording was read."""
        return self.problems

    def at_most(self, turns: int) -> int:
        """That many turns, or as many as there are."""
        return min(turns, self.turns)

    def specification(self) -> dict[str, Any]:
        """The shape of every recorded turn; the content stays with whoever has the file."""
        return {
            "name": self.name,
            "title": self.title,
            "turns": self.turns,
            "recorded_turns": len(self.recorded),
            "repeat_session": self.repeat,
            "shape": [self.turn_size(turn)._asdict() for turn in range(1, len(self.recorded) + 1)],
        }

    @cached_property
    def _updates(self) -> list[int]:
        return [0, *accumulate(2 + 2 * len(turn.rounds) for turn in self.recorded)]

    @cached_property
    def _files(self) -> list[tuple[list[int], list[int], int]]:
        followed = FileUpdates()
        return [followed.turn(turn) for turn in self.recorded]
