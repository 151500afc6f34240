"""deltabench measures what LangGraph's delta channels save, and what they cost."""
