"""A user's graph from its notation, built on any checkpointer as often as it is needed.

The notation is that of `langgraph.json`: `module:name` or `path/to/file.py:name`, where
the name is a compiled graph, a builder, or a factory of either; or a `langgraph.json`.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.graph import StateGraph
from langgraph.pregel import Pregel

from deltabench.errors import DeltabenchError
from deltabench.subject.event_loop import give_sync_forms
from deltabench.subject.factories import HINT, call_factory
from deltabench.subject.langgraph_json import enter_langgraph_json, is_langgraph_json
from deltabench.subject.loading import load_object
from deltabench.subject.rebinding import rebound

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver


@dataclass(frozen=True, slots=True)
class GraphSource:
    """Where a graph comes from: the notation as given, and the object that it names."""

    spec: str
    target: Any
    source_digest: str

    def build(self, saver: BaseCheckpointSaver[Any] | None) -> Pregel[Any]:
        """Build the graph on a saver; a saver that was compiled in is replaced.

        Each call gives a graph of its own, so that a policy can be applied to it. Raises
        DeltabenchError when a factory cannot be called, fails, or makes something else.
        """
        made = self.target
        if not isinstance(made, (Pregel, StateGraph)):
            made = call_factory(made, self.spec, saver)
        if isinstance(made, StateGraph):
            made = _compiled(made, self.spec)
        if not isinstance(made, Pregel):
            kind = type(made).__name__
            raise DeltabenchError(f"graph {self.spec!r} gave a {kind}", hint=f"no graph; {HINT}")
        graph = rebound(made, saver)  # type: ignore[arg-type]
        for part in (graph, *(sub for _, sub in graph.get_subgraphs(recurse=True))):
            if isinstance(part, Pregel):
                give_sync_forms(part)
        return graph


def open_graph(spec: str) -> GraphSource:
    """Import what a spec names, without building anything yet.

    Raises DeltabenchError, in one line, when it cannot be imported or is no graph.
    """
    named = enter_langgraph_json(spec).spec if is_langgraph_json(spec) else spec
    target = load_object(named)
    if not isinstance(target, (Pregel, StateGraph)) and not callable(target):
        raise DeltabenchError(
            f"{spec!r} is a {type(target).__name__} and no graph",
            hint="a compiled graph, a StateGraph, or a function that makes one",
        )
    return GraphSource(spec=spec, target=target, source_digest=_source_digest(named, target))


def _compiled(builder: StateGraph[Any, Any, Any, Any], spec: str) -> Pregel[Any]:
    try:
        return builder.compile()
    except Exception as error:  # langgraph checks the graph here, by ValueError and others
        text = " ".join(str(error).split())
        raise DeltabenchError(f"graph {spec!r} does not compile: {text}") from error


def _source_digest(spec: str, target: Any) -> str:
    """16 hex digits of the file that a spec names; other files of the graph are not seen."""
    place = spec.rpartition(":")[0]
    path = Path(place).expanduser() if place.endswith(".py") else None
    if path is None:
        module = sys.modules.get(place) or inspect.getmodule(target)
        path = Path(getattr(module, "__file__", "") or "")
    return sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""
