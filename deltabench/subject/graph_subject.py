"""A user's graph with its inputs, under one storage policy, ready to be driven."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langgraph.types import Command

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.session.inputs import TurnInput, again, read_inputs
from deltabench.session.recording import load_recording
from deltabench.subject.candidates import Choice, choose_channels
from deltabench.subject.canonical import digest
from deltabench.subject.graphs import GraphSource, open_graph
from deltabench.subject.interface import THREAD_ID, Subject
from deltabench.subject.loading import load_object, one_line, place_of
from deltabench.subject.models import Refusing, Scripted, Stand, standing
from deltabench.subject.policy import apply_policy
from deltabench.subject.replay import Player

if TYPE_CHECKING:
    from collections.abc import Mapping

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.cells import Durability, Policy
    from deltabench.session.graph_session import GraphRequest

# Part of every digest: raise it when the same inputs are driven in another way.
DRIVING_VERSION = 1
# langgraph's own limit may be too low for a turn; a graph that never ends reaches this.
_MOST_SUPERSTEPS = 10_000


@dataclass(frozen=True, slots=True)
class GraphSubject(Subject):
    """A graph of the user's own; `lines` are its inputs, gone through again and again.

    What the graph raises may quote its thread, so that errors give its text only where
    `quotes` says that they will not be part of a result.
    """

    lines: tuple[TurnInput, ...]
    stand: Stand
    quotes: bool = False

    @property
    def recursion_limit(self) -> int:
        """Enough for any turn that ends."""
        return _MOST_SUPERSTEPS

    def turn(self, turn: int, durability: Durability, thread_id: str = THREAD_ID) -> dict[str, Any]:
        """Give the graph one input; raises DeltabenchError with the turn when it fails."""
        cycle, index = divmod(turn - 1, len(self.lines))
        given = again(self.lines[index], cycle)
        value = Command(resume=given.value) if given.resumes else given.value
        self.stand.begin_turn(turn)
        try:
            with standing(self.stand):
                result = self.graph.invoke(value, self.config(thread_id), durability=durability)
        except DeltabenchError:
            raise
        except Exception as error:  # user code may raise anything
            self.stand.end_turn()
            at = place_of(error)
            text = one_line(error) if self.quotes else type(error).__name__
            raise DeltabenchError(
                f"turn {turn}: {text}{f', at {at}' if at else ''}",
                exit_code=ExitCode.CELL_FAILED,
            ) from error
        self.stand.end_turn()
        return as_values(result)


def build_graph_subject(
    request: GraphRequest,
    policy: Policy,
    saver: BaseCheckpointSaver[Any],
    known: Mapping[str, str],
    *,
    quotes: bool = False,
) -> GraphSubject:
    """Build the user's graph on a saver and switch its channels to the policy.

    `known` are the channels to switch, with the reasons that a survey found. Each subject
    has a stand-in for the models of its own, which begins anew.
    """
    graph = source_of(request.spec).build(saver)
    choices = choose_channels(graph, dict(request.channels), known=known)
    channels = apply_policy(graph, policy, choices)
    return GraphSubject(
        graph=graph,
        channels=channels,
        lines=_lines(request),
        stand=stand_for(request),
        quotes=quotes,
    )


def chosen_channels(request: GraphRequest) -> tuple[Choice, ...]:
    """Every channel of the graph, and whether it is switched."""
    return choose_channels(source_of(request.spec).build(None), dict(request.channels))


@functools.cache
def source_of(spec: str) -> GraphSource:
    """The graph's source, opened once in each process."""
    return open_graph(spec)


def stand_for(request: GraphRequest) -> Stand:
    """What answers in place of the graph's models.

    Raises DeltabenchError when a recording is of other inputs, or a model is none.
    """
    if request.transcript:
        recording = load_recording(Path(request.transcript))
        for number, (line, turn) in enumerate(
            zip(_lines(request), recording.turns, strict=False), 1
        ):
            if digest(line.value) != turn.given:
                raise DeltabenchError(
                    f"{request.transcript}: turn {number} was recorded with another input",
                    hint=f"record again after a change of {request.inputs}",
                )
        if len(recording.turns) < len(_lines(request)):
            raise DeltabenchError(
                f"{request.transcript} has {len(recording.turns)} turns, "
                f"{request.inputs} {len(_lines(request))}",
                hint="record all of them",
            )
        return Player(recording, request.transcript)
    if request.model:
        return Scripted(_scripted_model(request.model))
    return Refusing()


def identity_of(request: GraphRequest) -> str:
    """16 hex digits over everything of the user's that shapes the bytes of a session."""
    parts = [
        str(DRIVING_VERSION),
        request.spec.rpartition(":")[2],
        source_of(request.spec).source_digest,
        request.model or "",
        *(f"{name}={reducer}" for name, reducer in request.channels),
        *(_file_digest(path) for path in (request.inputs, request.transcript) if path),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def as_values(result: Any) -> dict[str, Any]:
    """The state that `invoke` or `get_state` gave; a graph may have a single unnamed value."""
    if isinstance(result, dict):
        return {name: value for name, value in result.items() if name != "__interrupt__"}
    return {"__root__": result}


@functools.cache
def _lines(request: GraphRequest) -> tuple[TurnInput, ...]:
    return read_inputs(Path(request.inputs))


def _file_digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _scripted_model(spec: str) -> BaseChatModel:
    factory = load_object(spec)
    if isinstance(factory, BaseChatModel) or not callable(factory):
        raise DeltabenchError(
            f"model {spec!r} must be a function or a class that makes a chat model",
            hint="each session asks for a new one, so that all begin alike",
        )
    try:
        model = factory()
    except Exception as error:  # user code may raise anything
        raise DeltabenchError(f"model {spec!r} failed: {one_line(error)}") from error
    if not isinstance(model, BaseChatModel):
        raise DeltabenchError(f"model {spec!r} gave a {type(model).__name__} and no chat model")
    return model
