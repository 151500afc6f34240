"""`update_state` writes what it is given, wherever in a thread it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from langgraph.types import Overwrite, StateUpdate

from deltabench.verify.guarantees.interface import Bench, Guarantee
from deltabench.verify.probes import half_asker, note_taker, speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class UpdateState(Guarantee):
    """Updates from outside a run, on fresh, existing and old checkpoints."""

    name: ClassVar[str] = "update-state"
    promise: ClassVar[str] = (
        "What update_state writes is in the state from then on, and nothing else changes."
    )
    source: ClassVar[str] = "langgraph persistence: update state; langgraph#8242 lost first writes"
    how: ClassVar[str] = (
        "fresh and existing threads, as_node, as a node that is done while another waits, old "
        "checkpoints, several at once, Overwrite"
    )
    latency_of: ClassVar[str | None] = "update_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each way of calling it."""
        return {
            "fresh thread": _fresh_thread,
            "existing thread": _existing_thread,
            "as the node that ran last": _after_the_last_node,
            "as node": _as_node,
            "old checkpoint": _old_checkpoint,
            "several at once": _several_at_once,
            "overwrite": _overwrite,
            "as a node that is done": _as_a_done_node,
        }


def _fresh_thread(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        twins.update({"notes": ["before anything"]}, as_node="__start__")
        twins.update({"notes": ["second"]}, as_node="__start__")
        twins.run({"notes": ["hello"]})


def _existing_thread(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            update = {"notes": [f"from outside {turn}"], "pages": {"outside": str(turn)}}
            twins.update(update, as_node="right")


def _after_the_last_node(bench: Bench) -> None:
    """Without `as_node` it counts as written by the node that ran last."""
    with bench.twins(speaker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
            twins.update({"notes": [f"from outside {turn}"]})


def _as_node(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        twins.run({"notes": ["hello"]})
        twins.update({"notes": ["as think"]}, as_node="think")
        twins.run(None)
        twins.update({"notes": ["as left"]}, as_node="left")
        twins.run({"notes": ["again"]})


def _old_checkpoint(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"]})
        for at in range(twins.checkpoints()):
            twins.update({"notes": [f"edited at {at}"]}, at=at, as_node="think")
        twins.run({"notes": ["after the edits"]})


def _several_at_once(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        twins.run({"notes": ["hello"]})
        twins.bulk_update(
            [
                [
                    StateUpdate({"notes": ["bulk left"]}, "left"),
                    StateUpdate({"notes": ["bulk right"]}, "right"),
                ],
                [StateUpdate({"notes": ["second superstep"]}, "think")],
            ]
        )
        twins.run(None)


def _overwrite(bench: Bench) -> None:
    with bench.twins(note_taker) as twins:
        for turn in range(2):
            twins.run({"notes": [f"turn {turn}"]})
        twins.update({"notes": Overwrite(["only this"])}, as_node="think")
        twins.run(None)
        twins.update({"notes": Overwrite([])}, as_node="right")
        twins.run({"notes": ["after emptying"]})


def _as_a_done_node(bench: Bench) -> None:
    """Beside it another node still waits for a person."""
    with bench.twins(half_asker) as twins:
        twins.run({"notes": ["hello"]})
        twins.update({"pages": {"edited": "by a person"}}, as_node="left")
        twins.run({"notes": ["after the edit"]})
