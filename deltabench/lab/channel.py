"""The pipe on which a cell's process reports, kept free of anything else that prints."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deltabench.lab.job import Event


class Reporter:
    """Writes events to the real standard output and sends everybody else to stderr."""

    def __init__(self) -> None:
        self._pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def send(self, event: Event) -> None:
        """Send one event, as one line of JSON."""
        self._pipe.write(event.model_dump_json(exclude_defaults=True) + "\n")
        self._pipe.flush()
