"""The commands: options in, one call, rendering out; errors end here in one line."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from deltabench.cells import Durability
from deltabench.commands import baseline, check, compare, report
from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

app = typer.Typer(
    name="deltabench",
    help="Measure what LangGraph's delta channels save, and what they cost.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
workloads_app = typer.Typer(
    help="List, show and check workloads.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(workloads_app, name="workloads")

WorkloadOption = Annotated[
    list[str],
    typer.Option("--workload", "-w", help="A, B, or a path to a .toml file; may be repeated."),
]
CheckpointerOption = Annotated[
    list[str],
    typer.Option(
        "--checkpointer",
        "-c",
        help="memory, sqlite, postgres, or module:factory; may be repeated.",
    ),
]
DurabilityOption = Annotated[
    Durability, typer.Option(help="When langgraph saves; the default is langgraph's own.")
]
RepeatOption = Annotated[
    int, typer.Option(help="Measure each cell this often; 9 or more give intervals.")
]
SeedOption = Annotated[int, typer.Option(help="Seed of texts, channel versions and order.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Directory for the files. [default: reports/...]")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with an interrupted run of the same command.")
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Run even if memory or disk look too small.")
]
UrlOption = Annotated[
    str | None,
    typer.Option(
        "--postgres-url",
        envvar="DELTABENCH_POSTGRES_URL",
        show_envvar=True,
        show_default=False,
        help="A PostgreSQL server to use; otherwise an embedded one is started.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
RttOption = Annotated[
    float | None,
    typer.Option(
        "--rtt-ms", min=0.0, help="Add what this network round trip would cost (derived)."
    ),
]
StallOption = Annotated[
    float,
    typer.Option("--stall-seconds", min=1.0, help="End a cell after so long without progress."),
]


@app.command()
def run(
    workload: Annotated[
        str, typer.Option("--workload", "-w", help="A, B, or a path to a .toml file.")
    ] = "B",
    turns: Annotated[
        int | None, typer.Option(help="Length of the session. [default: the workload's own]")
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", help="Snapshot frequency. [default: Deep Agents' own]")
    ] = None,
    checkpointer: Annotated[
        str,
        typer.Option("--checkpointer", "-c", help="memory, sqlite, postgres, or module:factory."),
    ] = "memory",
    durability: DurabilityOption = "async",
    repeat: RepeatOption = 1,
    seed: SeedOption = 0,
    out: OutOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    postgres_url: UrlOption = None,
    rtt_ms: RttOption = None,
    stall_seconds: StallOption = 300.0,
    json: JsonOption = False,
) -> None:
    """Measure one workload under full snapshots and under delta channels with one K."""
    from deltabench.api import installed_k, load_workloads

    spec = next(iter(load_workloads([workload]).values()))
    _measure(
        name_parts=([spec.name], [turns or spec.turns], [f"k{k}"] if k else [], [checkpointer]),
        workloads=[workload],
        turns=[] if turns is None else [turns],
        k=[installed_k() if k is None else k],
        checkpointers=[checkpointer],
        durability=durability,
        repeat=repeat,
        seed=seed,
        out=out,
        resume=resume,
        force=force,
        postgres_url=postgres_url,
        rtt_ms=rtt_ms,
        stall_seconds=stall_seconds,
        json=json,
    )


@app.command()
def sweep(
    workload: WorkloadOption = ["B"],  # noqa: B006  # typer copies it
    turns: Annotated[
        str | None, typer.Option(help="Lengths, such as 50,200. [default: the workload's own]")
    ] = None,
    k: Annotated[
        str | None,
        typer.Option("--k", help="Snapshot frequencies. [default: 1,2,5,10,25,50,100,250,1000]"),
    ] = None,
    checkpointer: CheckpointerOption = ["memory"],  # noqa: B006  # typer copies it
    durability: DurabilityOption = "async",
    repeat: RepeatOption = 1,
    seed: SeedOption = 0,
    out: OutOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    postgres_url: UrlOption = None,
    rtt_ms: RttOption = None,
    stall_seconds: StallOption = 300.0,
    json: JsonOption = False,
) -> None:
    """Measure many K, workloads, lengths and checkpointers, and say which K to take."""
    from deltabench.api import load_workloads

    lengths = _numbers("--turns", turns)
    _measure(
        name_parts=(["sweep"], load_workloads(workload), lengths, checkpointer),
        workloads=workload,
        turns=lengths,
        k=_numbers("--k", k) or None,
        checkpointers=checkpointer,
        durability=durability,
        repeat=repeat,
        seed=seed,
        out=out,
        resume=resume,
        force=force,
        postgres_url=postgres_url,
        rtt_ms=rtt_ms,
        stall_seconds=stall_seconds,
        json=json,
    )


@app.command()
def reproduce(
    seed: SeedOption = 0,
    out: OutOption = None,
    resume: ResumeOption = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Measure the published figures again; exit code 1 when one is out."""
    from deltabench.output import choose_directory
    from deltabench.report.progress import progress_on
    from deltabench.report.published import as_json, published_lines
    from deltabench.reproduce import compare_with_published, measure_published

    directory = choose_directory("reproduce", out, resume=resume)
    results = measure_published(
        directory, seed=seed, resume=resume, force=force, progress=progress_on(_stderr())
    )
    findings = compare_with_published(results)
    typer.echo(as_json(findings) if json else "\n".join(published_lines(findings, results)))
    _say(f"Saved: {directory}")
    if any(row.failure for row in results.rows):
        raise typer.Exit(ExitCode.CELL_FAILED)
    if not all(finding.holds for finding in findings):
        raise typer.Exit(ExitCode.FAILED)


@workloads_app.command("list")
def list_workloads() -> None:
    """List the workloads that come with deltabench."""
    from deltabench.session.workload import load_workload, shipped_workloads

    for name in shipped_workloads():
        workload = load_workload(name)
        typer.echo(f"{workload.name}  {workload.title}, {workload.turns} turns")


@workloads_app.command("show")
def show_workload(
    workload: Annotated[str, typer.Argument(help="A, B, or a path to a .toml file.")],
) -> None:
    """Show the shape of a workload: what a turn writes, and what a session adds up to."""
    from deltabench.report.shape import shape_lines
    from deltabench.session.workload import load_workload

    typer.echo("\n".join(shape_lines(load_workload(workload))))


@workloads_app.command("validate")
def validate_workload(
    workload: Annotated[str, typer.Argument(help="A, B, or a path to a .toml file.")],
) -> None:
    """Check the format, then run a short session twice: it must store the same bytes."""
    from deltabench.session.workload import load_workload
    from deltabench.validate import validate

    spec = load_workload(workload)
    typer.echo(f"{workload}: valid; {validate(spec)}")


for _command in (report, check, baseline, compare):
    _command.register(app)


def _measure(
    *,
    name_parts: tuple[object, ...],
    out: Path | None,
    rtt_ms: float | None,
    json: bool,
    **options: object,
) -> None:
    from deltabench import api
    from deltabench.commands.showing import show
    from deltabench.output import choose_directory, report_name
    from deltabench.report.progress import progress_on

    resume = bool(options["resume"])
    directory = choose_directory(report_name(*name_parts), out, resume=resume)  # type: ignore[arg-type]
    try:
        outcome = api.sweep(
            **options,  # type: ignore[arg-type]
            out=directory,
            progress=progress_on(_stderr()),
            command=command_line(sys.argv[1:]),
        )
    except KeyboardInterrupt:
        _say(f"interrupted: finished cells are saved in {directory}; --resume goes on")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    show(outcome, rtt_ms=rtt_ms, json=json)


def _numbers(option: str, text: str | None) -> list[int]:
    numbers = []
    for part in [] if text is None else text.split(","):
        try:
            numbers.append(int(part))
        except ValueError:
            message = f"{option}: {part.strip()!r} is not a whole number"
            raise DeltabenchError(message, hint=f"for example {option} 10,50") from None
    return numbers


def command_line(arguments: Sequence[str]) -> str:
    """The command as typed, without what must not be shared."""
    words: list[str] = []
    for word in arguments:
        if words and words[-1] == "--postgres-url":
            words.append("...")
        else:
            words.append("--postgres-url=..." if word.startswith("--postgres-url=") else word)
    return shlex.join(["deltabench", *words])


def _stderr() -> Console:
    from rich.console import Console

    return Console(stderr=True)


def _say(line: str) -> None:
    typer.echo(line, err=True)


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
    _say(f"error: {line}")
    sys.exit(code)
