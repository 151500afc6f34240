"""Threads of other shapes: forks, a change of policy on the way, subgraphs, other channels."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import pytest
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from deltabench.inspect.derive import derive
from deltabench.inspect.scan import open_source
from deltabench.inspect.tracking import walk
from tests.checkpointers.small_session import CONFIG, build, drive
from tests.inspect.conftest import look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from deltabench.inspect.found import Inspection

NOTES = ("", "notes")
K = 3  # of the small session's delta channel
_ONE_PERCENT = 0.01


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[str], AbstractContextManager[SqliteSaver]]:
    """Give a way to a saver on a file of that name."""

    @contextmanager
    def save(name: str) -> Iterator[SqliteSaver]:
        with SqliteSaver.from_conn_string(str(tmp_path / name)) as saver:
            yield saver

    return save


def stored(found: Inspection) -> float:
    """Bytes of the values of `notes`, without their names."""
    key = ("channel", *NOTES)
    return sum(found.summed(*key, what).value for what in ("value_bytes", "snapshot_bytes"))


def fork(graph: Any, back: int) -> None:
    """Go back so many checkpoints and run a turn from there."""
    history = list(graph.get_state_history(CONFIG))
    random.seed(2)
    graph.invoke({"title": "Abzweig"}, history[back].config)


@pytest.mark.parametrize("delta", [False, True])
def test_what_a_channel_is_shows_in_its_bytes(
    saved: Callable[[str], AbstractContextManager[SqliteSaver]], tmp_path: Path, *, delta: bool
) -> None:
    """Lists that accumulate are predicted, in subgraphs too; texts and numbers are not."""
    with saved("session") as saver:
        drive(saver, turns=6, delta=delta)
    found = look(tmp_path / "session", (None, K))
    assert found.stored_as(NOTES) == ("delta" if delta else "full")
    assert found.stored_as(("", "log")) == "full"
    assert found.stored_as(("", "title")) == found.stored_as(("", "größe")) == "last"
    assert set(found.predicted()) >= {NOTES, ("", "log")}
    assert found.summed("namespace", "sub", "calls").value == 6
    assert not found.found.problems


def test_a_forked_thread_is_predicted(
    saved: Callable[[str], AbstractContextManager[SqliteSaver]], tmp_path: Path
) -> None:
    """The same turns and forks under the other policy store what was predicted."""
    for name, delta in (("full", False), ("delta", True)):
        with saved(name) as saver:
            graph = drive(saver, turns=8, delta=delta)
            fork(graph, back=9)
            fork(graph, back=3)
    full, delta_thread = (look(tmp_path / name, (None, K)) for name in ("full", "delta"))
    for found in (full, delta_thread):
        assert found.summed("unreachable", "branches", "rows").value > 5
        assert not found.found.problems
        assert not found.found.reasons
    then = stored(delta_thread) + delta_thread.change(NOTES, None, "bytes").value
    assert then == pytest.approx(stored(full), rel=0.02)
    assert delta_thread.change(NOTES, K, "bytes").value / stored(delta_thread) < 0.02


def test_a_thread_that_changed_its_policy(
    saved: Callable[[str], AbstractContextManager[SqliteSaver]], tmp_path: Path
) -> None:
    """Full at first and delta later: sizes are derived from the last whole value on."""
    with saved("full") as saver:
        drive(saver, turns=8, delta=False)
    with saved("mixed") as saver:
        drive(saver, turns=4, delta=False)
        graph = build(saver, delta=True)
        for turn in range(4, 8):
            graph.invoke({"title": f"Titel {turn} ☃"}, CONFIG)
    full, mixed = (look(tmp_path / name, (None, K)) for name in ("full", "mixed"))
    assert mixed.stored_as(NOTES) == "mixed"
    assert mixed.largest[0].stored_as == "mixed"
    assert not mixed.found.reasons
    then = stored(mixed) + mixed.change(NOTES, None, "bytes").value
    assert then == pytest.approx(stored(full), rel=_ONE_PERCENT)


def _newest(state: list[str], batches: Any) -> list[str]:
    return [*state, *(item for batch in batches for item in batch)][-2:]


class _Recent(TypedDict):
    notes: Annotated[list[str], DeltaChannel(_newest, snapshot_frequency=3)]


def test_what_no_writes_tell_is_taken_from_snapshots(
    saved: Callable[[str], AbstractContextManager[SqliteSaver]], tmp_path: Path
) -> None:
    """A reducer that forgets: from each snapshot on, its true size is gone on from."""
    builder = StateGraph(_Recent)
    builder.add_node("note", lambda _: {"notes": ["n" * 100]})
    builder.add_edge(START, "note")
    with saved("forgets") as saver:
        graph = builder.compile(checkpointer=saver)
        for _ in range(8):
            graph.invoke({"notes": ["i" * 100]}, CONFIG)
    with open_source(str(tmp_path / "forgets")) as source:
        (group,) = source.groups(["fäden"])
        tracks = walk(group, source.kind)
        derive(tracks, source)
    sizes = list(tracks.channels["notes"].value_bytes)
    assert len(sizes) == 16
    item, two = 102, 1 + 2 * 102
    assert sizes[2::3] == [two] * 5
    assert sizes[3::3] == [two + item] * 5
    assert sizes[4::3] == [two + 2 * item] * 4
