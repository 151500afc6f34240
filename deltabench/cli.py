"""The command line: what it is made of, and the one place where errors end, in one line."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import NoReturn

import typer

from deltabench.commands import (
    baseline,
    check,
    compare,
    doctor,
    forecast,
    inspect,
    measuring,
    recommend,
    record,
    reducer,
    report,
    reproduce,
    verify,
    workloads,
)
from deltabench.errors import DeltabenchError, ExitCode

app = typer.Typer(
    name="deltabench",
    help="Measure what LangGraph's delta channels save, and what they cost.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    measuring,
    reproduce,
    report,
    check,
    baseline,
    compare,
    doctor,
    forecast,
    inspect,
    recommend,
    record,
    reducer,
    verify,
    workloads,
):
    command.register(app)


def _end_on_terminate(*_: object) -> NoReturn:
    # Leaving by an exception stops servers and removes temporary places.
    raise SystemExit(128 + signal.SIGTERM)


def main() -> None:
    """Run the command line; the only place where the program exits."""
    signal.signal(signal.SIGTERM, _end_on_terminate)
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()  # find out here, not at exit, that the disk is full
    except DeltabenchError as error:
        _fail(str(error), error.exit_code)
    except typer.Abort:
        _fail("interrupted", ExitCode.INTERRUPTED)
    except KeyboardInterrupt:
        _fail("interrupted", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on; that is no error
        sys.exit(ExitCode.PASSED)
    except OSError as error:
        where = f" {error.filename}" if error.filename else " the output"
        _fail(f"cannot write{where}: {error.strerror or error}", ExitCode.REFUSED)
    except Exception as error:  # noqa: BLE001  # a traceback shown to a user is a bug
        if hasattr(error, "format_message"):  # a usage error of the command line
            _fail(f"{error.format_message().rstrip('.')} (deltabench --help)", ExitCode.USAGE)
        if os.environ.get("DELTABENCH_DEBUG"):
            traceback.print_exc()
        line = " ".join(str(error).split()) or "no message"
        _fail(
            f"{type(error).__name__}: {line} (a fault of deltabench; "
            "DELTABENCH_DEBUG=1 shows where)",
            ExitCode.CELL_FAILED,
        )
    sys.exit(code if isinstance(code, int) else ExitCode.PASSED)


def _fail(line: str, code: ExitCode) -> NoReturn:
    typer.echo(f"error: {line}", err=True)
    sys.exit(code)
