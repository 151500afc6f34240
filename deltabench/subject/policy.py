"""Storage policies on a compiled graph: full snapshots, or delta channels with one K.

The channels of the graph are replaced by langgraph's own other channel class with the
same reducer, and then read back: a "full" run that quietly is a delta run is the worst
fault this project can have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.pregel import Pregel

from deltabench.cells import ChannelReadback, Policy
from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from langgraph.channels.base import BaseChannel


class BinaryForm:
    """The binary form of a batch reducer: folds one write at a time."""

    __slots__ = ("reducer",)

    def __init__(self, reducer: Callable[[Any, list[Any]], Any]) -> None:
        self.reducer = reducer

    @property
    def __name__(self) -> str:
        return getattr(self.reducer, "__name__", type(self.reducer).__name__)

    def __call__(self, state: Any, write: Any) -> Any:
        """Apply one write to the state."""
        return self.reducer(state, [write])


def apply_policy(graph: Pregel[Any], policy: Policy) -> tuple[ChannelReadback, ...]:
    """Switch every delta channel of a compiled graph, and of the subgraphs in its nodes.

    Changes the graph in place. Returns what the live graph has afterwards, one entry per
    switched channel, in graph and channel order.

    Raises DeltabenchError when the graph has no delta channel (there is nothing to
    compare) or when what is read back is not what was asked for.
    """
    switched: list[tuple[Pregel[Any], str]] = []
    for _, part in _graphs(graph):
        for name, channel in list(part.channels.items()):
            if isinstance(channel, DeltaChannel):
                part.channels[name] = _replacement(channel, policy)
                switched.append((part, name))
    if not switched:
        raise DeltabenchError(
            "the graph has no delta channel",
            hint="it stores full snapshots already; nothing can be compared",
        )
    return read_back(graph, policy, switched)


def read_back(
    graph: Pregel[Any], policy: Policy, switched: list[tuple[Pregel[Any], str]]
) -> tuple[ChannelReadback, ...]:
    """Read the live classes and cadences of the switched channels, and assert them."""
    for namespace, part in _graphs(graph):
        for name, channel in part.channels.items():
            if isinstance(channel, DeltaChannel) and (
                policy.is_full or channel.snapshot_frequency != policy.snapshot_frequency
            ):
                _refuse(f"channel {namespace}{name} is still {_describe(channel)}", policy)
    found = []
    for part, name in switched:
        channel = part.channels[name]
        expected = BinaryOperatorAggregate if policy.is_full else DeltaChannel
        if type(channel) is not expected:
            _refuse(f"channel {name} is {_describe(channel)}", policy)
        reducer = getattr(channel, "operator" if policy.is_full else "reducer")
        found.append(
            ChannelReadback(
                name=name,
                class_name=type(channel).__name__,
                snapshot_frequency=getattr(channel, "snapshot_frequency", None),
                reducer=getattr(reducer, "__name__", type(reducer).__name__),
            )
        )
    return tuple(found)


def _graphs(graph: Pregel[Any]) -> Iterator[tuple[str, Pregel[Any]]]:
    yield "", graph
    for namespace, part in graph.get_subgraphs(recurse=True):
        if isinstance(part, Pregel):  # a remote graph keeps its state elsewhere
            yield f"{namespace}:", part


def _replacement(channel: DeltaChannel[Any], policy: Policy) -> BaseChannel[Any, Any, Any]:
    new: BaseChannel[Any, Any, Any]
    if policy.snapshot_frequency is None:
        new = BinaryOperatorAggregate(channel.typ, BinaryForm(channel.reducer))
    else:
        new = DeltaChannel(
            channel.reducer, channel.typ, snapshot_frequency=policy.snapshot_frequency
        )
    new.key = channel.key
    return new


def _describe(channel: object) -> str:
    frequency = getattr(channel, "snapshot_frequency", None)
    return type(channel).__name__ + (f" with K={frequency}" if frequency else "")


def _refuse(found: str, policy: Policy) -> None:
    message = f"policy {policy.label} was asked for, but {found}"
    raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)
