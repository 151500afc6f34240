"""Where the files of a run go: predictable names, and nothing that is there gets lost."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.results.file import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

REPORTS = Path("reports")


def report_name(*parts: Iterable[object]) -> str:
    """A directory name such as `b-200-memory` or `sweep-a+b-50-memory+sqlite`."""
    words = ["+".join(str(item) for item in part) for part in parts]
    return re.sub(r"[^a-z0-9+.]+", "-", "-".join(word for word in words if word).lower()).strip("-")


def choose_directory(name: str, out: Path | None, *, resume: bool) -> Path:
    """The directory for a run's files.

    Without `out`, `reports/<name>`; if results are there already, `<name>-2` and so on,
    and with `resume` the newest of these. An `out` that holds results is refused, as
    they would be lost, unless they are to be resumed.
    """
    if out is not None:
        if (out / FILE_NAME).exists() and not resume:
            raise DeltabenchError(
                f"{out} holds results already",
                hint="--resume goes on with them; otherwise choose another --out",
            )
        return out
    taken = REPORTS / name
    for number in count(2):
        following = REPORTS / f"{name}-{number}"
        if resume and not (following / FILE_NAME).exists():
            return taken
        if not (taken / FILE_NAME).exists():
            return taken
        taken = following
    raise AssertionError  # count never ends
