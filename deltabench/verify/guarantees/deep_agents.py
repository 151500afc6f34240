"""Deep Agents keep their files and messages, whatever their middleware does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from langchain_core.messages import HumanMessage
from langgraph.types import Command

from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee, NotTriedError
from deltabench.verify.probes_deep import SUMMARY, careful_agent, deep_agent, forgetful_agent
from deltabench.verify.probes_nested import by_config, nested, nested_asking, remembering

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.oracle.fresh import Build
    from deltabench.verify.vocabulary import Variant


class DeepAgents(Guarantee):
    """The installed Deep Agents with their own tools and middleware."""

    name: ClassVar[str] = "deep-agents"
    promise: ClassVar[str] = (
        "Files, evicted results, summaries, subagents, subgraphs and approvals work as before."
    )
    source: ClassVar[str] = "Deep Agents 0.6: delta channels for messages and files"
    how: ClassVar[str] = (
        "files written, edited and deleted; a large result moved to a file; summarization; "
        "subagents; interrupt_on answered with approve, edit and reject; nested subgraphs, also "
        "while paused, keeping their state, and with the checkpointer in the config"
    )
    variants: ClassVar[tuple[Variant, ...]] = (ALL_VARIANTS[0], ALL_VARIANTS[2], ALL_VARIANTS[3])
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each thing that the middleware does."""
        return {
            "files written and edited": lambda bench: _turns(bench, "write", "write"),
            "a file deleted": _deleted,
            "a large result evicted": lambda bench: _turns(bench, "search", "write"),
            "a subagent": lambda bench: _turns(bench, "delegate", "delegate"),
            "summarization": _summarized,
            "approval in a subagent": _approved_inside,
            "nested subgraphs": lambda bench: _nested(bench, nested),
            "subgraphs that keep their state": lambda bench: _nested(bench, remembering),
            "nested subgraphs while paused": lambda bench: _paused(bench, nested_asking),
            "a checkpointer in the config": lambda bench: _paused(bench, by_config),
            "approve": lambda bench: _decide(bench, {"type": "approve"}),
            "edit": lambda bench: _decide(bench, _EDITED),
            "reject": lambda bench: _decide(bench, {"type": "reject", "message": "no"}),
        }


_EDITED: dict[str, Any] = {
    "type": "edit",
    "edited_action": {
        "name": "write_file",
        "args": {"file_path": "/notes-1.md", "content": "first, as edited by a person"},
    },
}


def _turns(bench: Bench, *tasks: str) -> None:
    with bench.twins(deep_agent) as twins:
        for turn, task in enumerate(tasks, 1):
            twins.run({"messages": [HumanMessage(f"{task} something", id=f"human-{turn}")]})


def _deleted(bench: Bench) -> None:
    with bench.twins(deep_agent) as twins:
        for turn, task in enumerate(("write", "write", "delete", "write"), 1):
            twins.run({"messages": [HumanMessage(f"{task} something", id=f"human-{turn}")]})
            there = "/notes-1.md" in twins.full.state(twins.config())["values"]["files"]
            if task == "delete" and there:
                raise NotTriedError("this version of Deep Agents has no tool that deletes files")


def _summarized(bench: Bench) -> None:
    with bench.twins(forgetful_agent) as twins:
        for turn in range(1, 7):
            long = f"talk about turn {turn} " + "at length " * 1_500
            twins.run({"messages": [HumanMessage(long, id=f"human-{turn}")]})
        kept = repr(twins.full.state(twins.config())["values"])
        twins.claim("Deep Agents summarized", holds=SUMMARY in kept)


def _approved_inside(bench: Bench) -> None:
    with bench.twins(careful_agent) as twins:
        for turn in range(1, 3):
            twins.run({"messages": [HumanMessage("delegate something", id=f"human-{turn}")]})
            twins.reopen()
            twins.run(Command(resume={"decisions": [{"type": "approve"}]}))


def _nested(bench: Bench, build: Build) -> None:
    with bench.twins(build) as twins:
        for turn in range(4):
            twins.run({"notes": [f"turn {turn}"], "turn": turn}, subgraphs=True)


def _paused(bench: Bench, build: Build) -> None:
    """Every check looks into the inner graphs, too, which wait there."""
    with bench.twins(build) as twins:
        for turn in range(3):
            twins.run({"notes": [f"turn {turn}"], "turn": turn})
            twins.reopen()
            twins.check()
            twins.resume()


def _decide(bench: Bench, decision: dict[str, Any]) -> None:
    with bench.twins(careful_agent) as twins:
        twins.run({"messages": [HumanMessage("write something", id="human-1")]})
        waiting = twins.full.state(twins.config())["interrupts"]
        twins.claim("the agent asks before it writes", holds=len(waiting) == 1)
        twins.reopen()
        twins.run(Command(resume={"decisions": [decision]}))
