"""Options that several commands share, with one meaning and one help text each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deltabench.cells import Durability
from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Iterable

A_WORKLOAD = "A, B, a .toml file, or a transcript (.json, .jsonl or a folder)"

WorkloadOption = Annotated[
    list[str],
    typer.Option("--workload", "-w", help=f"{A_WORKLOAD}; may be repeated."),
]
RepeatSessionOption = Annotated[
    int, typer.Option("--repeat-session", min=1, help="Chain a transcript into a longer thread.")
]
AnonymizeOption = Annotated[
    bool,
    typer.Option("--anonymize", help="Replace the content of a transcript by text of its sizes."),
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
KeepDatabaseOption = Annotated[
    Path | None,
    typer.Option("--keep-database", help="Directory to keep the SQLite database of each cell in."),
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


_MOST_IN_RANGE = 10_000


def whole_numbers(option: str, texts: Iterable[str]) -> list[int]:
    """Whole numbers between commas or by repeating the option; `a..b` is a to b."""
    numbers: list[int] = []
    for part in [part for text in texts for part in text.split(",")]:
        first, dots, last = part.partition("..")
        try:
            low, high = int(first), int(last if dots else first)
            if high < low or high - low >= _MOST_IN_RANGE:
                message = f"{option}: {part.strip()!r} is no range"
                hint = f"from the smaller to the larger, {_MOST_IN_RANGE:,} numbers at most"
                raise DeltabenchError(message, hint=hint)
            numbers.extend(range(low, high + 1))
        except ValueError:
            message = f"{option}: {part.strip()!r} is not a whole number"
            raise DeltabenchError(message, hint=f"for example {option} 10,50 or 10..50") from None
    return numbers
