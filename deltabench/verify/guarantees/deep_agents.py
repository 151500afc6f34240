"""Deep Agents keep their files and messages, whatever their middleware does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from langchain_core.messages import HumanMessage
from langgraph.types import Command

from deltabench.verify.guarantees.interface import ALL_VARIANTS, Bench, Guarantee
from deltabench.verify.probes_deep import careful_agent, deep_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deltabench.verify.vocabulary import Variant


class DeepAgents(Guarantee):
    """The installed Deep Agents with their own tools and middleware."""

    name: ClassVar[str] = "deep-agents"
    promise: ClassVar[str] = "Files, evicted results, subagents and approvals work as before."
    source: ClassVar[str] = "Deep Agents 0.6: delta channels for messages and files"
    how: ClassVar[str] = (
        "files written and edited; a large result moved to a file; a subagent; "
        "interrupt_on answered with approve, edit and reject"
    )
    variants: ClassVar[tuple[Variant, ...]] = (ALL_VARIANTS[0], ALL_VARIANTS[2], ALL_VARIANTS[3])
    latency_of: ClassVar[str | None] = "get_state"

    def cases(self) -> Mapping[str, Callable[[Bench], None]]:
        """One for each thing that the middleware does."""
        return {
            "files written and edited": lambda bench: _turns(bench, "write", "write"),
            "a large result evicted": lambda bench: _turns(bench, "search", "write"),
            "a subagent": lambda bench: _turns(bench, "delegate", "delegate"),
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


def _decide(bench: Bench, decision: dict[str, Any]) -> None:
    with bench.twins(careful_agent) as twins:
        twins.run({"messages": [HumanMessage("write something", id="human-1")]})
        waiting = twins.full.state(twins.config())["interrupts"]
        twins.claim("the agent asks before it writes", holds=len(waiting) == 1)
        twins.reopen()
        twins.run(Command(resume={"decisions": [decision]}))
