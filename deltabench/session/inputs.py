"""`inputs.jsonl`: what the turns of a user's graph begin with, one line for each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from pathlib import Path

_HINT = 'such as {"messages": [{"role": "user", "content": "hello"}]}'
_RESUME = frozenset({"resume"})


@dataclass(frozen=True, slots=True)
class TurnInput:
    """What one turn is given: a value for `invoke`, or the answer to an interrupt."""

    value: Any
    resumes: bool = False


def read_inputs(path: Path) -> tuple[TurnInput, ...]:
    """Read a file of inputs; empty lines are skipped.

    A line `{"resume": ...}` answers the interrupt that the turn before it ended in. Raises
    DeltabenchError with file, line and a hint when a line is no JSON object, when the first
    one resumes, or when there is none; the content of a line is never shown.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise DeltabenchError(f"there is no file {path}", hint="one JSON object a line") from None
    except UnicodeDecodeError as error:
        where = error.object[: error.start].count(b"\n") + 1
        raise DeltabenchError(f"{path}:{where}: not UTF-8") from None
    except OSError as error:
        raise DeltabenchError(f"{path}: cannot be read: {error.strerror}") from None
    found: list[TurnInput] = []
    # Not splitlines(): JSON strings may hold characters that it takes for the end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found.append(_parsed(line, f"{path}:{number}"))
            if len(found) == 1 and found[0].resumes:
                message = f"{path}:{number}: nothing to resume"
                raise DeltabenchError(message, hint="the first line must be an input")
    if not found:
        raise DeltabenchError(f"{path}: holds no input", hint=f"one JSON object a line, {_HINT}")
    return tuple(found)


def _parsed(line: str, where: str) -> TurnInput:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"{where}: not valid JSON: {error.msg} at column {error.colno}"
        raise DeltabenchError(message, hint="one JSON object a line") from None
    except RecursionError:
        raise DeltabenchError(f"{where}: nested too deeply") from None
    if not isinstance(value, dict):
        kind = type(value).__name__
        raise DeltabenchError(f"{where}: must be a JSON object, not a {kind}", hint=_HINT)
    if value.keys() == _RESUME:
        return TurnInput(value=value["resume"], resumes=True)
    return TurnInput(value=value)


def again(given: TurnInput, cycle: int) -> TurnInput:
    """The same input in a later cycle (from 0): ids of messages are made new.

    A message whose id is in the thread already would replace the older one.
    """
    return given if not cycle else TurnInput(_renamed(given.value, cycle), given.resumes)


def _renamed(value: Any, cycle: int) -> Any:
    if isinstance(value, list):
        return [_renamed(item, cycle) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {key: _renamed(item, cycle) for key, item in value.items()}
    is_message = "content" in value and ("role" in value or "type" in value)
    if is_message and isinstance(value.get("id"), str):
        renamed["id"] = repeated_id(value["id"], cycle)
    return renamed


def repeated_id(plain: str, cycle: int) -> str:
    """The id that stands for `plain` in a later cycle of the session (from 0)."""
    return f"{plain}.r{cycle}" if cycle else plain
