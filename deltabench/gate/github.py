"""What `check` does by itself on GitHub Actions, besides its output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Mapping


def on_github(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this is a step of a workflow."""
    return environment.get("GITHUB_ACTIONS") == "true"


def append_summary(markdown: str, environment: Mapping[str, str] = os.environ) -> None:
    """Add to the job summary, if the runner has one; DeltabenchError if it is not writable."""
    place = environment.get("GITHUB_STEP_SUMMARY")
    if not place:
        return
    try:
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(markdown + "\n")
    except OSError as error:
        message = f"cannot write the job summary: {error.strerror or error}"
        raise DeltabenchError(message, exit_code=ExitCode.REFUSED) from error
