"""Runs a session of a user's graph with its own models and tools, and keeps what they say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from langgraph.checkpoint.memory import InMemorySaver

from deltabench.errors import DeltabenchError, ExitCode
from deltabench.session.inputs import read_inputs
from deltabench.session.recording import RecordedTurn, Recording, save_recording
from deltabench.subject.graph_subject import GraphSubject, source_of
from deltabench.subject.replay import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from deltabench.session.graph_session import GraphRequest


def record_session(
    request: GraphRequest, turns: int, place: str, progress: Callable[[int], None]
) -> None:
    """Drive the graph as it is, with real models, and write the file after every turn.

    Raises DeltabenchError when a turn fails; the turns before it are in the file.
    """
    graph = source_of(request.spec).build(InMemorySaver())
    lines = read_inputs(Path(request.inputs))
    recorder = Recorder()
    subject = GraphSubject(graph=graph, channels=(), lines=lines, stand=recorder, quotes=True)
    recorded: list[RecordedTurn] = []
    for turn in range(1, turns + 1):
        try:
            subject.turn(turn, "sync")
        except DeltabenchError as error:
            kept = f"; the turns before it are saved in {place}" if recorded else ""
            raise DeltabenchError(f"{error}{kept}", exit_code=ExitCode.CELL_FAILED) from error
        recorded.append(recorder.take_turn(lines[turn - 1].value))
        save_recording(Recording(graph=request.spec, turns=tuple(recorded)), Path(place))
        progress(turn)
