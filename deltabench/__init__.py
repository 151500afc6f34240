"""deltabench measures what LangGraph's delta channels save, and what they cost."""

from __future__ import annotations

from deltabench.api import Outcome, run, sweep

__all__ = ["Outcome", "run", "sweep"]
