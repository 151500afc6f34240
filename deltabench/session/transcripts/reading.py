"""From files to raw messages, each with its place: JSON or JSONL, one file or a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.session.transcripts.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIXES = (".json", ".jsonl", ".ndjson")
LINE_SUFFIXES = (".jsonl", ".ndjson")
# No checkpointer takes a message of this size; it would only fill the memory.
LARGEST_LINE_BYTES = 256_000_000
_LONGEST_WHOLE = 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")
_FORMS = "an array of messages, an object with `messages`, or one message a line"


@dataclass(frozen=True, slots=True)
class Raw:
    """A value that should be a message, and where it stands, such as `chat.json: message 3`."""

    place: str
    value: Any


def transcript_files(path: Path) -> list[Path]:
    """The file itself, or the transcripts in a folder, in the order of their names.

    Raises DeltabenchError when there is none.
    """
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES)
    if not found:
        raise DeltabenchError(f"{path} holds no transcript", hint="files ending in .json or .jsonl")
    return found


def read_messages(path: Path, place: str, problems: Problems) -> list[list[Raw]]:
    """Read the conversations of a file, most often one; `place` is what messages call it.

    Raises DeltabenchError, with line and column where there are, for a file that cannot
    be read as a transcript at all; what can be left out or mended is a problem.
    """
    data = _bytes(path, place)
    if path.suffix.lower() in LINE_SUFFIXES:
        return _lines(place, data, problems)
    found = Problems()  # what is found is told only if the file is not read by lines
    try:
        value = parse_json(_text(data, place, 1, found))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # a second value after the first: one a line
            return _lines(place, data, problems)
        where = f"{place}:{error.lineno}:{error.colno}"
        raise DeltabenchError(f"{where}: not valid JSON: {error.msg}", hint=_FORMS) from None
    except (ValueError, RecursionError):
        raise DeltabenchError(f"{place}: not a JSON text that can be read", hint=_FORMS) from None
    problems.include(found)
    return [_conversation(value, place)]


def parse_json(text: str) -> Any:
    """Parse JSON; numbers that no checkpoint can hold become text.

    Raises ValueError or RecursionError.
    """
    return json.loads(text, parse_int=_whole, parse_constant=str)


def _whole(digits: str) -> int | str:
    # A checkpoint holds whole numbers of 64 bits.
    if len(digits) > _LONGEST_WHOLE:
        return digits
    number = int(digits)
    return number if -(2**63) <= number < 2**64 else digits


def _bytes(path: Path, place: str) -> bytes:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        hint = "a .json or .jsonl file, or a folder of them"
        raise DeltabenchError(f"no transcript {place}", hint=hint) from None
    except OSError as error:
        raise DeltabenchError(f"{place}: cannot be read: {error.strerror or error}") from None
    if data.startswith(_OTHER_ENCODINGS):
        raise DeltabenchError(f"{place}:1: not UTF-8 but UTF-16", hint="save it as UTF-8")
    data = data.removeprefix(_BYTE_ORDER_MARK)
    if not data.strip():
        raise DeltabenchError(f"{place}: the file is empty", hint=_FORMS)
    return data


def _text(data: bytes, place: str, line: int, problems: Problems) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        where = line + data.count(b"\n", 0, error.start)
        text = data.decode(errors="replace")
        problems.add(f"{place}:{where}", "bytes that are not UTF-8 were replaced")
        return text


def _lines(place: str, data: bytes, problems: Problems) -> list[list[Raw]]:
    """One message a line, or one conversation a line; a line that is neither is left out."""
    conversations: list[list[Raw]] = []
    messages: list[Raw] = []
    first_error = ""
    lines = data.split(b"\n")
    last = max(number for number, line in enumerate(lines, 1) if line.strip())
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > LARGEST_LINE_BYTES:
            problems.add(f"{place}:{number}", f"a line of {len(line):,} bytes is left out")
            continue
        try:
            value = parse_json(_text(line, place, number, problems))
        except (ValueError, RecursionError) as error:
            column = f":{error.colno}" if isinstance(error, json.JSONDecodeError) else ""
            cut = number == last and not data.endswith(b"\n")
            reason = "the last line is cut off" if cut else "not valid JSON"
            first_error = first_error or f"{place}:{number}{column}: {reason}"
            problems.add(f"{place}:{number}{column}", f"{reason}, left out")
            continue
        if isinstance(value, list) or (isinstance(value, dict) and "messages" in value):
            conversations.append(_conversation(value, f"{place}:{number}"))
        else:
            messages.append(Raw(f"{place}:{number}", value))
    if first_error and not messages and not conversations:
        raise DeltabenchError(first_error, hint=_FORMS)
    return [messages, *conversations] if messages else conversations


def _conversation(value: Any, place: str) -> list[Raw]:
    if isinstance(value, dict) and "messages" in value:
        value = value["messages"]
    elif isinstance(value, dict) and "role" in value:
        value = [value]
    if not isinstance(value, list):
        raise DeltabenchError(f"{place}: no messages in it", hint=_FORMS)
    if not value:
        raise DeltabenchError(f"{place}: the list of messages is empty", hint=_FORMS)
    return list(_numbered(value, place))


def _numbered(values: list[Any], place: str) -> Iterator[Raw]:
    for number, value in enumerate(values, 1):
        yield Raw(f"{place}: message {number}", value)
