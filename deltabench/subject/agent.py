"""The subject: the installed Deep Agents with a scripted model, under one storage policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deepagents import create_deep_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.channels import DeltaChannel

from deltabench.errors import DeltabenchError
from deltabench.session.model import ScriptedModel
from deltabench.subject.interface import THREAD_ID, Subject
from deltabench.subject.policy import apply_policy

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.cells import Durability, Policy
    from deltabench.session.interface import InputMessage, Session

# langgraph stops a run after 25 supersteps unless told otherwise; a workload may have
# any number of rounds, and a round takes three at most.
_SUPERSTEPS_PER_ROUND = 8
_SUPERSTEPS_BESIDE_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class AgentSubject(Subject):
    """Deep Agents with its script."""

    model: ScriptedModel

    @property
    def recursion_limit(self) -> int:
        """Enough for the longest turn of the script."""
        rounds = self.model.script.most_rounds
        return _SUPERSTEPS_BESIDE_ROUNDS + _SUPERSTEPS_PER_ROUND * rounds

    def turn(self, turn: int, durability: Durability, thread_id: str = THREAD_ID) -> dict[str, Any]:
        """Run one turn (from 1) to its end and return the state that `invoke` returns."""
        self.model.begin_turn(turn)
        messages = [_message(each) for each in self.model.script.inputs(turn)]
        result: dict[str, Any] = self.graph.invoke(
            {"messages": messages}, self.config(thread_id), durability=durability
        )
        return result


def build_subject(
    workload: Session, seed: int, policy: Policy, saver: BaseCheckpointSaver[Any]
) -> AgentSubject:
    """Build the agent on a saver and switch its delta channels to the policy."""
    script = workload.script(seed)
    model = ScriptedModel(script)
    graph = create_deep_agent(
        model=model,
        tools=script.tools(),
        system_prompt=script.system_prompt,
        middleware=script.middleware,
        checkpointer=saver,
    )
    return AgentSubject(graph=graph, model=model, channels=apply_policy(graph, policy))


def _message(said: InputMessage) -> HumanMessage | AIMessage:
    kind = HumanMessage if said.role == "user" else AIMessage
    return kind(content=said.content, id=said.id)


def installed_frequency() -> int:
    """The snapshot frequency that the installed Deep Agents gives to `messages`.

    Raises DeltabenchError when that channel is not a delta channel.
    """
    channel = create_deep_agent(model=GenericFakeChatModel(messages=iter(()))).channels["messages"]
    if not isinstance(channel, DeltaChannel):
        raise DeltabenchError(
            "the installed deepagents does not use delta channels",
            hint="deltabench needs deepagents 0.6.0 or newer",
        )
    return int(channel.snapshot_frequency)
