"""Which channels of a graph can be delta channels, and why the others cannot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from langgraph.channels import BinaryOperatorAggregate, DeltaChannel
from langgraph.channels.base import BaseChannel
from langgraph.graph.message import add_messages
from langgraph.pregel import Pregel

from deltabench.errors import DeltabenchError
from deltabench.session.graph_session import NO_REDUCER
from deltabench.subject.batch_forms import BinaryForm, Fold, batch_form, concatenate, merge
from deltabench.subject.hidden import hidden_graphs
from deltabench.subject.loading import load_object
from deltabench.subject.samples import samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    BatchReducer = Callable[[Any, list[Any]], Any]

# Written anew in every superstep that triggers a node, and no part of the state.
_INTERNAL = ("__", "branch:", "join:", "start:")


@dataclass(frozen=True, slots=True)
class Choice:
    """One channel: how it is switched (its batch reducer), or that it is left, and why."""

    namespace: str  # ends in a colon, empty at the root
    channel: str
    reducer: BatchReducer | None
    reason: str

    @property
    def name(self) -> str:
        """The channel with the place of its graph."""
        return f"{self.namespace}{self.channel}"


def graphs_in(graph: Pregel[Any], *, hidden: bool = False) -> Iterator[tuple[str, Pregel[Any]]]:
    """The graph and the graphs in its nodes, with their namespaces.

    With `hidden` also those that tools and functions of the nodes hold; these get a label
    of their own, since where they run is known only when they do.
    """
    yield "", graph
    seen = {id(graph)}
    for namespace, part in graph.get_subgraphs(recurse=True):
        if isinstance(part, Pregel):  # a remote graph keeps its state elsewhere
            seen.add(id(part))
            yield f"{namespace}:", part
    labels: Counter[str] = Counter()
    for label, part in hidden_graphs(graph) if hidden else ():
        if id(part) not in seen:
            labels[label] += 1
            yield f"{label}{'' if labels[label] == 1 else f'#{labels[label]}'}:", part


def choose_channels(
    graph: Pregel[Any],
    named: Mapping[str, str] | None = None,
    *,
    known: Mapping[str, str] | None = None,
) -> tuple[Choice, ...]:
    """Choose for every channel of state; `named` maps channels to the reducers to use.

    Reducers are tried against the contract, which takes a moment; where `known` has the
    names and reasons of the channels that passed before, these are taken on trust. Raises
    DeltabenchError for a named channel that is not there or has no reducer, and for a
    reducer that cannot be loaded or breaks the contract.
    """
    named = dict(named or {})
    choices = []
    found = set()
    for namespace, part in graphs_in(graph, hidden=True):
        for name, channel in part.channels.items():
            if name.startswith(_INTERNAL) or not isinstance(channel, BaseChannel):
                continue  # managed values are computed and not stored
            key = next((k for k in (f"{namespace}{name}", name) if k in named), None)
            if key is not None:
                found.add(key)
            spec = named[key] if key is not None else None
            place = f"{namespace}{name}"
            if known is not None:
                choice = _on_trust(namespace, name, channel, spec, known.get(place))
            elif spec is not None:
                choice = _by_hand(namespace, name, channel, spec)
            else:
                choice = _choice(namespace, name, channel)
            choices.append(choice)
    for missing in named.keys() - found:
        near = get_close_matches(missing, [choice.name for choice in choices], cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else _all_names(choices)
        raise DeltabenchError(f"the graph has no channel {missing!r}", hint=hint)
    return tuple(choices)


def _choice(namespace: str, name: str, channel: BaseChannel[Any, Any, Any]) -> Choice:
    if isinstance(channel, DeltaChannel):
        reason = f"is a delta channel (K={channel.snapshot_frequency})"
        return Choice(namespace, name, channel.reducer, reason)
    if type(channel) is not BinaryOperatorAggregate:
        return Choice(namespace, name, None, NO_REDUCER)
    return _of_reducer(namespace, name, channel)


def _of_reducer(namespace: str, name: str, channel: BinaryOperatorAggregate[Any]) -> Choice:
    from deltabench.reducer import could_be_delta

    empty = _empty(channel)
    if not samples(empty):
        plain = get_args(channel.typ)[0] if get_origin(channel.typ) is Annotated else channel.typ
        kind = getattr(plain, "__name__", str(plain))
        return Choice(namespace, name, None, f"{kind}: no list, dict or set that grows")
    reducer = batch_form(channel.operator, empty)
    if channel.operator is add_messages:
        return Choice(namespace, name, reducer, "add_messages")
    if reducer in (concatenate, merge):
        return Choice(namespace, name, reducer, f"{type(empty).__name__}s put together")
    own = getattr(channel.operator, "__name__", type(channel.operator).__name__)
    if isinstance(channel.operator, BinaryForm):
        return Choice(namespace, name, reducer, own)
    if getattr(channel.operator, "func", None) is _RAW_ADD_MESSAGES:
        return Choice(namespace, name, None, "add_messages with a format has no batch form")
    fitness = could_be_delta(channel.operator, channel.typ)
    reason = f"{own}: {fitness.reason}"
    return Choice(namespace, name, reducer if fitness.possible else None, reason)


# What `add_messages(format=...)` makes a partial of.
_RAW_ADD_MESSAGES = getattr(add_messages(format="langchain-openai"), "func", None)  # type: ignore[call-arg]


def _by_hand(namespace: str, name: str, channel: BaseChannel[Any, Any, Any], spec: str) -> Choice:
    from deltabench.reducer import check_reducer

    if type(channel) is not BinaryOperatorAggregate:
        what = "is a delta channel already" if isinstance(channel, DeltaChannel) else "no reducer"
        raise DeltabenchError(f"--channel {name}: the channel has {what}", hint="leave it out")
    reducer = load_object(spec)
    if not callable(reducer):
        raise DeltabenchError(f"--channel {name}: {spec!r} is no function")
    choice = _named(namespace, name, channel, spec)
    form: Literal["batch", "binary"] = "batch" if choice.reducer is reducer else "binary"
    try:
        result = check_reducer(reducer, form=form, state_type=channel.typ, quick=True)
    except DeltabenchError as error:  # nothing says which values it takes: the user knows
        return replace(choice, reason=f"{choice.reason}; not tried: {error}")
    if result.broken:
        first = result.broken[0]
        raise DeltabenchError(
            f"--channel {name}: {spec} breaks the contract: {first.name}: {first.detail}",
            hint=f"deltabench reducer {spec} shows a counterexample",
        )
    return choice


def _on_trust(
    namespace: str,
    name: str,
    channel: BaseChannel[Any, Any, Any],
    spec: str | None,
    reason: str | None,
) -> Choice:
    """What an earlier look at the same graph decided; `reason` is None for what was left."""
    if reason is None:
        return Choice(namespace, name, None, "left before")
    if isinstance(channel, DeltaChannel):
        return Choice(namespace, name, channel.reducer, reason)
    if type(channel) is not BinaryOperatorAggregate:
        raise DeltabenchError(f"channel {namespace}{name} was a reducer channel and is none now")
    if spec is not None:
        return _named(namespace, name, channel, spec)
    return Choice(namespace, name, batch_form(channel.operator, _empty(channel)), reason)


def _named(namespace: str, name: str, channel: BinaryOperatorAggregate[Any], spec: str) -> Choice:
    reducer: Any = load_object(spec)
    empty = _empty(channel)
    batch = reducer if _is_batch(reducer, channel.operator, empty) else batch_form(reducer, empty)
    return Choice(namespace, name, batch, f"{spec}, named by --channel")


def _is_batch(reducer: Callable[..., Any], binary: Callable[..., Any], empty: object) -> bool:
    """Whether a reducer takes a list of writes: then it does at once what `binary` does twice."""
    if reducer is binary:
        return False
    for sample in range(len(samples(empty))):
        # Anew for each call: a reducer may change what it is given.
        (a, first, second), (b, *writes), (c, *same) = (samples(empty)[sample] for _ in range(3))
        try:
            expected = Fold(binary)(a, [first, second])
            if reducer(b, writes) == expected:
                return True
            if Fold(reducer)(c, same) == expected:
                return False
        except Exception:  # noqa: BLE001, S112  # this sample is not of the reducer's type
            continue
    return True


def _empty(channel: BinaryOperatorAggregate[Any]) -> object:
    """What the channel holds before its first write, None where its type has no such value."""
    fresh = BinaryOperatorAggregate(channel.typ, channel.operator)
    return fresh.value if isinstance(fresh.value, (list, dict, set)) else None


def _all_names(choices: Iterable[Choice]) -> str:
    return "it has " + ", ".join(choice.name for choice in choices)
