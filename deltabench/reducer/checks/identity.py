"""Whether messages that are written without an id keep one id over every read of a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typing_extensions import TypedDict

from deltabench.reducer.result import Call, Check, Counterexample
from deltabench.reducer.sameness import same

if TYPE_CHECKING:
    from deltabench.reducer.checks.trial import Trial
    from deltabench.reducer.subject import Subject

IDS = "message ids"


def check_ids(trial: Trial) -> Check:
    """Write messages in each shape to a real delta channel, and read the thread twice."""
    from langchain_core.messages import HumanMessage

    shapes: dict[str, Any] = {
        "messages": [HumanMessage("hi")],
        "dicts": [{"role": "user", "content": "hi"}],
        "tuples": [("user", "hi")],
        "text": ["hi"],
    }
    unstable = [name for name, write in shapes.items() if not _stable(trial.subject, write)]
    if not unstable:
        return Check(IDS, "holds", "messages written without an id keep theirs over reads")
    detail = f"written without an id as {' or '.join(unstable)}, they get another at each read"
    imports: set[str] = set()
    line = trial.subject.call_text("[]", f"[{shapes[unstable[0]]!r}]", imports)
    shown = Counterexample(
        tuple(sorted(imports)), (Call(line, "another id each time it is replayed"),)
    )
    # langgraph gives message objects their ids; where it does not, every thread is hit.
    return Check(IDS, "broken" if "messages" in unstable else "warning", detail, shown)


def _stable(subject: Subject, write: Any) -> bool:
    """Whether two reads agree; a shape that the reducer does not take is never stored."""
    from langgraph.channels import DeltaChannel
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import StateGraph

    channel: Any = DeltaChannel(subject.reducer, snapshot_frequency=1000)
    fields: Any = {"value": Annotated[list, channel]}
    builder: Any = StateGraph(TypedDict("State", fields))  # type: ignore[operator]
    builder.add_node("end", lambda _: {})
    builder.set_entry_point("end")
    graph = builder.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    try:
        graph.invoke({"value": write}, config, durability="sync")
        reads = [graph.get_state(config).values for _ in range(2)]
    except Exception:  # noqa: BLE001  # user code may raise anything
        return True
    return same(*reads)
