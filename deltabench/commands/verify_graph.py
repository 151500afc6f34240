"""`deltabench verify --graph`: what is asked for, after a look at the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.session.graph_session import GraphRequest
    from deltabench.verify.own_graph.request import OwnGraph


def look_at(request: GraphRequest, turns: int | None, frequencies: Sequence[int]) -> OwnGraph:
    """Survey the graph, which finds one that is not deterministic, and say what is switched.

    Raises DeltabenchError when it cannot be run, or differs between two runs.
    """
    from deltabench.api import survey_graph
    from deltabench.verify.own_graph.request import DEFAULT_FREQUENCIES, OwnGraph

    length = request.check(turns)
    turn = "1 turn" if length == 1 else f"{length:,} turns"
    typer.echo(f"Looking at {request.spec}: two runs of {turn}", err=True)
    session = survey_graph(request, [length])
    for notice in session.notices():
        typer.echo(notice, err=True)
    switched = tuple((c.name, c.reason) for c in session.survey.channels if c.switched)
    return OwnGraph(
        request=request,
        switched=switched,
        turns=length,
        snapshot_frequencies=tuple(dict.fromkeys(frequencies)) or DEFAULT_FREQUENCIES,
    )
