"""Where the files that come with deltabench are, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from deltabench.errors import DeltabenchError, ExitCode


def workloads_directory() -> Path:
    """Return the folder of the workloads that come with deltabench.

    A wheel carries them inside the package, a checkout has them at its top. The package
    is asked first: beside an installed package, `workloads` may be somebody else's.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "workloads", package.parent / "workloads"):
        if folder.is_dir():
            return folder
    raise DeltabenchError(
        "the workloads that come with deltabench are missing",
        hint="install deltabench again",
        exit_code=ExitCode.USAGE,
    )
