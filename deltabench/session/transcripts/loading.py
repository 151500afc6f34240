"""Transcripts by path: from a file or folder to a session that can be measured."""

from __future__ import annotations

from pathlib import Path

from deltabench.errors import DeltabenchError
from deltabench.session.transcripts.messages import chat_messages
from deltabench.session.transcripts.problems import Problems
from deltabench.session.transcripts.reading import SUFFIXES, read_messages, transcript_files
from deltabench.session.transcripts.transcript import Transcript
from deltabench.session.transcripts.turns import turns_of

TITLE = "recorded chat"


def names_transcript(name: str) -> bool:
    """Whether a workload is named by the path of a transcript or of a folder of them."""
    return name.lower().endswith(SUFFIXES) or Path(name).is_dir()


def load_transcript(name: str, *, repeat: int = 1, hide_names: bool = False) -> Transcript:
    """Load a file, or the files of a folder one after the other, as one thread.

    With `hide_names` files go by their number in what is told about them.

    Raises DeltabenchError when no turn can be had from it; a file of a folder that cannot
    be read is a problem of the transcript.
    """
    if repeat < 1:
        raise DeltabenchError(f"--repeat-session must be a positive number, not {repeat}")
    path = Path(name)
    problems = Problems()
    system: list[str] = []
    turns = []
    files = transcript_files(path)
    for number, file in enumerate(files, 1):
        place = f"transcript {number}" if hide_names else str(file)
        try:
            conversations = read_messages(file, place, problems)
        except DeltabenchError as error:
            if len(files) == 1:
                raise
            problems.add(str(error), "left out")
            continue
        for raws in conversations:
            found_system, found_turns = turns_of(chat_messages(raws, problems), problems)
            system += found_system
            turns += found_turns
    if not turns:
        first = next(iter(problems.lines()), "no message of a user with an answer")
        raise DeltabenchError(
            f"no turn to replay: {first}", hint="a turn is a message of the user and an answer"
        )
    return Transcript(
        name=path.resolve().name if path.is_dir() else path.stem,
        title=TITLE,
        turns=len(turns) * repeat,
        # The sessions of one agent begin with the same instructions.
        system_prompt="\n\n".join(dict.fromkeys(system)),
        recorded=tuple(turns),
        repeat=repeat,
        problems=problems.lines(),
    )
