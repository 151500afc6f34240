"""The workload format: what one turn of a session looks like, read from TOML.

`workloads/README.md` explains every key to people who copy a file and change it.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, ValidationError, model_validator

from deltabench.cells import Value
from deltabench.errors import DeltabenchError
from deltabench.locations import workloads_directory
from deltabench.session.interface import Session, TurnSize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deltabench.session.script import Script

# Part of every digest: raise it when the generated text or the script changes, so that
# results of another generator are never compared as if they were of the same workload.
GENERATOR_VERSION = 1

# Deep Agents moves tool results of more than 20,000 tokens, at 4 characters each, to files.
EVICTED_ABOVE_CHARS = 80_000


class Call(Value):
    """One tool call. Sizes are in characters of generated ASCII text.

    `write_file` writes a new file of `chars`; `search` returns `chars` of results, and
    `large_chars` instead in turns `large_first`, `large_first + large_every`, ... (turns
    count from 1); `read_file` reads back the file that the turn before wrote last.
    """

    tool: Literal["write_file", "search", "read_file"]
    chars: int = Field(default=0, ge=0)
    large_chars: int = Field(default=0, ge=0)
    large_every: int = Field(default=0, ge=0)
    large_first: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _sizes_fit_the_tool(self) -> Call:
        if self.tool == "read_file":
            if self.chars:
                msg = "chars has no meaning for read_file: the file decides"
                raise ValueError(msg)
        elif not self.chars:
            msg = f"{self.tool} needs chars, a positive number"
            raise ValueError(msg)
        if self.tool != "search" and self.large_chars:
            msg = "large_chars belongs to search"
            raise ValueError(msg)
        if bool(self.large_chars) != bool(self.large_every):
            msg = "large_chars and large_every go together"
            raise ValueError(msg)
        if self.large_first and not self.large_every:
            msg = "large_first needs large_chars and large_every"
            raise ValueError(msg)
        return self

    def result_chars(self, turn: int) -> int:
        """Size in characters of a search result in `turn` (from 1)."""
        return self.large_chars if self.is_large(turn) else self.chars

    def writes_a_file(self, turn: int) -> bool:
        """Whether this call changes `files` in `turn` (from 1), be it by eviction."""
        return self.tool == "write_file" or self.result_chars(turn) > EVICTED_ABOVE_CHARS

    def is_large(self, turn: int) -> bool:
        """Whether this call gives its large result in `turn` (from 1)."""
        first = self.large_first or self.large_every
        return bool(self.large_every) and turn >= first and (turn - first) % self.large_every == 0


class Round(Value):
    """One answer of the model that asks for tools: its text, and calls run in parallel."""

    text_chars: int = Field(default=0, ge=0)
    calls: tuple[Call, ...] = Field(min_length=1)


class Summarization(Value):
    """Lets Deep Agents summarize: the model announces this context size, in tokens."""

    max_input_tokens: int = Field(ge=1000)
    summary_chars: int = Field(default=1500, ge=1)


class Workload(Session):
    """A session, as many turns long as the run asks for; every turn has the same shape."""

    user_chars: int = Field(ge=1)
    answer_chars: int = Field(ge=1)
    rounds: tuple[Round, ...] = ()
    summarization: Summarization | None = None

    @model_validator(mode="after")
    def _reads_follow_writes(self) -> Workload:
        calls = [call.tool for round_ in self.rounds for call in round_.calls]
        if "read_file" in calls and "write_file" not in calls:
            msg = "read_file needs a write_file in the workload"
            raise ValueError(msg)
        return self

    @property
    def digest(self) -> str:
        """Identity of the workload: 16 hex digits over its shape and the generator."""
        text = f"{GENERATOR_VERSION}:{self.model_dump_json(exclude={'name', 'title', 'turns'})}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def file_updates(self, turns: int) -> Iterator[tuple[int, int]]:
        """Yield turn and place of each update; a round writes its files in one superstep."""
        for turn in range(1, turns + 1):
            for number, round_ in enumerate(self.rounds, 1):
                if any(call.writes_a_file(turn) for call in round_.calls):
                    yield turn, 2 * number + 1

    @property
    def updates_per_turn(self) -> int:
        """Updates of `messages` in a turn: the input, two a round, and the answer."""
        return 2 + 2 * len(self.rounds)

    def updates_through(self, turn: int) -> int:
        """Updates of `messages` to the end of `turn`: as many in each."""
        return turn * self.updates_per_turn

    def turn_size(self, turn: int) -> TurnSize:
        """What `turn` adds to the thread, by the sizes of its calls."""
        calls = [call for round_ in self.rounds for call in round_.calls]
        written = [call.chars for call in calls if call.tool == "write_file"]
        found = [call.result_chars(turn) for call in calls if call.tool == "search"]
        evicted = [chars for chars in found if chars > EVICTED_ABOVE_CHARS]
        read = sum(call.tool == "read_file" for call in calls) * max(
            (c.chars for c in calls), default=0
        )
        said = self.user_chars + self.answer_chars + sum(each.text_chars for each in self.rounds)
        return TurnSize(
            rounds=len(self.rounds),
            messages=2 + len(self.rounds) + 2 * len(calls),
            message_chars=said + sum(written) + sum(found) - sum(evicted) + read,
            files=len(written) + len(evicted),
            file_chars=sum(written) + sum(evicted),
            file_updates=sum(any(c.tool == "write_file" for c in r.calls) for r in self.rounds),
            evicted=len(evicted),
        )

    def script(self, seed: int) -> Script:
        """The lines of the session, generated from a seed."""
        from deltabench.session.script import Script

        return Script(workload=self, seed=seed)

    def shape(self) -> Iterator[str]:
        """What a turn writes, in words."""
        from deltabench.report.shape import shape_lines

        return shape_lines(self)


def load_workload(name: str) -> Workload:
    """Load a shipped workload by name (any case) or one from a path ending in .toml.

    Raises DeltabenchError with the file and the line or key that is wrong.
    """
    if name.lower().endswith(".toml"):
        return _read(Path(name))
    shipped = shipped_workloads()
    if name.lower() in shipped:
        return _read(shipped[name.lower()])
    names = ", ".join(sorted(path.stem.upper() for path in shipped.values()))
    message = f"no workload named {name!r}"
    raise DeltabenchError(message, hint=f"{names}, a .toml file, or a transcript (.json, .jsonl)")


def shipped_workloads() -> dict[str, Path]:
    """Names (lower case) and files of the workloads that come with deltabench."""
    return {path.stem: path for path in sorted(workloads_directory().glob("*.toml"))}


def _read(path: Path) -> Workload:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        message = f"no workload file {path}"
        raise DeltabenchError(message, hint="deltabench workloads list shows names") from None
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read: {error}"
        raise DeltabenchError(message) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        where = f"{path}:{place[1]}:{place[2]}" if place else str(path)
        reason = str(error).split(" (at ")[0]
        message = f"{where}: not valid TOML: {reason}"
        raise DeltabenchError(message) from None
    if "name" in values:
        message = f"{path}: name: not a key of the format"
        raise DeltabenchError(message, hint="the file name is the name")
    try:
        name = path.stem.upper() if path.parent == workloads_directory() else path.stem
        return Workload(name=name, **values)
    except ValidationError as error:
        raise DeltabenchError(f"{path}: {_first_problem(error)}") from None


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ""
    for part in first["loc"]:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else str(part)
    reason = first["msg"].removeprefix("Value error, ")
    more = len(error.errors()) - 1
    rest = f" (and {more} more)" if more else ""
    known = ", ".join(sorted(Workload.model_fields.keys() - {"name"}))
    if first["type"] == "extra_forbidden":
        reason = f"not a key of the format{f' (known: {known})' if '.' not in key else ''}"
    return f"{key}: {reason}{rest}" if key else f"{reason}{rest}"
