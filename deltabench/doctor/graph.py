"""Which channels of a graph are delta channels, and whether its serializer carries snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.pregel import Pregel

from deltabench.doctor.findings import Finding, Part
from deltabench.errors import DeltabenchError
from deltabench.subject.candidates import choose_channels, graphs_in
from deltabench.subject.graphs import open_graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.subject.candidates import Choice


def look_at_graph(spec: str) -> Part:
    """Build the graph, and run nothing of it.

    Raises DeltabenchError when it cannot be imported or built.
    """
    source = open_graph(spec)
    graph = source.build(None)
    channels = dict(_channels(graph))
    facts = [f"{c.name}: {_words(c, channels.get(c.name))}" for c in choose_channels(graph)]
    findings = list(_by_reducer(graph))
    saver = source.target.checkpointer if isinstance(source.target, Pregel) else None
    if isinstance(saver, BaseCheckpointSaver):
        facts.append(f"checkpointer: {type(saver).__name__}, {type(saver.serde).__name__}")
        findings += carries_snapshots(saver)
    else:
        facts.append("checkpointer: none compiled in; --checkpointer tries yours")
    if not any(isinstance(channel, DeltaChannel) for channel in channels.values()):
        findings.append(Finding(level="fine", text="no channel is a delta channel yet"))
    elif not findings:
        findings.append(Finding(level="fine", text="its delta channels have reducers that fit"))
    return Part(title="Graph", name=spec, facts=tuple(facts), findings=tuple(findings))


def carries_snapshots(saver: BaseCheckpointSaver[Any]) -> Iterator[Finding]:
    """Send snapshots through the serializer of a saver; nothing is written anywhere."""
    kind = type(saver.serde).__name__
    for value in ([], ["text", {"number": 1}], {"a": None}):
        try:
            back = saver.serde.loads_typed(saver.serde.dumps_typed(_DeltaSnapshot(value)))
        except Exception as error:  # noqa: BLE001 - a serializer of the user's may raise anything
            text = f"{kind} cannot carry a snapshot: it raises {type(error).__name__}"
            yield Finding(level="fault", text=text, remedy=_SERIALIZER)
            return
        if type(back) is not _DeltaSnapshot or back.value != value:
            text = f"{kind} gives a snapshot back as a {type(back).__name__}: it loses the value"
            yield Finding(level="fault", text=text, remedy=_SERIALIZER)
            return
    yield Finding(level="fine", text=f"{kind} gives snapshots back as they were")


_SERIALIZER = "wrap langgraph's JsonPlusSerializer, or hand its types on to it"


def _channels(graph: Pregel[Any]) -> Iterator[tuple[str, Any]]:
    for namespace, part in graphs_in(graph, hidden=True):
        for name, channel in part.channels.items():
            yield f"{namespace}{name}", channel


def _by_reducer(graph: Pregel[Any]) -> Iterator[Finding]:
    """A delta channel whose reducer minds how writes are batched gives another state."""
    from deltabench.reducer import check_reducer

    for name, channel in _channels(graph):
        if not isinstance(channel, DeltaChannel):
            continue
        try:
            result = check_reducer(
                channel.reducer, form="batch", state_type=channel.typ, quick=True
            )
        except DeltabenchError as reason:
            text = f"{name}: its reducer cannot be tried: {reason}"
            yield Finding(level="unsure", text=text, remedy=_REDUCER)
            continue
        for check in result.broken[:1]:
            text = f"{name}: its reducer does not fit a delta channel: {check.name}: {check.detail}"
            yield Finding(level="fault", text=text, remedy=_REDUCER)


_REDUCER = "deltabench reducer MODULE:FUNCTION tells more"


def _words(choice: Choice, channel: Any) -> str:
    if isinstance(channel, DeltaChannel):
        return f"delta, K={channel.snapshot_frequency}"
    if choice.reducer is None:
        return f"full; {choice.reason}"
    return f"full; could be a delta channel ({choice.reason})"
