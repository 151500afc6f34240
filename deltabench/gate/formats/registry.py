"""The formats by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from deltabench.gate.verdicts import Judgement

Format = Literal["text", "json", "markdown", "junit", "github"]
ComparisonFormat = Literal["text", "json", "markdown"]
FORMATS: tuple[Format, ...] = get_args(Format)


def render(judgement: Judgement, name: Format) -> str:
    """The judgement in a format, ending in a line break."""
    text: str = import_module(f"deltabench.gate.formats.{name}").render(judgement)
    return text
