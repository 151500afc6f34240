"""The fenced blocks of the README, for tests that run and compare them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    """The text of every fenced block of one language."""
    text = README.read_text(encoding="utf-8")
    return [block for name, block in _FENCE.findall(text) if name == language]


def commands() -> list[list[str]]:
    """Every command line of the `sh` blocks, as words, without comments."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [words for line in lines if (words := shlex.split(line, comments=True))]
