"""A sequence of operations as a script that needs langgraph only, ready for a bug report."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections import defaultdict
from typing import TYPE_CHECKING

from deltabench.verify.document import versions
from deltabench.verify.fuzz import standalone

if TYPE_CHECKING:
    from types import ModuleType

    from deltabench.verify.fuzz.sequence import Sequence
    from deltabench.verify.vocabulary import Difference

DEADLINE_SECONDS = 120.0
_COLUMNS = 90

_HEAD = '''\
"""Full snapshots and delta channels do not show the same after these operations.

{found}

Found by deltabench's fuzzer on {checkpointer} with
{versions}.
Exit code 1 when the difference occurs, 0 when it does not.{needs}
"""

from __future__ import annotations

{imports}


'''

_OPERATIONS = '''

def operations(twin):
    """Do one after the other; gives the thread and what came of each."""
{operations}


{opening}


def main():
    """Do the same to both, and tell what is not alike at first."""
    full = Twin(build, opening(), None, awaited={awaited}, stays=True)
    delta = Twin(build, opening(), {frequency}, awaited={awaited}, stays=False)
    for number, did in enumerate(zip(operations(full), operations(delta)), 1):
        shown = [twin.shown(*of_twin) for twin, of_twin in zip((full, delta), did)]
        if apart := first_difference(*shown):
            print(f"after operation {{number}}, {{apart[0]}}")
            print(f"  full   {{apart[1]}}")
            print(f"  delta  {{apart[2]}}")
            return 1
    print("no difference")
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # whatever a saver still has open
'''

_OPENINGS = {
    "memory": """\
def opening():
    saver = InMemorySaver()
    return lambda: nullcontext(saver)""",
    "sqlite": """\
def opening():
    path = os.path.join(mkdtemp(), "threads.sqlite")
    return lambda: {Prefix}SqliteSaver.from_conn_string(path)""",
    "postgres": """\
def opening():
    url, schema = os.environ["POSTGRES_URL"], f"fuzz_{{uuid4().hex}}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {{schema}}")
    place = f"{{url}}{{'&' if '?' in url else '?'}}options=-csearch_path%3D{{schema}}"
    with PostgresSaver.from_conn_string(place) as saver:
        saver.setup()
    return lambda: {Prefix}PostgresSaver.from_conn_string(place)""",
}
_NEEDS = {"postgres": " POSTGRES_URL names the server to use."}
# What the part above needs beside the imports of the modules that are carried.
_IMPORTS = """
import os, sys
from contextlib import nullcontext
from tempfile import mkdtemp
from uuid import uuid4
import psycopg
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.types import Command, Overwrite, StateUpdate
"""


def script(graph: ModuleType, checkpointer: str, sequence: Sequence, difference: Difference) -> str:
    """Give the whole script; a checkpointer that is not langgraph's own is left for memory."""
    awaited = sequence.start.mode == "async"
    opening = _OPENINGS.get(checkpointer, _OPENINGS["memory"])
    names = _Imports()
    names.add(ast.parse(_IMPORTS))
    body = _carried(graph, names) + "\n\n\n" + _carried(standalone, names) + "\n"
    body += _OPERATIONS.format(
        operations="\n".join(_yielded(line) for line in sequence.calls),
        opening=opening.format(Prefix="Async" if awaited else ""),
        awaited=awaited,
        frequency=sequence.start.snapshot_frequency,
    )
    head = _HEAD.format(
        found=_wrapped(difference.line),
        checkpointer=checkpointer,
        needs=_NEEDS.get(checkpointer, ""),
        versions=_wrapped(", ".join(f"{name} {v}" for name, v in versions().items())),
        imports=names.needed_by(body),
    )
    return head + body


def reproduces(text: str, postgres_url: str | None = None) -> bool:
    """Run a script in a process of its own; whether it ends in exit code 1, as it should."""
    import os

    environment = os.environ | ({"POSTGRES_URL": postgres_url} if postgres_url else {})
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            timeout=DEADLINE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 1 and done.stdout.startswith("after operation")


class _Imports:
    """The imports of all that is carried, each once, and only what is needed."""

    def __init__(self) -> None:
        self._names: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, tree: ast.AST) -> None:
        """Take note of every import in a piece of source."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._names[alias.name] |= set()
            elif isinstance(node, ast.ImportFrom) and node.module not in {"__future__", None}:
                self._names[str(node.module)] |= {alias.name for alias in node.names}

    def needed_by(self, body: str) -> str:
        """Import statements of the names that occur in the body."""
        used = set(re.findall(r"\w+", body))
        lines = [f"import {module}" for module, names in self._names.items() if not names]
        lines = sorted(line for line in lines if line.split()[1] in used)
        for module, names in sorted(self._names.items()):
            if needed := sorted(names & used):
                lines.append(f"from {module} import {', '.join(needed)}")
        return "\n".join(lines)


def _carried(module: ModuleType, imports: _Imports) -> str:
    """The source of a module without its docstring, its imports and what checkers are told."""
    source = inspect.getsource(module)
    tree = ast.parse(source)
    imports.add(tree)
    lines = source.split("\n")
    first = next(
        n for n in tree.body[1:] if not isinstance(n, ast.Import | ast.ImportFrom | ast.If)
    )
    body = "\n".join(lines[first.lineno - 1 :]).strip()
    return re.sub(r"  # (noqa|type: ignore)[^\n]*", "", body)


def _yielded(line: tuple[str, str]) -> str:
    thread, code = line
    return f"    yield {thread!r}, twin.{code}"


def _wrapped(text: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, _COLUMNS, break_long_words=False)).replace("\\", "\\\\")
