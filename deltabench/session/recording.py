"""The file of `deltabench record`: what the models and tools of a session said, turn by turn.

It holds the content of the session, as the user's graph produced it, and is only read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, ValidationError

from deltabench.cells import Value
from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    from pathlib import Path


class ModelEntry(Value):
    """One answer of a model; `asked` is a digest of the messages that it was asked with."""

    asked: str
    message: dict[str, Any]


class ToolEntry(Value):
    """One result of a tool; `call` is its call id, or a digest of name and arguments.

    `run`: its result is more than text, as when it changes the state of the graph, asks
    models, or interrupts; then it runs again when the session is replayed.
    """

    call: str
    kind: Literal["message", "value", "run"]
    result: Any = None


class RecordedTurn(Value):
    """One turn: a digest of its input, and what was said in it, in order."""

    given: str
    models: tuple[ModelEntry, ...] = ()
    tools: tuple[ToolEntry, ...] = ()


class Recording(Value):
    """A session of a user's graph."""

    format: Literal["deltabench recording"] = "deltabench recording"
    version: Literal[1] = 1
    graph: str
    turns: tuple[RecordedTurn, ...] = Field(min_length=1)


def load_recording(path: Path) -> Recording:
    """Read a recording; raises DeltabenchError with the file and what is wrong with it."""
    try:
        return Recording.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        hint = "deltabench record makes one"
        raise DeltabenchError(f"there is no file {path}", hint=hint) from None
    except OSError as error:
        raise DeltabenchError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        message = f"{path}: {f'{key}: ' if key else ''}{first['msg']}"
        raise DeltabenchError(message, hint="made by deltabench record, for --graph") from None


def save_recording(recording: Recording, path: Path) -> None:
    """Write a recording, readable and in one piece."""
    text = json.dumps(recording.model_dump(mode="json"), ensure_ascii=False, indent=1)
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(f"{text}\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise DeltabenchError(
            f"cannot write {path}: {error.strerror}", exit_code=ExitCode.REFUSED
        ) from None
