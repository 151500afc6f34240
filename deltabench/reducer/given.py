"""Values that a user names on the command line: a strategy, or examples in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.subject.loading import load_object, one_line

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_HINT = "a JSON list of writes, or a file with one write per line"


def named_strategy(option: str, spec: str) -> SearchStrategy[Any]:
    """The hypothesis strategy that a spec names, or what a function of that name gives.

    Raises DeltabenchError when there is none.
    """
    from hypothesis.strategies import SearchStrategy

    found = load_object(spec)
    if callable(found) and not isinstance(found, SearchStrategy):
        try:
            found = found()  # what st.composite makes is a function
        except Exception as error:  # user code may raise anything
            raise DeltabenchError(f"{option}: {spec} failed: {one_line(error)}") from error
    if not isinstance(found, SearchStrategy):
        raise DeltabenchError(
            f"{option}: {spec} is a {type(found).__name__}, no hypothesis strategy",
            hint="for example writes = st.lists(st.text())",
        )
    return found


def named_examples(text: str) -> list[Any]:
    """Writes from a JSON list, or from a `.json` or `.jsonl` file.

    Raises DeltabenchError, with the line, where something is no JSON.
    """
    if text.lstrip().startswith("["):
        return _list(_parsed(text, "--examples"), "--examples")
    path = Path(text)
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8 text"
        raise DeltabenchError(f"--examples: cannot read {path}: {reason}", hint=_HINT) from error
    if path.suffix == ".json":
        return _list(_parsed(content, str(path)), str(path))
    lines = enumerate(content.splitlines(), start=1)
    return [_parsed(line, f"{path}:{number}") for number, line in lines if line.strip()]


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeltabenchError(f"{place}: no JSON: {error}", hint=_HINT) from error


def _list(found: Any, place: str) -> list[Any]:
    if not isinstance(found, list):
        raise DeltabenchError(f"{place}: no list of writes", hint=_HINT)
    return found
