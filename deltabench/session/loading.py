"""Sessions by name: shipped workloads, workload files, and transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError
from deltabench.session.transcripts.loading import load_transcript, names_transcript
from deltabench.session.workload import load_workload, shipped_workloads

if TYPE_CHECKING:
    from deltabench.lab.job import AnySession


def load_session(name: str, *, repeat_session: int = 1, anonymize: bool = False) -> AnySession:
    """Load a workload by name or .toml path, or a transcript by the path of file or folder.

    Raises DeltabenchError for what cannot be loaded, and for options of transcripts that
    are given for a workload.
    """
    if name.lower() not in shipped_workloads() and names_transcript(name):
        transcript = load_transcript(name, repeat=repeat_session, hide_names=anonymize)
        if anonymize:
            from deltabench.session.transcripts.anonymize import anonymized

            return anonymized(transcript)
        return transcript
    workload = load_workload(name)
    if repeat_session != 1 or anonymize:
        option = "--anonymize" if anonymize else "--repeat-session"
        raise DeltabenchError(
            f"{option} is for transcripts, and {workload.name} is generated",
            hint="--turns makes it longer; its texts are nobody's",
        )
    return workload
