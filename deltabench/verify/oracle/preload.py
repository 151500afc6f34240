"""What the server imports from which fresh processes are forked; nothing is created here.

Whatever is missing here each of them imports anew, the program itself among it: that takes
several times as long as to read a thread.
"""

from contextlib import suppress

import deepagents  # noqa: F401
import langgraph.checkpoint.sqlite.aio

import deltabench.cli
import deltabench.verify.guarantees.registry  # noqa: F401

with suppress(ImportError):  # an extra
    import langgraph.checkpoint.postgres.aio  # noqa: F401
    import psycopg_pool  # noqa: F401
