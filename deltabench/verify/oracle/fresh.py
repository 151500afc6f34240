"""Reads a thread in a process that knows nothing of the one that wrote it.

The processes are forked from a server that has imported what every reader needs and has
seen no graph and no saver: fresh at the cost of a fork.
"""

from __future__ import annotations

import logging
import multiprocessing
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.verify.calls import calls_of, reaching
from deltabench.verify.oracle.plain import plain_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from langgraph.pregel import Pregel

    from deltabench.verify.places import Place
    from deltabench.verify.vocabulary import Mode

    Build = Callable[[Any, int | None], Pregel[Any]]

DEADLINE_SECONDS = 60.0
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["deltabench.verify.oracle.preload"])


@dataclass(frozen=True, slots=True)
class FreshRead:
    """What another process has to do: open the place, build the graph, read the thread.

    `build` must be importable there: a function of a module, or a partial of one.
    """

    place: Place
    build: Build
    snapshot_frequency: int | None
    mode: Mode
    config: dict[str, Any]


class FreshReadError(Exception):
    """The other process could not read the thread; the message says why."""


class HelperEndedError(DeltabenchError):
    """The other process was killed or hung, which says nothing of the thread."""


def read_freshly(read: FreshRead) -> dict[str, Any]:
    """Give the plain state of a thread, as another process reads it.

    Raises FreshReadError with the error of the other process, HelperEndedError when it ends
    without one.
    """
    return run_freshly(_read, read)  # type: ignore[no-any-return]


def run_freshly(function: Callable[..., Any], *args: Any) -> Any:
    """Call an importable function in a fresh process and give what it returns.

    Raises FreshReadError with the error of the other process, HelperEndedError when it ends
    without one.
    """
    ours, theirs = _context.Pipe(duplex=False)
    process = _context.Process(target=_answer, args=(theirs, function, args), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(DEADLINE_SECONDS):
            raise HelperEndedError(f"no answer of a reader within {DEADLINE_SECONDS:.0f} s")
        error, value = ours.recv()
    except EOFError:
        raise HelperEndedError("a reader's process ended without an answer") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if error is not None:
        raise FreshReadError(error)
    return value


@contextmanager
def fresh_process(function: Callable[..., None], *args: Any) -> Iterator[BaseProcess]:
    """Run an importable function in a fresh process, which is killed in the end."""
    process = _context.Process(target=function, args=args)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def _answer(pipe: Connection, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    logging.disable()  # what runtimes under trial say is not for the terminal
    try:
        value = function(*args)
    except Exception as error:  # noqa: BLE001 - it belongs to whoever asked
        pipe.send((f"{type(error).__name__}: {error}", None))
    else:
        pipe.send((None, value))


def _read(read: FreshRead) -> dict[str, Any]:
    calls = calls_of(read.mode)
    try:
        saver = calls.open(read.place)
        graph = read.build(saver, read.snapshot_frequency)
        return plain_state(calls.call(graph, "get_state", reaching(graph, saver, read.config)))
    finally:
        calls.close()
