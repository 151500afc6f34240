"""What is to be verified of a user's own graph, and how it is built in any process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.cells import Policy, Value
from deltabench.session.graph_session import GraphRequest
from deltabench.subject.candidates import choose_channels
from deltabench.subject.graph_subject import source_of
from deltabench.subject.policy import apply_policy

if TYPE_CHECKING:
    from langgraph.pregel import Pregel

DEFAULT_FREQUENCIES = (2, 3, 1000)


class OwnGraph(Value):
    """A graph with its inputs, of which a survey found the channels to switch.

    `switched` are pairs of a channel and the reason why; `turns` are driven.
    """

    request: GraphRequest
    switched: tuple[tuple[str, str], ...]
    turns: int
    snapshot_frequencies: tuple[int, ...] = DEFAULT_FREQUENCIES


def build_own(own: OwnGraph, saver: Any, snapshot_frequency: int | None) -> Pregel[Any]:
    """Build the graph on a saver under a policy; a partial of this goes to any process."""
    graph = source_of(own.request.spec).build(saver)
    choices = choose_channels(graph, dict(own.request.channels), known=dict(own.switched))
    apply_policy(graph, Policy(snapshot_frequency=snapshot_frequency), choices)
    return graph
