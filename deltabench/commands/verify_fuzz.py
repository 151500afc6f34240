"""`deltabench verify --fuzz`: random sequences, what they come to, and scripts of findings."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deltabench.verify.fuzz.vocabulary import Finding, FuzzOutcome

# Each has its own saver in langgraph; postgres takes a server and several times as long.
DEFAULT_CHECKPOINTERS = ("memory", "sqlite")


def fuzz_and_tell(
    context: typer.Context,
    checkpointers: Sequence[str],
    *,
    sequences: int,
    seed: int,
    script: Path | None,
    postgres_url: str | None,
    json: bool,
) -> None:
    """Fuzz one checkpointer after the other; exits with the code of what was found."""
    from rich.console import Console

    from deltabench.checkpointers.registry import backend_named
    from deltabench.report.fuzz_lines import fuzz_json, fuzz_lines
    from deltabench.report.fuzz_progress import FuzzProgress
    from deltabench.verify.fuzz.running import INTERRUPTED, Campaign, run_campaign
    from deltabench.verify.known import load_known

    given = checkpointers if _was_given(context, "checkpointer") else DEFAULT_CHECKPOINTERS
    names = tuple(dict.fromkeys(given))
    for name in names:
        backend_named(name, postgres_url=postgres_url)
    if script is not None:
        _require_writable(script)
    # What runtimes under trial print is not for the terminal of the one who asked.
    warnings.simplefilter("ignore")
    logging.disable()
    outcomes: list[FuzzOutcome] = []
    for name in names:
        url = _url(postgres_url) if name == "postgres" else None
        campaign = Campaign(name, sequences, seed, postgres_url=url)
        with FuzzProgress(Console(stderr=True), name, sequences) as progress:
            outcomes.append(run_campaign(campaign, progress.sequence))
            progress.outcome(outcomes[-1])
        if outcomes[-1].broken == INTERRUPTED:
            break
    findings = [finding for each in outcomes for finding in each.findings]
    if json:
        typer.echo(fuzz_json(outcomes))
    else:
        typer.echo("\n".join(fuzz_lines(outcomes, load_known())))
    if script is not None:
        _write(script, findings)
    elif not json:
        for finding in findings:
            typer.echo(f"\n{finding.script}", nl=False)
    _exit(outcomes)


def _exit(outcomes: Sequence[FuzzOutcome]) -> None:
    """A finding counts for more than a campaign that could not be ended, but not than Ctrl-C."""
    from deltabench.verify.fuzz.running import INTERRUPTED

    if outcomes[-1].broken == INTERRUPTED:
        message = "interrupted: what was found until then is told above"
        raise DeltabenchError(message, exit_code=ExitCode.INTERRUPTED)
    if any(each.findings for each in outcomes):
        raise typer.Exit(ExitCode.FAILED)
    if broken := next((each for each in outcomes if each.broken), None):
        message = f"fuzzing on {broken.checkpointer} ended early: {broken.broken}"
        raise DeltabenchError(message, exit_code=ExitCode.CELL_FAILED)


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _url(postgres_url: str | None) -> str:
    """One server for all sequences, and for the scripts."""
    from deltabench.checkpointers.embedded import embedded_url

    return postgres_url or embedded_url()


def _require_writable(script: Path) -> None:
    """Before anything is tried: what it takes minutes to find must not be lost in the end."""
    if script.is_dir() or not script.absolute().parent.is_dir():
        reason = "it is a directory" if script.is_dir() else "its directory does not exist"
        message = f"cannot write to {script}: {reason}"
        raise DeltabenchError(message, exit_code=ExitCode.REFUSED)


def _write(script: Path, findings: Sequence[Finding]) -> None:
    """The first finding under the name that was asked for, others beside it."""
    for number, finding in enumerate(findings, 1):
        name = script.name if number == 1 else f"{script.stem}-{number}{script.suffix}"
        place = script.with_name(name)
        place.write_text(finding.script, encoding="utf-8")
        typer.echo(f"Written: {place}", err=True)
