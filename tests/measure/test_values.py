"""Digests of the state of a user's graph: content, ids, and what is the agent's own."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage

from deltabench.measure.values import digest_values, unlike

DRAWN = "0f8fad5b-d9cb-469f-a165-70867728950e"


def _state(text: str = "hi", message_id: str | None = "m1", **more: Any) -> dict[str, Any]:
    return {"messages": [HumanMessage(text, id=message_id)], "log": ["a"], **more}


def test_content_is_of_every_channel_but_the_agents_own() -> None:
    """Another value of any channel shows, except under a name with an underscore."""
    first = digest_values(_state(), [_state()])
    assert digest_values(_state("ho"), [_state("ho")]).content != first.content
    changed = {**_state(), "log": ["b"]}
    assert digest_values(changed, [changed]).content != first.content
    private = _state(_session="x")
    assert digest_values(private, [private]).content == first.content
    assert digest_values(_state(message_id="m2"), [_state(message_id="m2")]).content == (
        first.content
    )


def test_ids_are_counted_and_compared() -> None:
    """Ids that change between two reads, drawn ones and missing ones are told."""
    stable = digest_values(_state(), [_state(), _state()])
    assert (stable.ids_stable, stable.messages, stable.generated_ids) == (True, 1, 0)
    for live, reads in (
        (_state(), [_state(), _state(message_id="m2")]),
        (_state(message_id="m2"), [_state(), _state()]),
    ):
        assert not digest_values(live, reads).ids_stable
    drawn = digest_values(_state(message_id=DRAWN), [_state(message_id=DRAWN)])
    assert drawn.generated_ids == 1
    assert digest_values(_state(message_id=None), [_state(message_id=None)]).missing_ids == 1


def test_a_graph_may_show_a_part_of_its_state() -> None:
    """Channels that `invoke` does not return are not missed, in content and in ids."""
    shown = {"log": ["a"]}
    assert digest_values(shown, [_state(), _state()]).ids_stable
    assert unlike(shown, _state()) is None
    assert unlike({"log": ["b"]}, _state()) == "log"


def test_files_are_counted() -> None:
    """The number of files is told where there are any."""
    state = _state(files={"/a": "x", "/b": "y"})
    assert digest_values(state, [state]).files == 2
    assert digest_values(_state(), [_state()]).files == 0
