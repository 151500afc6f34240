"""Storage policies on a compiled graph: full snapshots, or delta channels with one K.

The channels of the graph are replaced by langgraph's own other channel class with the
same reducer in the form that it needs, and then read back: a "full" run that quietly is
a delta run is the worst fault this project can have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.channels import BinaryOperatorAggregate, DeltaChannel

from deltabench.cells import ChannelReadback, Policy
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.subject.batch_forms import BinaryForm
from deltabench.subject.candidates import graphs_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from langgraph.channels.base import BaseChannel
    from langgraph.pregel import Pregel

    from deltabench.subject.candidates import Choice


def apply_policy(
    graph: Pregel[Any], policy: Policy, choices: Iterable[Choice] | None = None
) -> tuple[ChannelReadback, ...]:
    """Switch channels of a compiled graph, and of the subgraphs in its nodes, in place.

    Without `choices` every delta channel is switched, and reducer channels stay as they
    are, as do graphs that only tools hold; with them, the channels that they give a batch
    reducer for. A reducer channel of the graph keeps its own operator under full snapshots.
    Returns what the live graph has afterwards, one entry per switched channel, in graph and
    channel order.

    Raises DeltabenchError when there is no channel to switch (nothing can be compared) or
    when what is read back is not what was asked for.
    """
    wanted = None
    if choices is not None:
        wanted = {(c.namespace, c.channel): c.reducer for c in choices if c.reducer is not None}
    switched: list[tuple[Pregel[Any], str]] = []
    hidden = choices is not None
    for namespace, part in graphs_in(graph, hidden=hidden):
        for name, channel in list(part.channels.items()):
            reducer = wanted.get((namespace, name)) if wanted is not None else None
            if isinstance(channel, DeltaChannel):
                part.channels[name] = _replacement(channel, channel.reducer, policy)
            elif reducer is not None and isinstance(channel, BinaryOperatorAggregate):
                if not policy.is_full:
                    part.channels[name] = _replacement(channel, reducer, policy)
            else:
                continue
            switched.append((part, name))
    if not switched:
        if choices is not None:
            raise DeltabenchError(
                "no channel of the graph could be a delta channel",
                hint="--channel name=module:reducer names one by hand",
            )
        raise DeltabenchError(
            "the graph has no delta channel",
            hint="it stores full snapshots already; nothing can be compared",
        )
    return read_back(graph, policy, switched, hidden=hidden)


def read_back(
    graph: Pregel[Any],
    policy: Policy,
    switched: list[tuple[Pregel[Any], str]],
    *,
    hidden: bool = False,
) -> tuple[ChannelReadback, ...]:
    """Read the live classes and cadences of the switched channels, and assert them."""
    for namespace, part in graphs_in(graph, hidden=hidden):
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


def _replacement(
    channel: DeltaChannel[Any] | BinaryOperatorAggregate[Any],
    reducer: Callable[[Any, Any], Any],
    policy: Policy,
) -> BaseChannel[Any, Any, Any]:
    new: BaseChannel[Any, Any, Any]
    if policy.snapshot_frequency is None:
        new = BinaryOperatorAggregate(channel.typ, BinaryForm(reducer))
    else:
        new = DeltaChannel(reducer, channel.typ, snapshot_frequency=policy.snapshot_frequency)
    new.key = channel.key
    return new


def _describe(channel: object) -> str:
    frequency = getattr(channel, "snapshot_frequency", None)
    return type(channel).__name__ + (f" with K={frequency}" if frequency else "")


def _refuse(found: str, policy: Policy) -> None:
    message = f"policy {policy.label} was asked for, but {found}"
    raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)
