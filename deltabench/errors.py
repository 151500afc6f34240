"""Errors that a person can act on, and the exit codes of the commands."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """One meaning each; the table in the README is made from this."""

    PASSED = 0  # everything asked for was done
    FAILED = 1  # a figure, a rule, a guarantee or the contract of a reducer did not hold
    USAGE = 2  # the command line, a workload or a file is not right
    CELL_FAILED = 3  # a cell failed or is missing; the others are saved
    NOT_COMPARABLE = 4  # results or a baseline of other versions or workloads, not comparable
    REFUSED = 5  # too little memory or disk, no database, or an output that cannot be written
    INTERRUPTED = 130  # Ctrl-C; finished cells are saved, --resume goes on


class DeltabenchError(Exception):
    """A problem to tell in one line, with a hint and the exit code it ends in."""

    def __init__(
        self, message: str, *, hint: str = "", exit_code: ExitCode = ExitCode.USAGE
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.exit_code = exit_code

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} ({self.hint})" if self.hint else message
