"""`deltabench check`: judge results, or measure and then judge."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deltabench.cells import Durability
from deltabench.commands.options import ForceOption, OutOption, UrlOption, whole_numbers
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate.formats.registry import Format, render
from deltabench.gate.github import append_summary, on_github

if TYPE_CHECKING:
    from deltabench.gate.verdicts import Judgement

ResultsArgument = Annotated[
    Path | None, typer.Argument(help="A results.json or its directory; or measure: --workload.")
]
BaselineOption = Annotated[
    Path | None, typer.Option("--baseline", "-b", help="Results to hold these against.")
]
PolicyOption = Annotated[
    Path | None, typer.Option("--policy", "-p", help="Rules in TOML. [default: built in]")
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to tell the outcome.")]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the format here, and text to stdout.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(check)


def check(
    results: ResultsArgument = None,
    baseline: BaselineOption = None,
    policy: PolicyOption = None,
    min_ratio: Annotated[
        str | None, typer.Option(help="Delta must store this many times less than full.")
    ] = None,
    max_drop: Annotated[
        str | None, typer.Option(help="Most that the ratio may fall below the baseline's: 2%.")
    ] = None,
    max_resume: Annotated[
        str | None, typer.Option(help="Slowest warm resume, at most this many times full's.")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", help="Any other, such as turn_p50.max_ratio=1.5; may be repeated."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Inconclusive rules fail.")] = False,
    subset: Annotated[
        bool, typer.Option("--subset", help="The baseline may hold more than these results.")
    ] = False,
    format: FormatOption = "text",  # noqa: A002  # the name of the option
    output: OutputOption = None,
    workload: Annotated[
        list[str] | None,
        typer.Option("--workload", "-w", help="Measure this first: A, B or a .toml file."),
    ] = None,
    turns: Annotated[
        list[str] | None, typer.Option(help="Lengths, such as 20,50. [default: the workload's own]")
    ] = None,
    k: Annotated[
        list[str] | None,
        typer.Option("--k", help="Snapshot frequencies, such as 10,50. [default: Deep Agents']"),
    ] = None,
    checkpointer: Annotated[
        list[str] | None,
        typer.Option("--checkpointer", "-c", help="memory (default), sqlite, postgres, ..."),
    ] = None,
    durability: Annotated[
        Durability | None, typer.Option(help="When langgraph saves. [default: async]")
    ] = None,
    repeat: Annotated[
        int | None, typer.Option(help="Measure each cell this often; timed rules need 9.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the session. [default: 0]")] = None,
    out: OutOption = None,
    force: ForceOption = False,
    postgres_url: UrlOption = None,
) -> None:
    """Judge results by rules, with a baseline or without.

    Says whether savings, latency or correctness got worse. Judges existing results, or
    measures with --workload and judges that. Exit codes: 0 passed, 1 gate failed,
    2 usage, 3 a cell failed or is missing, 4 not comparable.
    """
    flags = [("--rule", text) for text in rule or []]
    for option, value, name in (
        ("--min-ratio", min_ratio, "savings.min_ratio"),
        ("--max-drop", max_drop, "savings.max_drop"),
        ("--max-resume", max_resume, "resume_warm.max_ratio"),
    ):
        if value is not None:
            flags.append((option, f'{name} = "{value}"'))
    if strict:
        flags.append(("--strict", "strict = true"))
    wanted = _Run(
        workloads=workload or [],
        turns=whole_numbers("--turns", turns or []),
        k=whole_numbers("--k", k or []),
        checkpointers=checkpointer or [],
        durability=durability,
        repeat=repeat,
        seed=seed,
        out=out,
        force=force,
        postgres_url=postgres_url,
    )
    try:
        code = _check(results, wanted, (baseline, policy, flags), (format, output), subset=subset)
    except DeltabenchError as error:
        if on_github():
            from deltabench.gate.formats.github import error_line

            typer.echo(error_line(str(error)), err=True)
        raise
    raise typer.Exit(code)


@dataclass(frozen=True, slots=True)
class _Run:
    """What is to be measured first; empty or None where the command line says nothing."""

    workloads: list[str]
    turns: list[int]
    k: list[int]
    checkpointers: list[str]
    durability: Durability | None
    repeat: int | None
    seed: int | None
    out: Path | None
    force: bool
    postgres_url: str | None

    def measure(self) -> Path:
        """Measure, write the report, and give back its directory."""
        from rich.console import Console

        from deltabench import api
        from deltabench.output import choose_directory, report_name
        from deltabench.report.progress import progress_on
        from deltabench.report.write import write_report

        names = list(api.load_workloads(self.workloads))
        checkpointers = self.checkpointers or ["memory"]
        name = report_name(["check"], names, self.turns, self.k, checkpointers)
        directory = choose_directory(name, self.out, resume=False)
        try:
            outcome = api.sweep(
                workloads=self.workloads,
                turns=self.turns,
                k=self.k or [api.installed_k()],
                checkpointers=checkpointers,
                durability=self.durability or "async",
                repeat=1 if self.repeat is None else self.repeat,
                seed=self.seed or 0,
                out=directory,
                force=self.force,
                postgres_url=self.postgres_url,
                progress=progress_on(Console(stderr=True)),
                command=self._command(),
            )
        except KeyboardInterrupt:
            typer.echo(f"interrupted: finished cells are saved in {directory}", err=True)
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        write_report(outcome.results, directory)
        typer.echo(f"Saved: {directory}", err=True)
        return directory

    def named(self) -> list[str]:
        """The options that make no sense without a run, as far as they were given."""
        options = {
            "--turns": self.turns,
            "--k": self.k,
            "--checkpointer": self.checkpointers,
            "--durability": self.durability,
            "--repeat": self.repeat is not None,
            "--seed": self.seed is not None,
            "--out": self.out,
            "--force": self.force,
        }
        return [option for option, value in options.items() if value]

    def _command(self) -> str:
        """What was asked for, without the address of a database."""
        words = ["deltabench", "check"]
        for option, values in (
            ("--workload", self.workloads),
            ("--turns", self.turns),
            ("--k", self.k),
            ("--checkpointer", self.checkpointers),
            ("--durability", [self.durability] if self.durability else []),
            ("--repeat", [] if self.repeat is None else [self.repeat]),
            ("--seed", [] if self.seed is None else [self.seed]),
        ):
            for value in values:
                words += [option, str(value)]
        return shlex.join(words)


def _check(
    results: Path | None,
    wanted: _Run,
    demands: tuple[Path | None, Path | None, list[tuple[str, str]]],
    told: tuple[Format, Path | None],
    *,
    subset: bool,
) -> ExitCode:
    from deltabench.gate.judge import judge, refuse_without_rules
    from deltabench.gate.policy_file import load_policy
    from deltabench.gate.sides import Side
    from deltabench.results.file import load_results

    baseline, policy_file, flags = demands
    # Everything that can be wrong with the demands shows before minutes are spent measuring.
    policy = load_policy(policy_file, flags)
    then = Side(str(baseline), load_results(baseline)) if baseline else None
    refuse_without_rules(policy, baseline=then is not None)
    if results is None and not wanted.workloads:
        raise DeltabenchError("nothing to judge", hint="give a results.json, or --workload B")
    if results is not None:
        if wanted.workloads or wanted.named():
            extra = ", ".join(["--workload"] if wanted.workloads else wanted.named())
            message = f"{extra} is for measuring, and {results} was measured already"
            raise DeltabenchError(message, hint="give a results file or --workload, not both")
        place = results
    else:
        place = wanted.measure()
    now = Side(str(place), load_results(place))
    judgement = judge(now, then, policy, whole=results is not None and not subset)
    _tell(judgement, *told)
    return judgement.exit_code


def _tell(judgement: Judgement, format_name: Format, output: Path | None) -> None:
    if output is None:
        typer.echo(render(judgement, format_name), nl=False)
    else:
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(render(judgement, format_name), encoding="utf-8")
        except OSError as error:
            message = f"cannot write {output}: {error.strerror or error}"
            raise DeltabenchError(message, exit_code=ExitCode.REFUSED) from error
        typer.echo(render(judgement, "text"), nl=False)
    if on_github():
        if format_name != "github" or output is not None:
            typer.echo(render(judgement, "github"), nl=False, err=True)
        append_summary(render(judgement, "markdown"))
