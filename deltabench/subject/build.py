"""The subject of a session, whatever kind of session it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deltabench.session.graph_session import GraphSession

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from deltabench.cells import Policy
    from deltabench.session.interface import Session
    from deltabench.subject.interface import Subject


def build(session: Session, seed: int, policy: Policy, saver: BaseCheckpointSaver[Any]) -> Subject:
    """Build Deep Agents with the session's script, or the user's own graph, on a saver."""
    if isinstance(session, GraphSession):
        from deltabench.subject.graph_subject import build_graph_subject

        known = {c.name: c.reason for c in session.survey.channels if c.switched}
        return build_graph_subject(session.request, policy, saver, known)
    from deltabench.subject.agent import build_subject

    return build_subject(session, seed, policy, saver)
