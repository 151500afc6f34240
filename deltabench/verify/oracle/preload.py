"""What the server imports from which fresh processes are forked; nothing is created here."""

import aiosqlite  # noqa: F401
import langgraph.checkpoint.sqlite
import langgraph.graph  # noqa: F401

import deltabench.verify.oracle.twins
import deltabench.verify.probes  # noqa: F401
