"""Runs a session of a user's graph once, to see what it does in each turn."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.memory import InMemorySaver

from deltabench.cells import Policy
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.measure.metering import Meter, meter_saver
from deltabench.session.graph_session import ChannelChoice, Survey
from deltabench.subject.canonical import digest
from deltabench.subject.graph_subject import (
    as_values,
    build_graph_subject,
    chosen_channels,
    identity_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.session.graph_session import GraphRequest

# Small enough for fast turns, large enough to store little.
_POLICY = Policy(snapshot_frequency=50)


class _Watch:
    """Takes note of every checkpoint of the root graph."""

    def __init__(self, channels: frozenset[str]) -> None:
        self._channels = channels
        self.turn = 0
        self.supersteps: Counter[int] = Counter()
        # Of each superstep: its turn, and the channels that it updated.
        self.updated: list[tuple[int, frozenset[str]]] = []

    def after_put(
        self, config: Any, _checkpoint: Any, _metadata: Any, new_versions: dict[str, Any]
    ) -> None:
        if config["configurable"].get("checkpoint_ns", ""):
            return
        self.supersteps[self.turn] += 1
        self.updated.append((self.turn, self._channels & new_versions.keys()))


def survey_graph(
    request: GraphRequest, turns: int, seed: int, progress: Callable[[int], None]
) -> Survey:
    """Drive `turns` turns in memory and tell what they did; `progress` is told each turn.

    Raises DeltabenchError when the graph fails, or when no channel of its root that could
    be a delta channel is ever written.
    """
    choices = chosen_channels(request)
    meter, saver = Meter(), InMemorySaver()
    meter_saver(saver, meter)
    known = {choice.name: choice.reason for choice in choices if choice.reducer is not None}
    subject = build_graph_subject(request, _POLICY, saver, known, quotes=True)
    # Channels of graphs inside nodes have names of their own.
    root = frozenset(c.channel for c in choices if c.reducer is not None and not c.namespace)
    watch = _Watch(root)
    meter.after_put = watch.after_put
    written = [0]
    random.seed(seed)
    for turn in range(1, turns + 1):
        watch.turn = turn
        subject.turn(turn, "sync")
        written.append(sum(u.size_bytes for u in meter.serializer() if u.kind == "write"))
        progress(turn)
    meter.after_put = None
    values = as_values(subject.graph.get_state(subject.config()).values)
    driving, least = _roles(watch, root)
    return Survey(
        identity=identity_of(request),
        channels=tuple(
            ChannelChoice(name=c.name, switched=c.reducer is not None, reason=c.reason)
            for c in choices
        ),
        driving=driving,
        updates={name: _per_turn(watch, name, turns) for name in sorted(root)},
        places=tuple(_places(watch, driving, least)),
        supersteps=tuple(watch.supersteps[turn] for turn in range(1, turns + 1)),
        write_bytes=tuple(b - a for a, b in pairwise(written)),
        contents={name: digest(value) for name, value in sorted(values.items())},
    )


def _roles(watch: _Watch, root: frozenset[str]) -> tuple[str, str]:
    """The channel that is updated most, and the one that is updated least."""
    totals = Counter(name for _, names in watch.updated for name in names)
    if not totals:
        names = ", ".join(sorted(root)) or "none of the graph itself"
        raise DeltabenchError(
            f"the inputs never update a channel that could be a delta channel ({names})",
            hint="other inputs, or --channel name=module:reducer",
            exit_code=ExitCode.CELL_FAILED,
        )
    # By name where two are updated alike, so that every run chooses the same.
    order = sorted(totals, key=lambda name: (-totals[name], name))
    return order[0], order[-1]


def _per_turn(watch: _Watch, name: str, turns: int) -> tuple[int, ...]:
    counts = Counter(turn for turn, names in watch.updated if name in names)
    return tuple(counts[turn] for turn in range(1, turns + 1))


def _places(watch: _Watch, driving: str, least: str) -> list[tuple[int, int]]:
    if least == driving:
        return []
    places = []
    turn, reached = 0, 0
    for now, names in watch.updated:
        turn, reached = now, reached if now == turn else 0
        if least in names:
            places.append((now, reached + 1))
        reached += driving in names
    return places
