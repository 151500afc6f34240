"""Resume, history and time-travel latency: reads of a thread that already exists."""

from __future__ import annotations

import gc
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Literal

from deltabench.cells import Read, ReadPosition, RoundTrips
from deltabench.measure.metering import Meter, round_trips

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.checkpointers.interface import OpenCheckpointer
    from deltabench.measure.tracking import Place
    from deltabench.subject.interface import Subject

What = Literal["resume_warm", "history_10", "history_50", "time_travel"]
HISTORY_PAGES: tuple[tuple[What, int], ...] = (("history_10", 10), ("history_50", 50))
# A slow read is not repeated for ever: after this much time three samples are enough.
ENOUGH_SECONDS = 3.0
FEWEST_SAMPLES = 3


class Reader:
    """Times reads in a warm process: same saver, new graph object for every kind."""

    def __init__(
        self,
        build: Callable[[], Subject],
        opened: OpenCheckpointer,
        meter: Meter,
        samples: int,
        progress: Callable[[], None],
    ) -> None:
        self._build = build
        self._opened = opened
        self._meter = meter
        self._samples = samples
        self._progress = progress

    def resume(self, position: ReadPosition, place: Place) -> Read:
        """Time `get_state` at one place of the thread."""
        return self._read("resume_warm", place, position)

    def time_travel(self, place: Place) -> Read:
        """Time `get_state` at a checkpoint in the middle of the thread."""
        return self._read("time_travel", place, None)

    def history(self, what: What, checkpoints: int, place: Place) -> Read:
        """Time reading the newest checkpoints with `get_state_history`, values and all."""
        subject = self._build()
        config = subject.config()
        return self._timed(
            what,
            place,
            None,
            # A reader pages through; holding fifty states at once would measure memory.
            lambda: deque(subject.graph.get_state_history(config, limit=checkpoints), maxlen=0),
        )

    def _read(self, what: What, place: Place, position: ReadPosition | None) -> Read:
        subject = self._build()
        config = subject.config(checkpoint_id=place.checkpoint_id)
        return self._timed(what, place, position, lambda: subject.graph.get_state(config))

    def _timed(
        self, what: What, place: Place, position: ReadPosition | None, read: Callable[[], Any]
    ) -> Read:
        trips = self._count_round_trips(read)  # also the warm-up that is not timed
        seconds: list[float] = []
        while len(seconds) < self._samples:
            self._before_each()
            start_ns = time.perf_counter_ns()
            read()
            seconds.append((time.perf_counter_ns() - start_ns) / 1e9)
            if len(seconds) >= FEWEST_SAMPLES and sum(seconds) > ENOUGH_SECONDS:
                break
        return Read(
            what=what,
            position=position,
            updates_since_snapshot=place.updates_since_snapshot,
            supersteps_since_snapshot=place.supersteps_since_snapshot,
            seconds=tuple(seconds),
            round_trips=trips,
        )

    def _before_each(self) -> None:
        self._progress()
        gc.collect()  # what the read before left behind is neither its time nor its memory

    def _count_round_trips(self, read: Callable[[], Any]) -> RoundTrips:
        self._before_each()
        calls, statements = self._meter.calls(), self._opened.statements()
        read()
        return round_trips(calls, self._meter.calls(), (statements, self._opened.statements()))
