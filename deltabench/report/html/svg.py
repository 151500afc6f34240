"""A drawing of matplotlib made fit to stand inside a page, among others."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_BEFORE = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_STYLE = re.compile(r"\s*<defs>\s*<style\b.*?</style>\s*</defs>", re.DOTALL)
_ID = re.compile(r'\s+id="([^"]*)"')
_REFERENCE = re.compile(r'(xlink:href="#|url\(#)([^")]*)')


def inline(drawing: str, title: str, prefix: str) -> Markup:
    """Strip what only a file needs, name the drawing for readers who cannot see it.

    Ids that something refers to begin with `prefix`, so that those of several drawings
    do not meet; all others go. Style rules would hold for the whole page and go, too.
    """
    text = _BEFORE.sub("", drawing, count=1)
    for pattern in (_COMMENT, _METADATA, _STYLE):
        text = pattern.sub("", text)
    opening, closing, rest = text.partition(">")
    for name in ("width", "height", "xmlns", "xmlns:xlink", "version"):
        opening = re.sub(rf'\s{name}="[^"]*"', "", opening)
    opening = f'{opening} role="img" aria-label="{escape(title)}"'
    referred = {match.group(2) for match in _REFERENCE.finditer(rest)}
    rest = _ID.sub(
        lambda match: f' id="{prefix}{match.group(1)}"' if match.group(1) in referred else "",
        rest,
    )
    rest = _REFERENCE.sub(lambda match: f"{match.group(1)}{prefix}{match.group(2)}", rest)
    # matplotlib wrote this text and escapes what it draws; comments are gone.
    return Markup(f"{opening}{closing}{rest}".strip())  # noqa: S704
